"""Numbers of pairs: cosines between orders against the dense formula, common neighbours against networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import cosine_similarity

from dense_matrices import dense_adjacency, dense_operator
from hlgnn.errors import SettingsError
from hlgnn.formulation import Operator
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph, karate_club, to_networkx
from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings, PropagationSettings
from hlgnn.models.feature_memory import FeatureMemory
from hlgnn.models.order_matrix import count_cosines, order_cosines, order_units
from hlgnn.models.pair_features import neighborhoods, pair_numbers
from strategies import graphs

if TYPE_CHECKING:
    from hlgnn.models.pair_reader import PairView

SYM = torch.tensor([0.0, 1.0, 0.0, 0.0])


def with_features(graph: Graph, width: int = 5) -> Graph:
    features = torch.randn(graph.num_nodes, width, generator=torch.Generator().manual_seed(0))
    return Graph.from_edges(graph.num_nodes, graph.links, features=features)


@given(graph=graphs(), orders=st.sampled_from([(0,), (0, 1), (3, 1, 0), (2, 5)]))
def test_cosines_are_those_of_powers_of_the_dense_matrix(graph: Graph, orders: tuple[int, ...]) -> None:
    x = torch.randn(graph.num_nodes, 4, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    dense = torch.from_numpy(dense_operator(dense_adjacency(graph, self_loops=True), Operator(sym=1.0)))
    layers = [torch.linalg.matrix_power(dense, order) @ x for order in orders]
    layers = [layer - layer.mean(dim=0) for layer in layers]
    # Where all nodes have the same row, what is left after centring is rounding, and has no direction.
    clear = torch.stack([layer.norm(dim=1) > 1e-6 for layer in layers]).all(dim=0)  # (N,)
    pairs = torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes))
    pairs = pairs[clear[pairs].all(dim=1)]
    found = order_cosines(order_units(normalize(graph.adjacency), SYM, orders, x), pairs)
    assert found.shape == (len(pairs), count_cosines(orders))
    column = 0
    for first in range(len(orders)):
        for second in range(first, len(orders)):
            one = cosine_similarity(layers[first][pairs[:, 0]], layers[second][pairs[:, 1]], eps=1e-12)
            other = cosine_similarity(layers[second][pairs[:, 0]], layers[first][pairs[:, 1]], eps=1e-12)
            torch.testing.assert_close(found[:, column], (one + other) / 2, atol=1e-6, rtol=0)
            column += 1


def test_common_neighbours_and_resource_allocation_are_those_of_networkx() -> None:
    graph = karate_club()
    pairs = torch.combinations(torch.arange(graph.num_nodes), 2)
    found = pair_numbers(neighborhoods(graph), pairs)
    theirs = to_networkx(graph)
    common = [len(list(nx.common_neighbors(theirs, i, j))) for i, j in pairs.tolist()]
    allocation = [value for _, _, value in nx.resource_allocation_index(theirs, pairs.tolist())]
    np.testing.assert_allclose(found[:, 2], np.log1p(common), rtol=1e-6)
    np.testing.assert_allclose(found[:, 3], np.log1p(10 * np.array(allocation)), rtol=1e-5)
    torch.testing.assert_close(found, pair_numbers(neighborhoods(graph), pairs.flip(1)))


def model_of(graph: Graph, **head: object) -> HLGNN:
    settings = HLGNNSettings(
        input=InputSettings(hidden=0),
        propagation=PropagationSettings(depth=3, centre=True),
        head=HeadSettings(kind="residual", hidden=4, **head),
    )
    return HLGNN(graph, settings, torch.Generator().manual_seed(0))


def test_a_hidden_link_does_not_count_for_itself() -> None:
    """A score from the message graph without (i, j) is the same whether the whole graph has the link or not."""
    graph = with_features(karate_club())
    heads = {"order_matrix": (0, 1, 3), "crowding": (0, 2), "similar": (1,), "walks": 5, "regression": (1.0,)}
    heads |= {"metric": (0, 1), "across": (0, 2), "profile": 3}
    model = model_of(graph, pair_features=True, **heads)
    pair = graph.links[:1]
    without = graph.without_links(pair)
    again = without.with_links(torch.cat([without.links, pair])).without_links(pair)
    scores = [model.score(model.encode(model.prepare(each)), pair) for each in (without, again)]
    torch.testing.assert_close(scores[0], scores[1], rtol=0, atol=0)
    visible = model.score(model.encode(model.prepare(graph)), pair)
    assert not torch.equal(scores[0], visible)


@pytest.mark.parametrize("product", [True, False])
def test_scores_are_symmetric_and_start_as_the_cosine(product: bool) -> None:
    graph = with_features(karate_club())
    model = model_of(
        graph,
        product=product,
        pair_features=True,
        order_matrix=(0, 2),
        difference=product,
        crowding=(1,),
        similar=(1, 3),
        walks=3,
        metric=(0, 2),
        across=(0, 1),
        profile=2,
        regression=(0.5, 2.0),
    )
    pairs = torch.combinations(torch.arange(graph.num_nodes), 2)
    state = model.encode(model.prepare(graph))
    scores = model.score(state, pairs)
    torch.testing.assert_close(scores, model.score(state, pairs.flip(1)))
    z = state.rows(torch.arange(graph.num_nodes))
    cosine = cosine_similarity(z[pairs[:, 0]], z[pairs[:, 1]])
    torch.testing.assert_close(scores, 10.0 * cosine - 2.0, atol=1e-5, rtol=0)


def test_a_head_may_start_as_the_mean_of_the_regressions() -> None:
    graph = karate_club()
    head = HeadSettings(hidden=4, pair_features=True, regression=(0.5, 2.0), regression_start=True)
    settings = HLGNNSettings(input=InputSettings(source="embedding", embedding_width=3, hidden=0), head=head)
    model = HLGNN(graph, settings, torch.Generator().manual_seed(0))
    state, pairs = model.encode(model.prepare(graph)), torch.combinations(torch.arange(graph.num_nodes), 2)
    assert model.pair_reader is not None
    assert state.view is not None
    expected = model.pair_reader(state.view, pairs)[:, -2:].mean(dim=1)
    torch.testing.assert_close(model.score(state, pairs), expected)


@pytest.mark.parametrize(
    "head", [{"order_matrix": (0, 1)}, {"crowding": (0,)}, {"similar": (1,)}, {"metric": (1,)}, {"across": (0,)}]
)
def test_cosines_between_orders_refuse_a_learned_input(head: dict[str, object]) -> None:
    settings = HLGNNSettings(input=InputSettings(source="embedding"), head=HeadSettings(**head))
    with pytest.raises(SettingsError, match="not learned"):
        HLGNN(karate_club(), settings, torch.Generator().manual_seed(0))


@pytest.mark.parametrize(
    "head",
    [
        {"product": False},
        {"order_matrix": (1, 1)},
        {"crowding": (2, 2)},
        {"across": (0, 0)},
        {"walks": 1},
        {"regression": (1, 1)},
    ],
)
def test_a_head_that_reads_nothing_or_twice_is_refused(head: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"read nothing|stands twice|one step|penalties"):
        HeadSettings(**head)


def test_graphs_that_share_features_are_read_as_they_are_alone() -> None:
    graph = with_features(karate_club())
    head = HeadSettings(kind="residual", crowding=(1, 0), similar=(0, 2), metric=(0,), across=(0,))
    settings = HLGNNSettings(input=InputSettings(source="features", hidden=0), head=head)
    model = HLGNN(graph, settings, torch.Generator().manual_seed(0))
    pairs = torch.combinations(torch.arange(34), 2)
    other = Graph(graph.adjacency, graph.node_ids, 1.0 - cast("torch.Tensor", graph.features) ** 2)
    for seen in (graph, graph.without_links(graph.links[:20]), other, graph.without_links(graph.links[5:50])):
        read = cast("PairView", model.prepare(seen).view).numbers(pairs)
        model.views.memory = FeatureMemory()  # whatever was kept of graphs before
        assert torch.equal(read, cast("PairView", model.prepare(seen).view).numbers(pairs))
