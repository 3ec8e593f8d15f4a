"""Random graphs with a given number of nodes and links and a heavy tail of degrees, in time and memory O(N + M)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from hlgnn.errors import SettingsError
from hlgnn.graph import Graph

if TYPE_CHECKING:
    from torch import Tensor

# Numbers drawn at a time: in double precision they are the largest temporary.
DRAWS_AT_ONCE = 1 << 22
ROUNDS = 100
BISECTIONS = 200


def heavy_tailed(
    num_nodes: int, num_links: int, largest_degree: int, generator: torch.Generator, *, tail: float = 0.5
) -> Graph:
    """A simple graph in which the node of rank r has an expected degree ∝ (r + s)^-tail (Chung and Lu, 2002).

    The shift s is chosen such that the first rank is expected ``largest_degree`` links; P(degree > d) then falls as
    d^(-1 / tail). Links that are drawn again and self-loops are dropped and replaced, which takes a few links from the
    largest nodes. Numbers of nodes say nothing about degrees, and no two neighbours are near each other in memory:
    to a product with the adjacency this is the worst order that there is.

    Args:
        num_nodes: N.
        num_links: M, exactly.
        largest_degree: About the degree of the largest node, above the mean.
        generator: Where the draws come from; the same state gives the same graph.
        tail: How fast degrees fall, between 0 and 1.

    Raises:
        SettingsError: If there is no such graph, or links are so many that drawing does not find them.

    Example:
        >>> graph = heavy_tailed(1000, 5000, 100, torch.Generator().manual_seed(0))
        >>> graph
        Graph(num_nodes=1000, num_links=5000)
        >>> 60 < int(graph.degree.max()) < 140
        True
    """
    _check(num_nodes, num_links, largest_degree, tail)
    shift = _shift(num_nodes, largest_degree / (2 * num_links), tail)
    place = torch.randperm(num_nodes, generator=generator).int()  # rank -> node
    ends, graph = torch.empty(2, 0, dtype=torch.int32), None
    for _ in range(ROUNDS):
        missing = num_links - (0 if graph is None else graph.num_links)
        if graph is not None and missing <= 0:
            return _trimmed(graph, -missing, generator)
        drawn = _draw(missing + missing // 20 + 64, num_nodes, shift, tail, place, generator)
        ends = torch.cat([ends, drawn], dim=1)
        graph = Graph.from_ends(num_nodes, ends[0], ends[1])
    raise SettingsError(
        f"{num_links} links with a largest degree of {largest_degree} were not found among {num_nodes} nodes.",
        hint="Ask for fewer links, or a smaller largest degree.",
    )


def _check(num_nodes: int, num_links: int, largest_degree: int, tail: float) -> None:
    if num_nodes < 2 or num_links < 1 or not 0 < tail < 1:
        raise SettingsError("A heavy tail needs two nodes, a link, and a tail between 0 and 1.")
    mean, most = 2 * num_links / num_nodes, most_ends(num_nodes, num_links, tail)
    if not mean < largest_degree < min(num_nodes, most):
        raise SettingsError(
            f"The largest degree is above the mean of {mean:.1f} and below {min(num_nodes, most):.0f}, "
            f"not {largest_degree}.",
            hint="With a tail nearer to one it can be larger.",
        )


def most_ends(num_nodes: int, num_links: int, tail: float) -> float:
    """What the first rank is expected to have without a shift: the largest degree that such a tail reaches."""
    return 2 * num_links / math.pow(num_nodes, 1 - tail)


def _shift(num_nodes: int, share: float, tail: float) -> float:
    """The s for which the first rank is one end in ``share`` of all draws: that share falls as s grows."""
    low, high = 1e-9, 1e9 * num_nodes
    for _ in range(BISECTIONS):
        middle = (low * high) ** 0.5
        start, power = middle ** (1 - tail), 1 - tail
        mass = ((middle + 1) ** power - start) / ((num_nodes + middle) ** power - start)
        low, high = (middle, high) if mass > share else (low, middle)
    return low


def _draw(count: int, num_nodes: int, shift: float, tail: float, place: Tensor, generator: torch.Generator) -> Tensor:
    """Two ends for each of ``count`` links, by the inverse of the distribution of ranks.  -> (2, count)"""
    power, ends = 1 - tail, torch.empty(2, count, dtype=torch.int32)
    start, stop = shift**power, (num_nodes + shift) ** power
    for part in ends.view(-1).split(DRAWS_AT_ONCE):
        uniform = torch.rand(len(part), generator=generator, dtype=torch.float64)
        rank = (uniform.mul_(stop - start).add_(start).pow_(1 / power) - shift).long()
        part[:] = place[rank.clamp_(0, num_nodes - 1)]
    return ends


def _trimmed(graph: Graph, surplus: int, generator: torch.Generator) -> Graph:
    """The same graph without ``surplus`` links, drawn uniformly."""
    if surplus == 0:
        return graph
    adjacency, keys = graph.adjacency, torch.empty(0, dtype=torch.int64)
    while len(keys) < surplus:
        edge = torch.randint(adjacency.num_edges, (2 * surplus + 64,), generator=generator)
        ends = torch.searchsorted(adjacency.offset, edge, right=True) - 1, adjacency.neighbor[edge].long()
        keys = torch.cat([keys, torch.minimum(*ends) * graph.num_nodes + torch.maximum(*ends)]).unique()
    keys = keys[torch.randperm(len(keys), generator=generator)[:surplus]]
    return graph.without_links(torch.stack([keys // graph.num_nodes, keys % graph.num_nodes], dim=1))
