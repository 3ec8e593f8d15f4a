"""From the ends of a pair and the sum over their common neighbours to a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.models.dropout import Dropout
from hlgnn.models.initialization import linear
from hlgnn.models.rows import take_rows

if TYPE_CHECKING:
    from hlgnn.baselines.ncn.settings import NCNSettings


class NCNHead(nn.Module):
    """g(β h_common(Σ_u x'_u) + h_ends(x_i ⊙ x_j)) with x' = x + t(x), and a learned β that starts at one.

    Args:
        settings: Widths and dropout.
        generator: Where first weights come from.
        noise: Where dropout draws from.
    """

    def __init__(self, settings: NCNSettings, generator: torch.Generator, noise: torch.Generator) -> None:
        super().__init__()
        width = settings.hidden

        def layer() -> nn.Module:
            return linear(width, width, generator)

        def norm() -> list[nn.Module]:
            return [nn.LayerNorm(width), Dropout(settings.head_dropout, noise), nn.ReLU()]

        def plain() -> list[nn.Module]:
            return [Dropout(settings.head_dropout, noise), nn.ReLU()]

        def tail() -> list[nn.Module]:
            return [] if settings.tail_activation else [layer()]

        self.of_neighbor = nn.Sequential(layer(), *plain(), layer(), *norm()) if settings.transform else None
        self.of_common = nn.Sequential(layer(), *plain(), layer(), *norm(), *tail())
        self.of_ends = nn.Sequential(layer(), *norm(), *tail())
        blocks = [part for _ in range(1 + settings.deep_head) for part in (layer(), *norm())]
        self.last = nn.Sequential(*blocks, linear(width, 1, generator))
        self.beta = nn.Parameter(torch.ones(()))

    def neighbors(self, x: Tensor) -> Tensor:
        """x', what a node adds as a common neighbour.  (N, H) -> (N, H)"""
        if self.of_neighbor is None:
            return x
        mapped: Tensor = self.of_neighbor(x)
        return x + mapped

    def forward(self, left: Tensor, right: Tensor, common: Tensor) -> Tensor:
        """(P, H), (P, H), (P, H) -> (P,)"""
        score: Tensor = self.last(self.beta * self._of_sums(common) + self.of_ends(left * right)).squeeze(-1)
        return score

    def _of_sums(self, common: Tensor) -> Tensor:
        """h_common of every sum; without dropout all pairs that share no neighbour have one value.  (P, H) -> (P, H)"""
        if self.training:
            mapped: Tensor = self.of_common(common)
            return mapped
        filled = common.any(dim=1).nonzero().flatten()
        place = torch.zeros(len(common), dtype=torch.int64)
        place[filled] = torch.arange(1, len(filled) + 1)
        return take_rows(self.of_common(torch.cat([common.new_zeros(1, common.shape[1]), common[filled]])), place)
