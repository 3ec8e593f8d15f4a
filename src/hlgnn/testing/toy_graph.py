"""A small graph that has everything that a method may stumble over."""

from __future__ import annotations

import torch

from hlgnn.graph import Graph

GROUPS, SIZE, ISOLATED = 3, 12, 2
INSIDE, BETWEEN = 0.5, 0.04


def toy_graph(seed: int = 0) -> Graph:
    """Three groups with many links inside and few between, noisy features that tell them apart, and isolated nodes."""
    generator = torch.Generator().manual_seed(seed)
    nodes = torch.arange(GROUPS * SIZE + ISOLATED)
    same = nodes[:, None] // SIZE == nodes // SIZE
    linked = torch.rand(same.shape, generator=generator) < torch.where(same, INSIDE, BETWEEN)
    linked[-ISOLATED:] = False
    linked[:, -ISOLATED:] = False
    hint = torch.nn.functional.one_hot(nodes // SIZE, GROUPS + 1).float()
    noise = torch.randn(len(nodes), 2 * GROUPS, generator=generator)
    features = torch.cat([hint, noise], dim=1)  # (N, F)
    return Graph.from_edges(len(nodes), linked.triu(1).nonzero(), features=features)


def relabelled(graph: Graph, order: torch.Tensor) -> Graph:
    """The same graph whose node ``order[i]`` is called i now.  (N,)"""
    place = torch.empty_like(order)
    place[order] = torch.arange(len(order))
    features = graph.features
    rows = features[order] if isinstance(features, torch.Tensor) else None
    return Graph.from_edges(graph.num_nodes, place[graph.links], features=rows)
