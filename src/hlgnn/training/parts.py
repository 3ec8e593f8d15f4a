"""A large batch in parts that fit into the cache: gradients add up over them, and the encoder is pulled back once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from hlgnn.models import LinkModel

    Part = Callable[[Any], Tensor]

LARGE = 1 << 25
"""Bytes of one number per pair and column above which a batch is cut: the system hands out such memory page by page."""
FITTING = 1 << 23
"""Bytes of the same in a part."""


def learn_in_parts(model: LinkModel[Any, Any], state: Any, parts: Sequence[Part]) -> tuple[Tensor, bool]:
    """Add the gradients of Σ loss(state) over ``parts`` to those of all parameters; the sum, and if there were any.

    With several parts each is pulled back as far as the tensors of ``state`` before the next is computed, and what
    came before them is pulled back once in the end: the gradient is the same but for the order of sums.
    """
    if len(parts) == 1:
        return _pull_back(parts[0](state))
    encoded = model.encoded(state) or ()
    leaves = tuple(each.detach().requires_grad_(each.requires_grad) for each in encoded)
    held = model.with_encoded(state, leaves)
    pulled = [_pull_back(part(held)) for part in parts]
    through = [(each, leaf.grad) for each, leaf in zip(encoded, leaves, strict=True) if leaf.grad is not None]
    if through:
        torch.autograd.backward([each for each, _ in through], [grad for _, grad in through])
    losses, learned = zip(*pulled, strict=True)
    return torch.stack(losses).sum(), any(learned)


def _pull_back(loss: Tensor) -> tuple[Tensor, bool]:
    if loss.requires_grad:
        loss.backward()
    return loss.detach(), loss.requires_grad


def part_size(model: LinkModel[Any, Any], state: Any, positives: int, negatives: int) -> int:
    """How many positives, each with so many negatives, make a part; all of them where parts do not pay.

    A part is as large as the table of representations at least, since each has a gradient of the whole table.
    """
    encoded = None if reads_whole_batch(model) else model.encoded(state)
    if not encoded:
        return positives
    nodes, pairs = len(encoded[0]), 1 + negatives
    row = max(each.numel() // max(1, nodes) * each.element_size() for each in encoded)
    if positives * pairs * row <= LARGE:
        return positives
    return min(positives, max(FITTING // row, nodes) // pairs + 1)


def reads_whole_batch(model: LinkModel[Any, Any]) -> bool:
    """Whether a score in training depends on other pairs: through a normalisation, or because they are hidden."""
    return model.reads_batch or normalises(model)


def normalises(model: LinkModel[Any, Any]) -> bool:
    """Whether anything is normalised by the mean and deviation of a batch."""
    return any(isinstance(each, torch.nn.modules.batchnorm._BatchNorm) for each in model.modules())
