"""A few numbers about a pair that representations of its ends do not hold: degrees and common neighbours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.local_sums import local_sums
from hlgnn.formulation.normalization import Normalized, normalize

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph

NAMES = (
    "logarithm of the product of the degrees",
    "difference of the degrees",
    "logarithm of common neighbours",
    "logarithm of resource allocation",
    "logarithm of resource allocation, small values apart",
    "Salton's index",
    "logarithm of common neighbours beyond what degrees explain",
)


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
