"""A few numbers about a pair that representations of its ends do not hold: degrees and common neighbours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.formulation.local_sums import local_sums
from hlgnn.formulation.normalization import Normalized, normalize

if TYPE_CHECKING:
    from hlgnn.graph import Graph

COUNT = 7
SAMPLE = 20_000


@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """What the numbers are computed from: a message graph without self-loops and weights.

    Attributes:
        pattern: The graph.
        values: What a common neighbour counts: one, and 1 / d.  (2, N)
    """

    pattern: Normalized
    values: Tensor


def neighborhoods(graph: Graph) -> Neighborhoods:
    """The view of a message graph."""
    pattern = normalize(replace(graph.adjacency, weight=None), self_loops=False)
    return Neighborhoods(pattern, torch.stack([torch.ones_like(pattern.inverse), pattern.inverse]))


def pair_numbers(view: Neighborhoods, pairs: Tensor) -> Tensor:
    """Logarithms of degrees, of common neighbours and of resource allocation, and Salton's index.  (P, 2) -> (P, 7)

    They are those of the message graph, so that a hidden link does not count for itself; symmetric in the ends.
    """
    common, allocation = local_sums(view.pattern, pairs, view.values).unbind(dim=1)
    degree = view.pattern.degree + 1
    left, right = degree[pairs[:, 0]], degree[pairs[:, 1]]
    columns = [
        (left * right).log(),
        (left / right).log().abs().log1p(),
        common.log1p(),
        (10 * allocation).log1p(),
        (allocation + 1e-3).log() / 3,
        common / (left * right).sqrt(),
        common.log1p() - 0.5 * (left * right).log(),
    ]
    return torch.stack(columns, dim=1).float()


class PairFeatures(nn.Module):
    """The numbers, scaled to mean zero and deviation one over links and random pairs of the graph to learn on."""

    def __init__(self, graph: Graph, generator: torch.Generator) -> None:
        super().__init__()
        links = graph.links[torch.randperm(graph.num_links, generator=generator)[:SAMPLE]]
        others = torch.randint(max(1, graph.num_nodes), (max(1, len(links)), 2), generator=generator)
        sample = pair_numbers(neighborhoods(graph), torch.cat([links, others]))
        self.register_buffer("mean", sample.mean(dim=0))
        self.register_buffer("deviation", sample.std(dim=0) + 1e-6)

    mean: Tensor
    deviation: Tensor

    def forward(self, view: Neighborhoods, pairs: Tensor) -> Tensor:
        """(P, 2) -> (P, 7)"""
        return (pair_numbers(view, pairs) - self.mean) / self.deviation
