"""What a graph looks like, in a dozen numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from hlgnn.graph import Graph


@dataclass(frozen=True)
class GraphSummary:
    """The size and shape of a graph.

    Attributes:
        nodes: N.
        links: M, each once.
        features: F.
        weighted: Whether links carry weights.
        isolated: Nodes without links.
        components: Connected components, isolated nodes included.
        largest_component: Nodes in the largest one.
        mean_degree: 2 M / N.
        median_degree: The degree that half of the nodes do not exceed.
        max_degree: The degree of the largest hub.
    """

    nodes: int
    links: int
    features: int
    weighted: bool
    isolated: int
    components: int
    largest_component: int
    mean_degree: float
    median_degree: float
    max_degree: int


def summarize(graph: Graph) -> GraphSummary:
    """Count what there is to count; no more work than a few passes over the links."""
    sizes = torch.bincount(graph.components()) if graph.num_nodes else torch.zeros(1, dtype=torch.int64)
    degree = graph.degree if graph.num_nodes else torch.zeros(1, dtype=torch.int64)
    return GraphSummary(
        nodes=graph.num_nodes,
        links=graph.num_links,
        features=graph.num_features,
        weighted=graph.link_weight is not None,
        isolated=int((graph.degree == 0).sum()),
        components=len(sizes),
        largest_component=int(sizes.max()),
        mean_degree=2 * graph.num_links / max(1, graph.num_nodes),
        median_degree=float(degree.median()),
        max_degree=int(degree.max()),
    )
