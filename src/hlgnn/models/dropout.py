"""Dropout that draws from a generator of its own, so that a run can be repeated and resumed."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    """Sets a share of the entries to zero in training and scales the others up.

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
        kept = torch.rand(x.shape, generator=self.generator, dtype=x.dtype) >= self.share
        return x * kept / (1 - self.share)
