"""Scores of all pairs as a matrix product."""

import pytest
import torch
from torch.testing import assert_close

from hlgnn.errors import SettingsError
from hlgnn.graph import Graph, karate_club
from hlgnn.models import HLGNN, HLGNNSettings, LinkModel
from hlgnn.models.dense_product import matrix_product
from hlgnn.models.feature_cosine import FeatureCosine
from hlgnn.models.frozen_encoder import FrozenEncoder, FrozenSettings
from hlgnn.settings import parse_settings

PRODUCTS, OTHERS = ("dot", "cosine", "diagonal"), ("mlp", "residual")


def graph_with_features() -> Graph:
    club = karate_club()
    features = torch.rand(club.num_nodes, 5, generator=torch.Generator().manual_seed(3))
    return Graph(club.adjacency, features=features, node_ids=club.node_ids)


def model(kind: str, **others: object) -> HLGNN:
    values = {"input": {"hidden": 8}, "propagation": {"depth": 3}, "head": {"kind": kind, "hidden": 4}, **others}
    return HLGNN(graph_with_features(), parse_settings(HLGNNSettings, values), torch.Generator().manual_seed(0))


def all_pairs(found: LinkModel, state: object, count: int) -> torch.Tensor:
    nodes = torch.arange(count)
    return found.score(state, torch.cartesian_prod(nodes, nodes)).view(count, count)


@pytest.mark.parametrize("path", ["plain", "once", "spectral"])
@pytest.mark.parametrize("kind", PRODUCTS + OTHERS)
def test_rows_are_the_scores_of_their_pairs(kind: str, path: str) -> None:
    graph, found = graph_with_features(), model(kind, path=path).eval()
    state = found.encode(found.prepare(graph))
    assert (found.product_form(state) is not None) == (kind in PRODUCTS)
    expected = all_pairs(found, state, graph.num_nodes)
    nodes = torch.tensor([4, 0, 33])
    assert_close(found.score_rows(state, nodes, graph.num_nodes), expected[nodes], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", PRODUCTS + OTHERS)
def test_a_frozen_encoder_has_the_same_form(kind: str) -> None:
    graph = graph_with_features()
    settings = parse_settings(FrozenSettings, {"head": {"kind": kind}, "formulation": "ra"})
    found = FrozenEncoder(graph, settings, torch.Generator().manual_seed(0)).eval()
    state = found.encode(found.prepare(graph))
    rows = found.score_rows(state, torch.arange(graph.num_nodes), graph.num_nodes)
    assert_close(rows, all_pairs(found, state, graph.num_nodes), atol=1e-4, rtol=1e-4)


def test_low_precision_is_near_and_for_training_only() -> None:
    generator = torch.Generator().manual_seed(1)
    left, right = torch.randn(30, 64, generator=generator), torch.randn(64, 20, generator=generator)
    exact, rounded = left @ right, matrix_product(left, right, low=True)
    assert 0 < float((exact - rounded).abs().max()) < 2**-7 * float(exact.abs().max())
    graph = graph_with_features()
    full, low = (model("dot", path="spectral", precision=each) for each in ("float32", "bfloat16"))
    low.load_state_dict(full.state_dict())
    for training in (True, False):
        z = [each.train(training).encode(each.prepare(graph)).whole() for each in (full, low)]
        assert torch.equal(*z) == (not training)
        assert_close(*z, atol=2e-2, rtol=2e-2)


def test_dropped_entries_of_z_are_drawn_in_training_only() -> None:
    graph, found = graph_with_features(), model("dot", propagation={"depth": 2, "dropout": 0.5})
    prepared = found.prepare(graph)
    z = found.train().encode(prepared).whole()
    assert 0.3 < float((z == 0).float().mean()) < 0.7
    assert not bool((found.eval().encode(prepared).whole() == 0).any())


def test_the_cosine_of_features_learns_nothing() -> None:
    graph, found = graph_with_features(), FeatureCosine()
    state = found.encode(found.prepare(graph))
    assert not list(found.parameters())
    expected = torch.nn.functional.cosine_similarity(graph.features[:, None], graph.features[None], dim=2)
    assert_close(all_pairs(found, state, graph.num_nodes), expected)
    assert_close(found.score_rows(state, torch.arange(graph.num_nodes), graph.num_nodes), expected)
    with pytest.raises(SettingsError, match="no node features"):
        found.prepare(karate_club())
