"""NCN pools common neighbours; NCNC adds those that may be common, and is NCN where they count nothing."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from torch import nn
from torch.testing import assert_close

from hlgnn.baselines.common_neighbors import either_neighbors
from hlgnn.baselines.ncn import NCN, NCNC, NCNCSettings, NCNSettings
from hlgnn.baselines.ncn.model import common_rows
from hlgnn.graph import Graph, path
from hlgnn.models.sparse_product import sparse_product
from hlgnn.training.evaluate import score_pairs
from strategies import graphs
from toy_models import karate_with_features


def all_pairs(graph: Graph) -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes))


def completed(graph: Graph, seed: int = 0, **chosen: Any) -> NCNC:
    return NCNC(graph, NCNCSettings(hidden=8, **chosen), torch.Generator().manual_seed(seed)).eval()


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(5))


@given(graphs())
def test_with_identity_maps_it_sums_rows_of_common_neighbors(graph: Graph) -> None:
    pairs, a, x = all_pairs(graph), torch.from_numpy(graph.to_pattern().toarray()), drawn(graph.num_nodes, 3)
    shared = a[pairs[:, 0]] * a[pairs[:, 1]]  # (P, N)
    rows = common_rows(graph.adjacency, pairs)
    assert_close(torch.from_numpy(rows.toarray()), shared)
    x.requires_grad_()
    pooled = sparse_product(rows, x)
    assert_close(pooled, shared @ x)
    into = drawn(3, len(pairs)).T
    (found,) = torch.autograd.grad((pooled * into).sum(), x)
    assert_close(found, shared.T @ into, rtol=1e-4, atol=1e-5)


def test_the_score_is_its_formula() -> None:
    graph = karate_with_features()
    settings = NCNSettings(hidden=8, layers=2, transform=False)
    model = NCN(graph, settings, torch.Generator().manual_seed(0)).eval()
    a, pairs = torch.from_numpy(graph.to_pattern().toarray()), all_pairs(graph)
    looped = a + torch.eye(34)
    root = looped.sum(dim=1).rsqrt()
    step = root[:, None] * looped * root
    x = step @ step @ model.encoder.linear(graph.features)
    ends, common = x[pairs[:, 0]] * x[pairs[:, 1]], (a[pairs[:, 0]] * a[pairs[:, 1]]) @ x
    expected = model.head.last(model.head.of_common(common) + model.head.of_ends(ends)).squeeze(1)
    assert_close(score_pairs(model, model.prepare(graph), pairs), expected.detach(), rtol=1e-4, atol=1e-5)


@given(graphs())
def test_neighbors_of_either_end(graph: Graph) -> None:
    pairs = all_pairs(graph)
    found = either_neighbors(graph.adjacency.offset.numpy(), graph.adjacency.neighbor.numpy(), pairs.numpy())
    linked = graph.to_pattern().toarray() > 0
    for place, (i, j) in enumerate(pairs.tolist()):
        row = slice(found.offset[place], found.offset[place + 1])
        expected = [k for k in np.flatnonzero(linked[i] | linked[j]) if k not in {i, j}]
        assert found.node[row].tolist() == expected
        sides = [0 if linked[i, k] and linked[j, k] else 1 if linked[i, k] else 2 for k in expected]
        assert found.side[row].tolist() == sides


@given(graphs(with_features=True))
def test_nothing_completed_is_ncn(graph: Graph) -> None:
    model, pairs = completed(graph, share=0.0), torch.combinations(torch.arange(graph.num_nodes), 2)
    state = model.encode(model.prepare(graph))
    assert_close(model.score(state, pairs), NCN.score(model, state, pairs))


@given(graphs(with_features=True))
def test_completed_rows_are_their_formula(graph: Graph) -> None:
    model = completed(graph, prior=0.7, scale=2.0, offset=-0.3, share=0.8)
    state = model.encode(model.prepare(graph))
    pairs = torch.combinations(torch.arange(graph.num_nodes), 2)
    rows = model.completed_rows(state, pairs).toarray()
    logits = NCN.score(model, state, all_pairs(graph)).view(graph.num_nodes, graph.num_nodes)
    p = torch.sigmoid(2.0 * (logits + 0.3))
    chance = (0.8 * 0.7 * p / (0.7 * p + 1 - p)).detach().numpy()
    linked = graph.to_pattern().toarray() > 0
    expected = np.zeros_like(rows)
    for place, (i, j) in enumerate(pairs.tolist()):
        for k in set(range(graph.num_nodes)) - {i, j}:
            if linked[i, k] and linked[j, k]:
                expected[place, k] = 1.0
            elif linked[i, k] or linked[j, k]:
                expected[place, k] = chance[j, k] if linked[i, k] else chance[i, k]
    assert_close(rows, expected, rtol=1e-4, atol=1e-5)


def test_whether_a_pair_is_linked_does_not_change_its_sets_of_neighbors() -> None:
    graph = karate_with_features()
    link = graph.links[:1]
    without = graph.without_links(link)
    model = completed(graph, share=1.0)
    state = model.encode(model.prepare(graph))
    found, hidden = (
        either_neighbors(each.adjacency.offset.numpy(), each.adjacency.neighbor.numpy(), link.numpy())
        for each in (graph, without)
    )
    assert np.array_equal(found.node, hidden.node)
    assert np.array_equal(found.side, hidden.side)
    assert model.completed_rows(state, link).shape == (1, 34)


def test_links_are_dropped_from_sets_of_neighbors_in_training_only() -> None:
    graph = karate_with_features()
    model = NCN(graph, NCNSettings(hidden=4, link_dropout=0.5), torch.Generator().manual_seed(0))
    prepared = model.prepare(graph)
    assert 0 < model.encode(prepared).adjacency.num_edges < graph.adjacency.num_edges
    model.eval()
    assert model.encode(prepared).adjacency is graph.adjacency


def test_the_encoder_has_a_rate_of_its_own() -> None:
    model = completed(path(4), input={"embedding_width": 5})
    slow = {id(each) for each in model.slow_parameters()}
    assert slow == {id(each) for part in (model.input, model.encoder) for each in part.parameters()}
    assert all(id(each) not in slow for each in model.head.parameters())
    assert isinstance(model.input.vectors, nn.Parameter)


@pytest.mark.parametrize("operator", ["sym", "sum"])
def test_propagation_may_add_what_it_started_from(operator: str) -> None:
    graph = karate_with_features()
    a = torch.from_numpy(graph.to_pattern().toarray())
    if operator == "sym":
        a = a + torch.eye(34)
        a = a / (a.sum(dim=1, keepdim=True) * a.sum(dim=0)).sqrt()
    settings = NCNSettings(hidden=4, operator=operator, residual=True)
    model = NCN(graph, settings, torch.Generator().manual_seed(0)).eval()
    start = model.encoder.linear(graph.features)
    assert_close(model.encode(model.prepare(graph)).x, start + a @ start, rtol=1e-4, atol=1e-5)
