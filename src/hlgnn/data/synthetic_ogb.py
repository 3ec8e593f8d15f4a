"""How large the benchmarks of OGB are, to measure speed and memory on random graphs of their sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hlgnn.data.ogb_cards import CITATION2, COLLAB, PPA
from hlgnn.data.synthetic_tail import heavy_tailed, most_ends
from hlgnn.registry import Registry

if TYPE_CHECKING:
    import torch

    from hlgnn.data.dataset import DatasetCard
    from hlgnn.graph import Graph

PARTS = ("train links", "valid links", "test links")


@dataclass(frozen=True)
class GraphSize:
    """What a random graph has in common with a benchmark.

    Attributes:
        name: The benchmark.
        num_nodes: N.
        num_links: M: those of all parts of the official split together.
        largest_degree: The degree of the largest node. OGB does not state it: the orders of magnitude are those that
            studies of these graphs report, and an assumption here.
        tail: How degrees fall with the rank: expected degrees ∝ (rank + shift)^-tail. An assumption too: one half is
            the tail of preferential attachment.
    """

    name: str
    num_nodes: int
    num_links: int
    largest_degree: int
    tail: float = 0.5

    def scaled(self, share: float) -> GraphSize:
        """The same mean degree with a share of the nodes; the largest degree is at most half of what there can be.

        Example:
            >>> SIZES["ogbl-ppa"].scaled(0.01)
            GraphSize(name='ogbl-ppa', num_nodes=5763, num_links=303263, largest_degree=2881, tail=0.5)
        """
        nodes = max(8, round(share * self.num_nodes))
        links = max(1, round(share * self.num_links))
        most = min(nodes, int(most_ends(nodes, links, self.tail))) // 2
        return replace(self, num_nodes=nodes, num_links=links, largest_degree=min(self.largest_degree, most))

    def graph(self, generator: torch.Generator) -> Graph:
        """A random graph of this size, without features."""
        return heavy_tailed(self.num_nodes, self.num_links, self.largest_degree, generator, tail=self.tail)


def _size(card: DatasetCard, largest_degree: int) -> GraphSize:
    return GraphSize(card.name, card.num_nodes, sum(card.counts[part] for part in PARTS), largest_degree)


SIZES: Registry[GraphSize] = Registry(
    "size",
    {
        COLLAB.name: replace(_size(COLLAB, 671), num_links=COLLAB.num_links),
        PPA.name: _size(PPA, 3_241),
        CITATION2.name: _size(CITATION2, 10_000),
    },
)
"""By the names of the benchmarks; collab has its training links only, whose repeats OGB counts."""
