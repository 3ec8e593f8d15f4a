"""Trivial predictors equal networkx and numpy."""

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.data import LinkSet
from hlgnn.evaluation import TRIVIAL, common_neighbors, degree_product, feature_cosine, score_links
from hlgnn.graph import Graph, karate_club, to_networkx
from strategies import graphs


def different_pairs(graph: Graph) -> torch.Tensor:
    pairs = torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes)).reshape(-1, 2)
    return pairs[pairs[:, 0] != pairs[:, 1]]


@given(graph=graphs(min_nodes=2, max_nodes=10))
def test_common_neighbors_and_degrees_equal_networkx(graph: Graph) -> None:
    oracle = nx.Graph()
    oracle.add_nodes_from(range(graph.num_nodes))
    oracle.add_edges_from(graph.links.tolist())
    pairs = different_pairs(graph)
    expected = [len(list(nx.common_neighbors(oracle, i, j))) for i, j in pairs.tolist()]
    assert common_neighbors(graph, pairs).tolist() == expected
    products = [score for _, _, score in nx.preferential_attachment(oracle, pairs.tolist())]
    assert degree_product(graph, pairs).tolist() == products


@given(graph=graphs(min_nodes=2, max_nodes=10, with_features=True))
def test_cosine_of_features(graph: Graph) -> None:
    rows = graph.features.numpy() if isinstance(graph.features, torch.Tensor) else graph.features.toarray()
    rows = rows.astype(float)
    pairs = different_pairs(graph)
    for (i, j), score in zip(pairs.tolist(), feature_cosine(graph, pairs).tolist(), strict=True):
        lengths = np.linalg.norm(rows[i]) * np.linalg.norm(rows[j])
        assert score == pytest.approx(rows[i] @ rows[j] / lengths if lengths > 0 else 0.0, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("name", list(TRIVIAL))
@given(graph=graphs(min_nodes=2, max_nodes=10), data=st.data())
def test_renumbering_commutes(name: str, graph: Graph, data: st.DataObject) -> None:
    place = torch.tensor(data.draw(st.permutations(range(graph.num_nodes))))
    order = place.argsort().numpy()
    features = None if graph.features is None else graph.features[order]
    other = Graph.from_edges(graph.num_nodes, place[graph.links], features=features)
    pairs = different_pairs(graph)
    plain = TRIVIAL[name](graph.with_links(graph.links), pairs)
    assert torch.allclose(TRIVIAL[name](other, place[pairs]), plain)


def test_scores_keep_the_shape_of_own_negatives() -> None:
    graph = karate_club()
    negative = torch.randint(34, (3, 5, 2), generator=torch.Generator().manual_seed(0))
    scores, others = score_links(common_neighbors, graph, LinkSet(graph.links[:3], negative))
    assert (scores.shape, others.shape) == ((3,), (3, 5))
    assert torch.equal(others[1], common_neighbors(graph, negative[1]))
    assert to_networkx(graph).number_of_edges() == 78


def test_a_hub_costs_no_more_than_its_links() -> None:
    leaves = 100_000
    graph = Graph.from_edges(
        leaves + 1, torch.stack([torch.zeros(leaves, dtype=torch.int64), torch.arange(1, leaves + 1)], 1)
    )
    pairs = torch.stack([torch.zeros(20_000, dtype=torch.int64), torch.arange(1, 20_001)], dim=1)
    assert common_neighbors(graph, pairs).sum() == 0  # rows of the hub side by side would take gigabytes
    assert common_neighbors(graph, pairs.roll(1, dims=0)[:, [1, 1]] + torch.tensor([0, 1])).unique().tolist() == [1.0]
