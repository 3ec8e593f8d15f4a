"""Node representations: a linear map, and propagation without weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor, nn

from hlgnn.models.dropout import Dropout
from hlgnn.models.initialization import linear

if TYPE_CHECKING:
    import torch

    from hlgnn.baselines.ncn.settings import NCNSettings
    from hlgnn.baselines.neighbor_sums import NeighborSums
    from hlgnn.baselines.node_input import Product


class Encoder(nn.Module):
    """Â^L (X W + b), with dropout after the map and after the last propagation."""

    def __init__(self, inputs: int, settings: NCNSettings, generator: torch.Generator, noise: torch.Generator) -> None:
        super().__init__()
        self.steps, self.residual = settings.layers, settings.residual
        self.linear = linear(inputs, settings.hidden, generator)
        self.dropout = Dropout(settings.dropout, noise)
        self.tail_dropout = Dropout(settings.tail_dropout, noise)

    def forward(self, product: Product, messages: NeighborSums) -> Tensor:
        """(N, H)"""
        x: Tensor = self.dropout(product(self.linear.weight.T) + self.linear.bias)
        for _ in range(self.steps):
            reached = messages(x)
            x = x + reached if self.residual else reached
        out: Tensor = self.tail_dropout(x)
        return out
