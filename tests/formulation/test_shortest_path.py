"""Shortest paths equal those of networkx."""

import networkx as nx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from dense_matrices import all_pairs
from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.formulation.shortest_path import ShortestPath, nearest_links
from hlgnn.graph import Graph, complete, path
from strategies import graphs


def _distances(graph: Graph) -> dict[int, dict[int, int]]:
    plain = nx.Graph(graph.links.tolist())
    plain.add_nodes_from(range(graph.num_nodes))
    return dict(nx.all_pairs_shortest_path_length(plain))


def _expected(graph: Graph, pairs: torch.Tensor) -> list[float]:
    distances = _distances(graph)
    return [1 / max(1, distances[i][j]) if j in distances[i] else 0.0 for i, j in pairs.tolist()]


@given(graph=graphs(max_nodes=14, weighted=None), data=st.data())
def test_scores_are_inverse_distances(graph: Graph, data: st.DataObject) -> None:
    pairs = torch.tensor(data.draw(st.permutations(all_pairs(graph.num_nodes).tolist())))
    assert ShortestPath().scores(graph, pairs).tolist() == _expected(graph, pairs)


def test_one_search_for_many_targets_equals_many_searches() -> None:
    generator = torch.Generator().manual_seed(0)
    graph = Graph.from_edges(400, torch.randint(400, (500, 2), generator=generator))
    pairs = torch.cat([torch.stack([torch.full((400,), 3), torch.arange(400)], dim=1), all_pairs(400)[::977]])
    scores = ShortestPath().scores(graph, pairs)
    assert scores.tolist() == _expected(graph, pairs)
    assert ShortestPath().scores(graph, pairs.flip(1)).tolist() == scores.tolist()


def _brute(graph: Graph, k: int, node: int | None) -> list[tuple[float, int, int]]:
    distances = _distances(graph)
    missing = [
        (-1 / distances[i][j] if j in distances[i] else 0.0, i, j)
        for i in range(graph.num_nodes)
        for j in range(i + 1, graph.num_nodes)
        if distances[i].get(j) != 1 and node in {None, i, j}
    ]
    return sorted(missing)[:k]


@given(graph=graphs(max_nodes=12), k=st.integers(0, 80), data=st.data())
def test_the_nearest_missing_links_come_first(graph: Graph, k: int, data: st.DataObject) -> None:
    node = data.draw(st.none() | st.integers(0, graph.num_nodes - 1))
    best = nearest_links(graph, k, node=node)
    found = [(-score, i, j) for (i, j), score in zip(best.pairs.tolist(), best.scores.tolist(), strict=True)]
    assert found == _brute(graph, k, node)


def test_weights_do_not_count() -> None:
    links = torch.tensor([[0, 1], [1, 2]])
    weighted = Graph.from_edges(3, links, weight=torch.tensor([5.0, 0.1]))
    assert ShortestPath().scores(weighted, torch.tensor([[0, 2]])).item() == 0.5


def test_a_complete_graph_misses_nothing() -> None:
    assert len(nearest_links(complete(5), k=3)) == 0


def test_illegal_requests_are_refused() -> None:
    with pytest.raises(SettingsError):
        nearest_links(path(3), k=-1)
    with pytest.raises(GraphFormatError):
        nearest_links(path(3), k=1, node=3)
    with pytest.raises(SettingsError, match="suffice"):
        ShortestPath().scores(path(1000), torch.tensor([[0, 1]]), memory=100)
