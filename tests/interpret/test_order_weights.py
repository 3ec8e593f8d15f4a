"""B_lm: for a linear head exactly the weights that the logit is made of."""

from __future__ import annotations

import torch

from hlgnn.graph import Graph, karate_club
from hlgnn.interpret import order_weights
from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings, PropagationSettings
from hlgnn.models.order_matrix import order_cosines

ORDERS = (0, 2, 3)


def club() -> Graph:
    graph = karate_club()
    features = torch.randn(graph.num_nodes, 5, generator=torch.Generator().manual_seed(0))
    return Graph.from_edges(graph.num_nodes, graph.links, features=features)


def model_of(**head: object) -> HLGNN:
    settings = HLGNNSettings(
        input=InputSettings(hidden=0),
        propagation=PropagationSettings(depth=3, centre=True),
        head=HeadSettings(kind="mlp", product=False, **head),
    )
    return HLGNN(club(), settings, torch.Generator().manual_seed(0))


def test_a_linear_head_is_the_sum_of_weighted_cosines_and_a_constant() -> None:
    model = model_of(layers=1, order_matrix=ORDERS)
    prepared = model.prepare(club())
    pairs = torch.combinations(torch.arange(34), 2)
    found = order_weights(model, prepared, pairs[:50])
    assert found is not None
    assert found.orders == ORDERS
    weights = torch.tensor(found.matrix)
    torch.testing.assert_close(weights, weights.T)
    assert prepared.view is not None
    assert prepared.view.units is not None
    rows, columns = torch.triu_indices(3, 3)
    cosines = torch.zeros(len(pairs), 3, 3)
    cosines[:, rows, columns] = order_cosines(prepared.view.units, pairs)
    cosines[:, columns, rows] = cosines[:, rows, columns]
    rest = model.score(model.encode(prepared), pairs) - (cosines * weights).sum(dim=(1, 2))
    torch.testing.assert_close(rest, rest[0].expand_as(rest), atol=1e-4, rtol=0)


def test_the_numbers_that_stand_before_and_behind_do_not_count() -> None:
    model = model_of(layers=2, hidden=8, order_matrix=ORDERS, pair_features=True, crowding=(1,), walks=3)
    found = order_weights(model, model.prepare(club()), torch.tensor([[0, 1], [3, 9]]))
    assert found is not None
    assert len(found.to_dict()["matrix"]) == 3
    assert "B_lm" in found.lines()[0]


def test_a_head_that_reads_no_cosines_has_none() -> None:
    model = model_of(layers=1, walks=3)
    assert order_weights(model, model.prepare(club()), torch.tensor([[0, 1]])) is None
