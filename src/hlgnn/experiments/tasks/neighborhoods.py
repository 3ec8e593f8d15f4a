"""Sets of neighbours, and the walks that lead from one to the next: what heuristics are made of as people read them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.graph import Graph

Row = NDArray[np.float64]

DAMPING = 0.5
"""γ times the largest d̃."""


@dataclass(frozen=True)
class Neighborhoods:
    """Γ of every node.

    Attributes:
        sets: Γ_i, each with i itself.
    """

    sets: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, graph: Graph) -> Neighborhoods:
        """From the list of links."""
        members: list[set[int]] = [{node} for node in range(graph.num_nodes)]
        for i, j in graph.links.tolist():
            members[i].add(j)
            members[j].add(i)
        return cls(tuple(frozenset(each) for each in members))

    @cached_property
    def degree(self) -> Row:
        """d̃.  (N,)"""
        return np.array([len(each) for each in self.sets], dtype=np.float64)

    @cached_property
    def num_links(self) -> int:
        """M."""
        return sum(len(each) - 1 for each in self.sets) // 2

    @property
    def gamma(self) -> float:
        """γ of the endless sums: small enough for this graph, since no eigenvalue of Ã exceeds the largest d̃."""
        return DAMPING / float(self.degree.max())

    def walks(self, node: int) -> Iterator[Row]:
        """How many walks of length 0, 1, 2, … lead from ``node`` to every node."""
        return self._spread(node, np.ones_like(self.degree), np.ones_like(self.degree))

    def visits(self, node: int) -> Iterator[Row]:
        """Where a walker is found who has left ``node`` 0, 1, 2, … steps ago, each step to a random member of Γ."""
        return self._spread(node, 1 / self.degree, np.ones_like(self.degree))

    def flows(self, node: int) -> Iterator[Row]:
        """The same with a share of 1 / √(d̃_i d̃_j) in each step, which is no probability."""
        return self._spread(node, 1 / np.sqrt(self.degree), 1 / np.sqrt(self.degree))

    def _spread(self, node: int, given: Row, taken: Row) -> Iterator[Row]:
        """Every node gives each member of Γ the share ``given`` of what it has, which takes the share ``taken``."""
        values = np.zeros(len(self.sets))
        values[node] = 1.0
        while True:
            yield values
            sent = (values * given)[self._source]
            values = taken * np.bincount(self._target, weights=sent, minlength=len(self.sets))

    @cached_property
    def _source(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.sets)), [len(each) for each in self.sets])

    @cached_property
    def _target(self) -> NDArray[np.int64]:
        return np.array([member for each in self.sets for member in each], dtype=np.int64)
