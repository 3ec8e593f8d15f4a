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


def learn_in_parts(state: Any, parts: Sequence[Part]) -> tuple[Tensor, bool]:
    """Add the gradients of Σ loss(state) over ``parts`` to those of all parameters; the sum, and if there were any.

    With several parts each is pulled back as far as ``state``, a tensor, before the next is computed, and what came
    before ``state`` is pulled back once in the end: the gradient is the same but for the order of sums.
    """
    if len(parts) == 1:
        loss = parts[0](state)
        if loss.requires_grad:
            loss.backward()
        return loss.detach(), loss.requires_grad
    held, total, learned = state.detach().requires_grad_(state.requires_grad), state.new_zeros(()), False
    for part in parts:
        loss = part(held)
        if loss.requires_grad:
            loss.backward()
            learned = True
        total += loss.detach()
    if held.grad is not None:
        state.backward(held.grad)
    return total, learned


def part_size(model: LinkModel[Any, Any], state: Any, positives: int, negatives: int) -> int:
    """How many positives, each with so many negatives, make a part; all of them where parts do not pay.

    A part is as large as the table of representations at least, since each has a gradient of the whole table.
    """
    if not isinstance(state, torch.Tensor) or state.dim() != 2 or reads_whole_batch(model):
        return positives
    row, pairs = state.shape[1] * state.element_size(), 1 + negatives
    if positives * pairs * row <= LARGE:
        return positives
    return min(positives, max(FITTING // row, len(state)) // pairs + 1)


def reads_whole_batch(model: LinkModel[Any, Any]) -> bool:
    """Whether a score in training depends on other pairs: through a normalisation, or because they are hidden."""
    return model.reads_batch or normalises(model)


def normalises(model: LinkModel[Any, Any]) -> bool:
    """Whether anything is normalised by the mean and deviation of a batch."""
    return any(isinstance(each, torch.nn.modules.batchnorm._BatchNorm) for each in model.modules())
