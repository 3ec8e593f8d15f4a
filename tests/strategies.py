"""Hypothesis strategies for what the package works on."""

import torch
from hypothesis import strategies as st

from hlgnn.graph.graph import Graph
from hlgnn.graph.node_ids import NodeIds

WEIGHTS = (0.1, 0.5, 1.0, 2.0, 3.5, 1000.0)


@st.composite
def graphs(
    draw: st.DrawFn,
    *,
    min_nodes: int = 1,
    max_nodes: int = 12,
    min_links: int = 0,
    weighted: bool | None = None,
    with_features: bool | None = None,
    labelled: bool | None = False,
) -> Graph:
    """Graphs with any links, often with isolated nodes; ``None`` means that either may be drawn.

    Args:
        draw: Given by hypothesis.
        min_nodes: The smallest number of nodes.
        max_nodes: The largest number of nodes.
        min_links: The smallest number of links; there must be room for them among the fewest nodes.
        weighted: Whether links carry weights; at least one of them is not one.
        with_features: Whether nodes carry features, dense ones of whole quarters.
        labelled: Whether node ids are text or large integers instead of positions.
    """
    num_nodes = draw(st.integers(min_nodes, max_nodes))
    pairs = [(i, j) for j in range(num_nodes) for i in range(j)]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=min_links, unique=True)) if pairs else []
    links = torch.tensor(chosen, dtype=torch.int64).view(-1, 2)
    return Graph.from_edges(
        num_nodes,
        links,
        weight=draw(_weights(len(links))) if _decide(draw, weighted) and chosen else None,
        features=draw(_features(num_nodes)) if _decide(draw, with_features) else None,
        node_ids=NodeIds.from_labels(draw(_labels(num_nodes))) if _decide(draw, labelled) else None,
    )


def _decide(draw: st.DrawFn, wish: bool | None) -> bool:
    return draw(st.booleans()) if wish is None else wish


def _weights(count: int) -> st.SearchStrategy[torch.Tensor]:
    drawn = st.lists(st.sampled_from(WEIGHTS), min_size=count, max_size=count)
    return drawn.filter(lambda weights: set(weights) != {1.0}).map(torch.tensor)


@st.composite
def _features(draw: st.DrawFn, num_nodes: int) -> torch.Tensor:
    width = draw(st.integers(1, 3))
    size = num_nodes * width
    quarters = draw(st.lists(st.integers(-8, 8), min_size=size, max_size=size))
    return torch.tensor(quarters, dtype=torch.float32).view(num_nodes, width) / 4


def _labels(count: int) -> st.SearchStrategy[list[str] | list[int]]:
    text = st.lists(st.text(st.characters(categories=["L"]), min_size=1), min_size=count, max_size=count, unique=True)
    numbers = st.lists(st.integers(10**6, 10**12), min_size=count, max_size=count, unique=True)
    return text | numbers
