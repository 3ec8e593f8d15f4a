"""The triangular and the hexagonal network of the case study (Sect. 5.5), as data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.data.dataset import Dataset
from hlgnn.graph.toy_graphs import hexagons, triangles
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.graph import Graph


@dataclass(frozen=True)
class RingNetwork:
    """A network of separate rings.

    Attributes:
        name: What it is called.
        ring: How many nodes form a ring.
        build: Makes the graph from a number of nodes.
    """

    name: str
    ring: int
    build: Callable[[int], Graph]

    @property
    def order(self) -> int:
        """The length of the one path between the ends of a missing link: the order that a heuristic needs."""
        return self.ring - 1

    def dataset(self, num_nodes: int = 1000) -> Dataset:
        """The network without features, measured in AUC.

        Example:
            >>> RING_NETWORKS["hexagonal"].dataset().graph
            Graph(num_nodes=1000, num_links=996)
        """
        return Dataset(self.name, self.build(num_nodes), "auc")


RING_NETWORKS: Registry[RingNetwork] = Registry(
    "ring network",
    {
        "triangular": RingNetwork("triangular", 3, triangles),
        "hexagonal": RingNetwork("hexagonal", 6, hexagons),
    },
)
"""Both networks by name."""
