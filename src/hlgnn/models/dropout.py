"""Dropout that draws from a generator of its own, so that a run can be repeated and resumed."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from hlgnn.models.dropout_kernel import dropped


class Dropout(nn.Module):
    """Sets a share of the entries to zero in training and scales the others up.

    One number is drawn for a call; which entries are dropped is a hash of it and of their places. No mask is stored:
    the backward pass finds the same ones again.

    Args:
        share: Which share.
        generator: Where the draws come from; its state belongs to the state of a run.
    """

    def __init__(self, share: float, generator: torch.Generator) -> None:
        super().__init__()
        self.share, self.generator = share, generator

    def forward(self, x: Tensor) -> Tensor:
        """(…) -> (…)"""
        if not self.training or self.share == 0.0:
            return x
        y: Tensor = _Dropped.apply(x, self.key(), self.share)  # type: ignore[no-untyped-call]
        return y

    def key(self) -> int:
        """The number that a call draws; nothing is drawn where nothing is dropped."""
        return int(torch.randint(1 << 62, (1,), generator=self.generator)) if self.share else 0


class _Dropped(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, key: int, share: float) -> Tensor:
        ctx.key, ctx.share = key, share
        return dropped(x, key, share)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        return dropped(grad, ctx.key, ctx.share), None, None
