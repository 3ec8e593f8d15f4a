"""What a head reads about a pair beside the representations of its ends, scaled to order one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.models.order_matrix import count_cosines, order_cosines
from hlgnn.models.pair_features import COUNT, Neighborhoods, pair_numbers

if TYPE_CHECKING:
    from hlgnn.graph import Graph
    from hlgnn.models.settings import HeadSettings

SAMPLE = 20_000


@dataclass(frozen=True, eq=False)
class PairView:
    """A message graph as numbers of pairs are computed from it.

    Attributes:
        neighborhoods: For degrees and common neighbours, or ``None``.
        units: A^l X of some orders in centred rows of length one (N, K, F), or ``None``.
    """

    neighborhoods: Neighborhoods | None
    units: Tensor | None

    def numbers(self, pairs: Tensor) -> Tensor:
        """All that there is to read.  (P, 2) -> (P, C)"""
        parts = [] if self.neighborhoods is None else [pair_numbers(self.neighborhoods, pairs)]
        if self.units is not None:
            parts.append(order_cosines(self.units, pairs))
        return torch.cat(parts, dim=1)


class PairReader(nn.Module):
    """The numbers, shifted and scaled to mean zero and deviation one over links and random pairs."""

    def __init__(self, graph: Graph, view: PairView, generator: torch.Generator) -> None:
        super().__init__()
        links = graph.links[torch.randperm(graph.num_links, generator=generator)[:SAMPLE]]
        others = torch.randint(max(1, graph.num_nodes), (max(2, len(links)), 2), generator=generator)
        sample = view.numbers(torch.cat([links, others]))
        self.register_buffer("mean", sample.mean(dim=0))
        self.register_buffer("deviation", sample.std(dim=0) + 1e-6)

    mean: Tensor
    deviation: Tensor

    def forward(self, view: PairView, pairs: Tensor) -> Tensor:
        """(P, 2) -> (P, C)"""
        return (view.numbers(pairs) - self.mean) / self.deviation


def count_numbers(settings: HeadSettings) -> int:
    """C: how many numbers a head reads."""
    return COUNT * settings.pair_features + count_cosines(settings.order_matrix)
