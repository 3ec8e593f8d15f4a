"""Graphs with as many nodes, links and features as asked for, and no other structure."""

from __future__ import annotations

import torch

from hlgnn.errors import SettingsError
from hlgnn.graph import Graph

SPARSE = 4
"""How many pairs there are for each link where pairs are drawn one by one."""


def random_graph(num_nodes: int, num_links: int, num_features: int, generator: torch.Generator) -> Graph:
    """Links drawn uniformly without repeats, and normal features; no features if there are to be none.

    Raises:
        SettingsError: If there are fewer pairs of nodes than links.

    Example:
        >>> random_graph(10, 20, 3, torch.Generator().manual_seed(0))
        Graph(num_nodes=10, num_links=20, num_features=3)
    """
    pairs = num_nodes * (num_nodes - 1) // 2
    if num_links > pairs:
        raise SettingsError(f"{num_nodes} nodes have {pairs} pairs, not {num_links}.", where="links")
    draw = _sparse_draw if SPARSE * num_links < pairs else _dense_draw
    links = draw(num_nodes, num_links, generator)
    features = torch.randn(num_nodes, num_features, generator=generator) if num_features else None
    return Graph.from_edges(num_nodes, links, features=features)


def _dense_draw(num_nodes: int, num_links: int, generator: torch.Generator) -> torch.Tensor:
    """Some of all pairs.  (M, 2)"""
    pairs = torch.triu_indices(num_nodes, num_nodes, offset=1).T
    return pairs[torch.randperm(len(pairs), generator=generator)[:num_links]]


def _sparse_draw(num_nodes: int, num_links: int, generator: torch.Generator) -> torch.Tensor:
    """Pairs drawn one by one until enough differ; of those the first ones in a random order.  (M, 2)"""
    found = torch.empty(0, dtype=torch.int64)
    while len(found) < num_links:
        drawn = torch.randint(num_nodes, (2 * num_links, 2), generator=generator).sort(dim=1).values
        drawn = drawn[drawn[:, 0] < drawn[:, 1]]
        found = torch.cat([found, drawn[:, 0] * num_nodes + drawn[:, 1]]).unique()
    kept = found[torch.randperm(len(found), generator=generator)[:num_links]]
    return torch.stack([kept // num_nodes, kept % num_nodes], dim=1)
