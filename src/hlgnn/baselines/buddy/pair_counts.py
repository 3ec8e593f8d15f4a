"""All numbers of a pair on one message graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch

from hlgnn.baselines.buddy.balls import Balls, build_balls
from hlgnn.baselines.buddy.sketches import Sketches, build_sketches
from hlgnn.baselines.buddy.structure import CLASSES, blanked, class_counts, mirrored, published_slips
from hlgnn.formulation.local_sums import local_sums
from hlgnn.formulation.normalization import Normalized, normalize

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.baselines.buddy.settings import BuddySettings
    from hlgnn.graph import Graph


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Neighbourhoods and degrees of a message graph.

    Attributes:
        neighborhoods: Sketches, or the sets themselves.
        pattern: The graph without weights and self-loops.
        settings: Which numbers are asked for.
    """

    neighborhoods: Sketches | Balls
    pattern: Normalized
    settings: BuddySettings

    def numbers(self, pairs: Tensor) -> Tensor:
        """Counts by class, and the same divided by √(d_i d_j) if asked for.  (P, 2) -> (P, C), float32"""
        settings, sizes, (left, right) = self.settings, self.neighborhoods.sizes, pairs.T
        counts = class_counts(self.neighborhoods.intersections(pairs), sizes[left], sizes[right])  # (P, C)
        if settings.form == "published":
            counts = published_slips(counts, settings.hops)
        if not settings.zero_one:
            counts[:, blanked(settings.hops, settings.form)] = 0.0
        if settings.normed:
            root = self.pattern.root
            counts = torch.cat([counts, counts * (root[left] * root[right])[:, None]], dim=1)
        return counts.float()

    def allocation(self, pairs: Tensor) -> Tensor:
        """Σ 1 / d over common neighbours.  (P, 2) -> (P, 1), float32"""
        return local_sums(self.pattern, pairs, self.pattern.inverse[None]).float()


def pair_counts(graph: Graph, settings: BuddySettings) -> PairCounts:
    """The view of a message graph."""
    exact = settings.counting == "exact"
    neighborhoods = build_balls(graph, settings.hops) if exact else build_sketches(graph, settings)
    return PairCounts(neighborhoods, normalize(replace(graph.adjacency, weight=None), self_loops=False), settings)


def count_columns(settings: BuddySettings) -> int:
    """C: how many numbers there are."""
    return len(CLASSES[settings.hops]) * (1 + settings.normed)


def mirror_columns(settings: BuddySettings) -> list[int]:
    """The column of each number as the other end sees it."""
    mirror = mirrored(settings.hops)
    return mirror + [len(mirror) + column for column in mirror] if settings.normed else mirror
