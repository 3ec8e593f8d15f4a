"""Gradients of a batch that several processes have parts of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn.utils import clip_grad_norm_, clip_grads_with_norm_, get_total_norm

from hlgnn.errors import SettingsError
from hlgnn.training.parts import normalises, reads_whole_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor, nn

    from hlgnn.models import LinkModel
    from hlgnn.processes import Group, Processes


LARGE = 1 << 20
"""A gradient with so many numbers is summed by itself."""


class Gradients:
    """Sums what processes found, so that every one takes the step that one process alone would take.

    Each process has the loss of its share of the pairs, weighted so that shares add up to the mean over the batch:
    gradients are summed over those that share the pairs. Of those that share columns, each has the gradient of its own
    columns' weights, a part of that of β and α, and all of that of what comes after the sum over columns.

    Args:
        model: Whose parameters learn.
        processes: Who takes part.

    Raises:
        SettingsError: If a part of the model needs to see the whole batch.
    """

    def __init__(self, model: LinkModel[Any, Any], processes: Processes) -> None:
        self.model, self.processes = model, processes
        if processes.size > 1:
            _check(model)
        held = model.column_shares()
        named = [(name, each) for name, each in model.named_parameters() if each.requires_grad]
        self.own = [each for name, each in named if name in held]
        self.common = [each for name, each in named if name not in held]
        self.partial = {id(each) for each in model.parameters_of_columns()}

    @torch.no_grad()
    def agree_on_weights(self) -> None:
        """Begin everywhere with the weights of the first process that has them: machines may round differently."""
        held = self.model.column_shares()
        for name, tensor in self.model.state_dict().items():
            (self.processes.pairs if name in held else self.processes.everyone).agree(tensor)

    def sum(self) -> None:
        """Make the gradient of every parameter that of the whole batch."""
        if self.processes.size == 1:
            return
        common, columns = _present(self.common), self.processes.columns.size
        for each in common:
            if each.grad is not None and id(each) not in self.partial:
                each.grad /= columns  # all of a row have it whole; summed up again it has the same bits for everyone
        _sum_together(common, self.processes.everyone)
        _sum_together(_present(self.own), self.processes.pairs)

    def clip(self, largest: float) -> None:
        """Shorten the gradient to a norm of at most ``largest``, all columns counted; 0 is no limit."""
        if not largest:
            return
        if self.processes.columns.alone:
            clip_grad_norm_(self.model.parameters(), largest)
            return
        common, own = _present(self.common), _present(self.own)
        squares = self.processes.columns.sum(_norm(own).square(), "norm")
        norm = (squares + _norm(common).square()).sqrt()
        clip_grads_with_norm_([*common, *own], largest, norm)


def _present(parameters: Sequence[nn.Parameter]) -> list[nn.Parameter]:
    return [each for each in parameters if each.grad is not None]


def _norm(parameters: Sequence[nn.Parameter]) -> Tensor:
    return get_total_norm([each.grad for each in parameters if each.grad is not None])


def _sum_together(parameters: Sequence[nn.Parameter], group: Group) -> None:
    """One operation for all small gradients, and one for each large one, without a copy of it."""
    gradients = [each.grad for each in parameters if each.grad is not None]
    if group.alone or not gradients:
        return
    small = [each for each in gradients if each.numel() < LARGE or not each.is_contiguous()]
    if small:
        flat = group.sum(torch.cat([each.flatten() for each in small]), "gradients")
        for gradient, part in zip(small, flat.split([each.numel() for each in small]), strict=True):
            gradient.copy_(part.view_as(gradient))
    for gradient in gradients:
        if gradient.numel() >= LARGE and gradient.is_contiguous():
            group.sum(gradient, "gradients")


def _check(model: LinkModel[Any, Any]) -> None:
    if reads_whole_batch(model):
        what = "normalises by the mean and deviation" if normalises(model) else "hides the links"
        raise SettingsError(
            f"The method {what} of a whole batch, which no process sees all of.",
            where="--processes",
            hint="Train it with one process.",
        )
