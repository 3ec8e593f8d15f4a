"""The graph agrees with networkx, and renumbering its nodes commutes with everything it does."""

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_array, issparse

from hlgnn.errors import GraphFormatError
from hlgnn.graph import Graph, NodeIds, complete, karate_club, path, to_networkx
from strategies import graphs


def pairs_of(graph: Graph) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in graph.links.tolist()}


def dense(features: object) -> np.ndarray:
    return features.toarray() if issparse(features) else features.numpy()


def renumbered(graph: Graph, place: torch.Tensor) -> Graph:
    """The same graph with node i called place[i]."""
    order = place.argsort().numpy()
    return Graph.from_edges(
        graph.num_nodes,
        place[graph.links],
        weight=graph.link_weight,
        features=None if graph.features is None else graph.features[order],
        node_ids=graph.node_ids.take(order),
    )


@given(
    num_nodes=st.integers(1, 12),
    edges=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40),
)
def test_edges_in_any_order_direction_and_number_give_the_simple_graph(
    num_nodes: int, edges: list[tuple[int, int]]
) -> None:
    inside = [(i, j) for i, j in edges if max(i, j) < num_nodes]
    graph = Graph.from_edges(num_nodes, torch.tensor(inside, dtype=torch.int64).reshape(-1, 2))
    oracle = nx.Graph()
    oracle.add_nodes_from(range(num_nodes))
    oracle.add_edges_from((i, j) for i, j in inside if i != j)
    assert graph.num_links == oracle.number_of_edges()
    assert pairs_of(graph) == {frozenset(edge) for edge in oracle.edges}
    assert graph.degree.tolist() == [oracle.degree(node) for node in range(num_nodes)]
    components = list(nx.connected_components(oracle))
    assert len(graph.components().unique()) == len(components)
    assert len(graph.largest_component()) == max(map(len, components))


@given(graph=graphs(min_nodes=1, max_nodes=12))
def test_links_are_ascending_and_found_in_both_directions(graph: Graph) -> None:
    links = graph.links
    assert (links[:, 0] < links[:, 1]).all()
    assert links.tolist() == sorted(links.tolist())
    every = torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes)).reshape(-1, 2)
    expected = [frozenset(pair) in pairs_of(graph) for pair in every.tolist()]
    assert graph.has_links(every).tolist() == expected
    assert graph.has_links(every.flip(1)).tolist() == expected
    assert graph.has_links(every.int()).tolist() == expected


@given(graph=graphs(min_nodes=1, max_nodes=10), data=st.data())
def test_renumbering_commutes_with_everything(graph: Graph, data: st.DataObject) -> None:
    place = torch.tensor(data.draw(st.permutations(range(graph.num_nodes))))
    other = renumbered(graph, place)
    assert pairs_of(other) == {frozenset(place[list(pair)].tolist()) for pair in pairs_of(graph)}
    assert other.degree[place].tolist() == graph.degree.tolist()
    assert [other.node_ids[int(place[i])] for i in range(graph.num_nodes)] == list(graph.node_ids)
    every = torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes)).reshape(-1, 2)
    assert other.has_links(place[every]).tolist() == graph.has_links(every).tolist()
    same_component = (graph.components()[every[:, 0]] == graph.components()[every[:, 1]]).tolist()
    moved = other.components()[place[every]]
    assert (moved[:, 0] == moved[:, 1]).tolist() == same_component
    if graph.features is not None:
        assert np.array_equal(dense(other.features)[place.numpy()], dense(graph.features))
    if graph.link_weight is not None:
        weight = {
            frozenset(place[link].tolist()): float(w) for link, w in zip(graph.links, graph.link_weight, strict=True)
        }
        assert {frozenset(p.tolist()): float(w) for p, w in zip(other.links, other.link_weight, strict=True)} == weight


@given(graph=graphs(min_nodes=2, max_nodes=10), data=st.data())
def test_a_subgraph_keeps_ids_features_and_weights(graph: Graph, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, graph.num_nodes - 1), min_size=1, unique=True))
    part = graph.subgraph(torch.tensor(chosen))
    oracle = to_networkx(graph.without_features()).subgraph([graph.node_ids[node] for node in chosen])
    links = {frozenset((part.node_ids[i], part.node_ids[j])) for i, j in part.links.tolist()}
    assert links == {frozenset(edge) for edge in oracle.edges}
    if part.link_weight is not None:
        for (i, j), weight in zip(part.links.tolist(), part.link_weight.tolist(), strict=True):
            assert oracle.edges[part.node_ids[i], part.node_ids[j]]["weight"] == weight
    if graph.features is not None:
        assert np.array_equal(dense(part.features), dense(graph.features)[chosen])


@given(graph=graphs(min_nodes=2, max_nodes=10), data=st.data())
def test_keeping_links_then_joining_the_rest_gives_the_same_links(graph: Graph, data: st.DataObject) -> None:
    assume(graph.num_links > 0)
    mask = torch.tensor(data.draw(st.lists(st.booleans(), min_size=graph.num_links, max_size=graph.num_links)))
    kept, rest = graph.keep_links(mask), graph.keep_links(~mask)
    assert pairs_of(kept) | pairs_of(rest) == pairs_of(graph)
    assert not pairs_of(kept) & pairs_of(rest)


def test_weights_of_repeats_add_up_and_both_directions_do_not_count_twice() -> None:
    edges = torch.tensor([[0, 1], [1, 0], [1, 2], [1, 2], [2, 1]])
    graph = Graph.from_edges(3, edges, weight=torch.tensor([2.0, 2.0, 1.0, 3.0, 5.0]))
    assert graph.links.tolist() == [[0, 1], [1, 2]]
    assert graph.link_weight.tolist() == [2.0, 5.0]


def test_known_graphs() -> None:
    assert karate_club().num_links == 78
    assert complete(5).num_links == 10
    assert path(4).degree.tolist() == [1, 2, 2, 1]
    assert repr(karate_club()) == "Graph(num_nodes=34, num_links=78)"


def test_an_empty_graph() -> None:
    graph = Graph.from_edges(3, torch.empty(0, 2, dtype=torch.int64))
    assert graph.num_links == 0
    assert graph.has_links(torch.tensor([[0, 1]])).tolist() == [False]
    assert graph.links.shape == (0, 2)
    assert len(graph.largest_component()) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Graph.from_edges(2, torch.tensor([[0, 5]])), "5"),
        (lambda: Graph.from_edges(2, torch.tensor([0, 1])), "shape"),
        (lambda: Graph.from_edges(2, torch.tensor([[0, 1]]), weight=torch.ones(2)), "weights"),
        (lambda: Graph.from_edges(2, torch.tensor([[0, 1]]), features=torch.ones(3, 1)), "3 rows of features"),
        (lambda: Graph.from_edges(2, torch.tensor([[0, 1]]), node_ids=NodeIds.range(3)), "3 node ids"),
    ],
)
def test_what_does_not_fit_together_is_refused(make, message: str) -> None:
    with pytest.raises(GraphFormatError, match=message):
        make()


def test_sparse_features_stay_sparse() -> None:
    features = csr_array(np.eye(3, dtype=np.float32))
    graph = Graph.from_edges(3, torch.tensor([[0, 1], [1, 2]]), features=features)
    assert issparse(graph.subgraph(torch.tensor([2, 0])).features)
    assert graph.num_features == 3


@pytest.mark.parametrize("weight", [-1.0, 0.0, float("nan"), float("inf"), 1e-60, 1e60])
def test_weights_are_positive_numbers(weight: float) -> None:
    edges = torch.tensor([[0, 1], [1, 2]])
    with pytest.raises(GraphFormatError, match="positive number") as caught:
        Graph.from_edges(3, edges, weight=torch.tensor([1.0, weight], dtype=torch.float64))
    assert caught.value.where == "edge 1"


@pytest.mark.parametrize("edges", [torch.rand(3, 2), torch.ones(3, 2, dtype=torch.bool)])
def test_edges_are_integers(edges: torch.Tensor) -> None:
    with pytest.raises(GraphFormatError, match="are integers, not"):
        Graph.from_edges(3, edges)


def test_no_edges_may_have_any_type() -> None:
    assert Graph.from_edges(3, torch.empty(0, 2)).num_links == 0


def test_a_number_of_nodes_is_not_negative() -> None:
    with pytest.raises(GraphFormatError, match="cannot have -1 nodes"):
        Graph.from_edges(-1, torch.empty(0, 2, dtype=torch.int64))


@pytest.mark.parametrize(
    ("nodes", "message"),
    [([0, 1, 0], "node 0 is named more than once"), ([0, 4], "no node 4"), ([-1], "no node -1"), ([0.0], "integers")],
)
def test_a_subgraph_has_nodes_of_the_graph_once(nodes: list[int], message: str) -> None:
    graph = Graph.from_edges(4, torch.tensor([[0, 1], [1, 2]]))
    with pytest.raises(GraphFormatError, match=message):
        graph.subgraph(torch.tensor(nodes))


def test_a_subgraph_without_nodes_is_empty() -> None:
    assert Graph.from_edges(4, torch.tensor([[0, 1]])).subgraph(torch.tensor([])).num_nodes == 0
