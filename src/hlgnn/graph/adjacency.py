"""The links of an undirected simple graph as compressed rows: the only thing that kernels see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, eq=False)
class Adjacency:
    """Compressed rows (CSR) of a symmetric pattern without self-loops; each link is stored as two edges.

    Attributes:
        offset: Where each row starts in ``neighbor``.  (N + 1,), int64
        neighbor: The neighbours of node 0, then of node 1, …; ascending within a row.  (E,), int32
        weight: The weight of each stored edge, or ``None`` when all are one.  (E,), float32
    """

    offset: Tensor
    neighbor: Tensor
    weight: Tensor | None = None

    @property
    def num_nodes(self) -> int:
        """N."""
        return len(self.offset) - 1

    @property
    def num_edges(self) -> int:
        """E, twice the number of links."""
        return len(self.neighbor)

    @cached_property
    def degree(self) -> Tensor:
        """Number of neighbours of each node.  (N,), int64"""
        return self.offset.diff()

    @cached_property
    def source(self) -> Tensor:
        """The node whose row each stored edge is in.  (E,), int64"""
        return torch.repeat_interleave(torch.arange(self.num_nodes), self.degree, output_size=self.num_edges)

    @cached_property
    def _forward(self) -> Tensor:
        """Which stored edges lead to a larger node: one for each link.  (E,), bool"""
        return self.source < self.neighbor

    @cached_property
    def links(self) -> Tensor:
        """Each link once, smaller node first, in ascending order.  (M, 2), int64"""
        forward = self._forward
        return torch.stack([self.source[forward], self.neighbor[forward].long()], dim=1)

    @cached_property
    def link_weight(self) -> Tensor | None:
        """The weight of each of ``links``, or ``None`` when all are one.  (M,), float32"""
        return None if self.weight is None else self.weight[self._forward]

    def find_edges(self, pairs: Tensor) -> Tensor:
        """Position of each pair among the stored edges, or −1 where there is no such link.  (P, 2) -> (P,)

        A bisection of all rows at once: ⌈log₂ max degree⌉ steps of P look-ups and no table of N × N.
        """
        source, target = pairs[:, 0].long(), pairs[:, 1].long()
        if self.num_edges == 0:
            return torch.full_like(source, -1)
        low, stop = self.offset[source], self.offset[source + 1]  # (P,)
        high = stop.clone()
        for _ in range(int(self.degree.max()).bit_length()):
            middle = (low + high) // 2
            below = (self.neighbor[middle.clamp(max=self.num_edges - 1)] < target) & (low < high)
            low = torch.where(below, middle + 1, low)
            high = torch.where(below, high, middle)
        found = (low < stop) & (self.neighbor[low.clamp(max=self.num_edges - 1)] == target)
        return torch.where(found, low, -1)

    def has_links(self, pairs: Tensor) -> Tensor:
        """Whether each pair is a link, in either direction.  (P, 2) -> (P,), bool"""
        return self.find_edges(pairs) >= 0

    def without_links(self, pairs: Tensor) -> Adjacency:
        """The same rows without the links between these pairs; pairs that are none are ignored.  (P, 2)

        Rows stay in order, so that nothing is sorted or built again: one byte for each stored edge is all it takes.
        """
        kept = torch.ones(self.num_edges, dtype=torch.bool)
        for direction in (pairs, pairs.flip(1)):
            edge = self.find_edges(direction)
            kept[edge[edge >= 0]] = False
        gone = (~kept).nonzero().flatten()  # (R,), ascending
        weight = None if self.weight is None else self.weight[kept]
        return Adjacency(self.offset - torch.searchsorted(gone, self.offset), self.neighbor[kept], weight)
