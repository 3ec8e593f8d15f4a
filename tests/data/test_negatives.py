"""Negatives are no links, are distinct, and are drawn as their names say."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.data.negatives import degree_matched, uniform
from hlgnn.errors import SplitError
from hlgnn.graph import Graph, complete, star
from strategies import graphs


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@given(graph=graphs(min_nodes=2, max_nodes=12), seed=st.integers(0, 2**32), share=st.floats(0, 1))
def test_uniform_negatives_are_distinct_ordered_pairs_that_are_no_links(graph: Graph, seed: int, share: float) -> None:
    available = graph.num_nodes * (graph.num_nodes - 1) // 2 - graph.num_links
    count = int(share * available)
    pairs = uniform(graph, count, generator(seed))
    assert pairs.shape == (count, 2)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert not graph.has_links(pairs).any()
    assert len(pairs.unique(dim=0)) == count


def test_all_non_links_can_be_drawn() -> None:
    pairs = uniform(star(leaves=6), 15, generator())
    assert sorted(map(tuple, pairs.tolist())) == [(i, j) for i in range(1, 7) for j in range(i + 1, 7)]


def test_uniform_negatives_are_uniform() -> None:
    graph = star(leaves=40)  # 780 non-links among the leaves
    counts = torch.zeros(41)
    for seed in range(400):
        counts += torch.bincount(uniform(graph, 20, generator(seed)).flatten(), minlength=41)
    assert counts[0] == 0
    expected = 400 * 20 * 2 / 40  # each leaf 400 times, standard deviation below 20
    assert (counts[1:] - expected).abs().max() < 5 * 20


def test_more_negatives_than_there_are_is_an_error() -> None:
    with pytest.raises(SplitError, match="only 0 pairs"):
        uniform(complete(5), 1, generator())


def test_a_large_sparse_graph_needs_no_square() -> None:
    size = 3_000_000
    graph = Graph.from_edges(size, torch.tensor([[0, size - 1]]))
    pairs = uniform(graph, 1000, generator())
    assert len(pairs) == 1000
    assert int(pairs.max()) > size // 2


def test_degree_matched_negatives_have_the_degrees_of_the_positives() -> None:
    hubs, leaves = 10, 400
    edges = torch.cartesian_prod(torch.arange(hubs), torch.arange(hubs, hubs + leaves))
    keep = torch.rand(len(edges), generator=generator()) < 0.3
    graph = Graph.from_edges(hubs + leaves, edges[keep])
    pairs = degree_matched(graph, graph.links, generator(1))
    assert not graph.has_links(pairs).any()
    assert len(pairs.unique(dim=0)) == len(graph.links)
    matched, plain = (
        graph.degree[pairs].double().mean(),
        graph.degree[uniform(graph, 1000, generator(2))].double().mean(),
    )
    target = graph.degree[graph.links].double().mean()
    assert abs(matched - target) < abs(plain - target) / 2


def test_degree_matched_negatives_that_cannot_be_found_are_an_error() -> None:
    graph = complete(4)
    with pytest.raises(SplitError, match="nearly all linked"):
        degree_matched(graph, graph.links, generator())
