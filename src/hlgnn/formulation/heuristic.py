"""What every heuristic can do, whether it is an instance of the formulation or stands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph
    from hlgnn.progress import Progress


class Heuristic(Protocol):
    """A score for pairs of nodes that needs no training."""

    @property
    def name(self) -> str:
        """How it is asked for, and the column that it is written to."""

    @property
    def self_loops(self) -> bool:
        """Whether a node is its own neighbour: the paper's convention, not networkx's."""

    @property
    def symmetric(self) -> bool:
        """Whether s(i, j) = s(j, i) on every graph."""

    def scores(self, graph: Graph, pairs: Tensor, *, memory: int = ..., progress: Progress = ...) -> Tensor:
        """The score of each pair, in double precision, using about ``memory`` bytes at most.  (P, 2) -> (P,)"""
