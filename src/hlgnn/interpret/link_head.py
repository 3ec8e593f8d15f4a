"""What the head makes of one link: its logit, and what the numbers of the pair push it by."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.func import functional_call

from hlgnn.interpret.link_encoder import SHORTEST
from hlgnn.interpret.link_numbers import PairNumber, number_effects, read_numbers, scaled_numbers
from hlgnn.models import MLPHead, ResidualHead

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.interpret.link_encoder import LinkEncoder


@dataclass(frozen=True)
class LinkHead:
    """What the head makes of z_i, z_j and the numbers of the pair.

    Attributes:
        kind: Which head it is.
        logit: What pairs are ranked by.
        numbers: What it reads beside z_i and z_j.
        orders: For a perceptron, ½ (⟨∂_i, β_l (A^l X W)_i⟩ + ⟨∂_j, β_l (A^l X W)_j⟩) with the gradients ∂ of the logit
            in what it reads of the ends: an approximation of what each order pushes the logit by. Empty for other
            heads, whose logit is the score before the head up to a scale and a shift.
    """

    kind: str
    logit: float
    numbers: tuple[PairNumber, ...]
    orders: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """For a program."""
        return {**asdict(self), "numbers": [asdict(number) for number in self.numbers], "orders": list(self.orders)}


def head_logit(encoder: LinkEncoder, z: Tensor, numbers: Tensor | None) -> Tensor:
    """The logit in double precision, without dropout, differentiable.  (2, F), (C,) -> ()"""
    return _call(encoder, z[:1], z[1:], numbers)


@torch.enable_grad()
def link_head(encoder: LinkEncoder, z: Tensor, parts: Tensor, first: int, second: int) -> LinkHead:
    """The logit, and first-order attributions to numbers and, for a perceptron, to orders.

    Args:
        encoder: The model on a message graph.
        z: z_i and z_j.  (2, F)
        parts: What each order adds to them.  (L + 1, 2, F)
        first: i.
        second: j.
    """
    numbers = read_numbers(encoder, first, second)
    logit = float(head_logit(encoder, z, numbers).detach())
    kind = str(encoder.model.settings.head.kind)
    if not isinstance(encoder.model.head, MLPHead | ResidualHead):
        return LinkHead(kind, logit, (), ())
    scale = torch.ones(2, 1, dtype=torch.float64)
    if isinstance(encoder.model.head, ResidualHead):
        scale = z.norm(dim=1, keepdim=True).clamp(min=SHORTEST)
    read = (z / scale).requires_grad_()  # (2, F)
    given = None if numbers is None else numbers.clone().requires_grad_()
    _perceptron(encoder, read, given).backward()
    gradient = read.grad if read.grad is not None else torch.zeros_like(z)
    orders = (parts / scale * gradient).sum(dim=(1, 2)) / 2  # (L + 1,)
    effects = number_effects(encoder, numbers, None if given is None else given.grad)
    return LinkHead(kind, logit, effects, tuple(orders.tolist()))


@torch.enable_grad()
def logit_gradient(encoder: LinkEncoder, z: Tensor, first: int, second: int) -> Tensor:
    """The gradients of the logit in z_i and z_j.  (2, F) -> (2, F)"""
    ends = z.clone().requires_grad_()
    logit = head_logit(encoder, ends, read_numbers(encoder, first, second))
    if not logit.requires_grad:
        return torch.zeros_like(z)
    (gradient,) = torch.autograd.grad(logit, ends, allow_unused=True)
    return torch.zeros_like(z) if gradient is None else gradient


def _call(encoder: LinkEncoder, left: Tensor, right: Tensor, numbers: Tensor | None, *, inner: bool = False) -> Tensor:
    head = encoder.model.head
    if inner and isinstance(head, ResidualHead):
        head = head.correction
    weights = {name: value.detach().double() for name, value in head.named_parameters()}
    scaled = None if numbers is None else scaled_numbers(encoder, numbers)[None]
    training = head.training
    head.eval()
    try:
        logit: Tensor = functional_call(head, weights, (left, right, scaled))
    finally:
        head.train(training)
    return logit[0]


def _perceptron(encoder: LinkEncoder, read: Tensor, numbers: Tensor | None) -> Tensor:
    """The logit from what the head reads: z_i and z_j, or their unit vectors for a residual head.  (2, F) -> ()"""
    head = encoder.model.head
    if not isinstance(head, ResidualHead):
        return _call(encoder, read[:1], read[1:], numbers)
    stretched = head.stretch * read
    correction = _call(encoder, stretched[:1], stretched[1:], numbers, inner=True)
    return head.scale.detach().double() * (read[0] * read[1]).sum() + head.shift.detach().double() + correction
