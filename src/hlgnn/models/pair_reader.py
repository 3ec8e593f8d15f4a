"""What a head reads about a pair beside the representations of its ends, scaled to order one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.models.across import Across, across_names, across_numbers
from hlgnn.models.crowding import crowding_names, crowding_numbers
from hlgnn.models.known_numbers import KnownNumbers
from hlgnn.models.order_matrix import order_cosines, order_names
from hlgnn.models.pair_features import NAMES, Neighborhoods, pair_numbers
from hlgnn.models.profile import profile_names, profile_numbers
from hlgnn.models.regression import regression_names, regression_numbers
from hlgnn.models.walks import Walks, walk_names, walk_numbers

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
        crowded: How near nodes are to their nearest others and to their neighbours (N, 2 K), or ``None``.
        similar: As ``units``, propagated over links and alike nodes (N, K, F), or ``None``.
        walks: For walks between the ends, or ``None``.
        related: As ``units``, in the metric of the links (N, K, F), or ``None``.
        across: For cosines of each end with the neighbours of the other, or ``None``.
        profiles: What random walks know of each node (N, 2 L), or ``None``.
        explained: The graph as regressed on itself (K, N, N), or ``None``.
        known: Numbers of pairs that are evaluated more than once.
    """

    neighborhoods: Neighborhoods | None
    units: Tensor | None
    crowded: Tensor | None = None
    similar: Tensor | None = None
    walks: Walks | None = None
    related: Tensor | None = None
    across: Across | None = None
    profiles: Tensor | None = None
    explained: Tensor | None = None
    known: KnownNumbers = field(default_factory=KnownNumbers)

    def numbers(self, pairs: Tensor) -> Tensor:
        """All that there is to read.  (P, 2) -> (P, C)"""
        parts = [] if self.neighborhoods is None else [pair_numbers(self.neighborhoods, pairs)]
        if self.units is not None:
            parts.append(order_cosines(self.units, pairs))
        if self.crowded is not None:
            parts.append(crowding_numbers(self.crowded, pairs))
        if self.similar is not None:
            parts.append(order_cosines(self.similar, pairs))
        if self.walks is not None:
            parts.append(walk_numbers(self.walks, pairs))
        if self.related is not None:
            parts.append(order_cosines(self.related, pairs))
        if self.across is not None:
            parts.append(across_numbers(self.across, pairs))
        if self.profiles is not None:
            parts.append(profile_numbers(self.profiles, pairs))
        if self.explained is not None:
            parts.append(regression_numbers(self.explained, pairs))
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
        numbers = view.numbers(pairs) if self.training else view.known.of(pairs, view.numbers)
        return (numbers - self.mean) / self.deviation


def number_names(settings: HeadSettings) -> list[str]:
    """What the numbers of a pair are called, in their order."""
    names = list(NAMES) if settings.pair_features else []
    names += order_names(settings.order_matrix)
    names += crowding_names(settings.crowding)
    names += [f"{name}, alike nodes joined" for name in order_names(settings.similar)]
    names += walk_names(settings.walks)
    names += [f"{name}, in the metric of the links" for name in order_names(settings.metric)]
    names += across_names(settings.across) + profile_names(settings.profile)
    return names + regression_names(settings.regression)


def count_numbers(settings: HeadSettings) -> int:
    """C: how many numbers a head reads."""
    return len(number_names(settings))
