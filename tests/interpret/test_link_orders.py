"""Orders add up to the score before the head, whatever the operators, the input, the head and the path are."""

from typing import Any

import pytest
import torch
from torch.nn.functional import cosine_similarity

from hlgnn.formulation import normalize
from hlgnn.interpret.link_encoder import link_encoder, link_ends
from hlgnn.interpret.link_orders import LinkOrders, link_orders, order_parts
from hlgnn.interpret.link_rows import full_rows, order_rows
from hlgnn.models import HLGNN, DiagonalHead
from hlgnn.models.frozen_encoder import FrozenEncoder
from toy_links import BOTH, EMBEDDING, FEATURES, FIRST, HEADS, SECOND, club, drawn_model, frozen_model

OPERATORS = ("sym", "mixture", "literal-mixture", "geometric", "row", "col")


def orders_of(model: HLGNN | FrozenEncoder, first: int = FIRST, second: int = SECOND) -> LinkOrders:
    encoder = link_encoder(model, club())
    return link_orders(encoder, link_ends(encoder, first, second), order_parts(encoder, first, second))


def own_score(model: HLGNN | FrozenEncoder) -> float:
    """The score before the head, from the Z of the model itself."""
    with torch.no_grad():
        z = model.encode(model.prepare(club())).whole() if isinstance(model, HLGNN) else model.prepare(club())
        z = z[[FIRST, SECOND]].double()
    if model.settings.head.kind in {"cosine", "residual"}:
        return float(cosine_similarity(z[0], z[1], dim=0))
    weight = (
        model.head.weight.detach().double() if isinstance(model.head, DiagonalHead) else torch.ones(z.shape[1]).double()
    )
    return float((z[0] * z[1] * weight).sum())


def check(model: HLGNN | FrozenEncoder) -> None:
    orders = orders_of(model)
    size = sum(abs(each) for each in orders.contributions)
    assert sum(orders.contributions) == pytest.approx(orders.score, abs=1e-9 * size)
    assert orders.score == pytest.approx(own_score(model), rel=1e-6, abs=1e-5 * size)
    matrix = torch.tensor(orders.matrix, dtype=torch.float64)
    halves = (matrix.sum(dim=0) + matrix.sum(dim=1)) / 2
    torch.testing.assert_close(halves.tolist(), list(orders.contributions), rtol=1e-9, atol=1e-9 * size)


@pytest.mark.parametrize("order", ["recurrence", "reading"])
@pytest.mark.parametrize("operators", OPERATORS)
@pytest.mark.parametrize("centre", [False, True])
def test_any_operators(operators: str, order: str, centre: bool) -> None:
    propagation = {"depth": 4, "operators": operators, "order": order, "centre": centre}
    check(drawn_model(club(), input=FEATURES, propagation=propagation, head={"kind": "dot"}))


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("chosen", [FEATURES, EMBEDDING, BOTH], ids=["features", "embedding", "both"])
def test_any_input_and_head(chosen: dict[str, Any], head: str) -> None:
    check(drawn_model(club(), input=chosen, head=HEADS[head]))


@pytest.mark.parametrize("path", ["plain", "once", "spectral"])
@pytest.mark.parametrize("head", ["dot", "cosine"])
def test_any_path(path: str, head: str) -> None:
    check(drawn_model(club(), input=FEATURES, propagation={"depth": 4, "centre": True}, head=HEADS[head], path=path))


@pytest.mark.parametrize("layers", ["last", "first-1"])
def test_orders_that_do_not_count_add_nothing(layers: str) -> None:
    model = drawn_model(club(), input=FEATURES, propagation={"depth": 3, "layers": layers}, head=HEADS["dot"])
    check(model)
    counted = [order for order, each in enumerate(orders_of(model).contributions) if each != 0]
    assert counted == ([3] if layers == "last" else [0, 1])


@pytest.mark.parametrize("formulation", ["rwr:order=5", "ra", "lrw:alpha=0.8,order=3"])
@pytest.mark.parametrize("source", ["features", "embedding", "both"])
@pytest.mark.parametrize("centre", [False, True])
def test_a_frozen_encoder(formulation: str, source: str, centre: bool) -> None:
    chosen = {"source": source, "hidden": 0, "embedding_width": 4}
    check(frozen_model(club(), formulation=formulation, input=chosen, centre=centre, head=HEADS["cosine"]))


def test_without_layers_there_is_one_order() -> None:
    orders = orders_of(drawn_model(club(), input=EMBEDDING, propagation={"depth": 0}, head=HEADS["dot"]))
    assert orders.contributions == pytest.approx([orders.score])


def test_swapping_the_ends_transposes_the_matrix() -> None:
    model = drawn_model(club(), input=FEATURES, propagation={"depth": 3, "operators": "mixture"}, head=HEADS["cosine"])
    one, two = orders_of(model), orders_of(model, SECOND, FIRST)
    assert one.contributions == pytest.approx(two.contributions, rel=1e-12)
    torch.testing.assert_close(torch.tensor(one.matrix).T, torch.tensor(two.matrix), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("operators", OPERATORS)
@pytest.mark.parametrize("order", ["recurrence", "reading"])
def test_weighted_rows_of_all_orders_are_the_row_of_h(operators: str, order: str) -> None:
    propagation = {"depth": 5, "operators": operators, "order": order}
    graph = club(weighted=True)
    encoder = link_encoder(drawn_model(graph, input=FEATURES, propagation=propagation), graph)
    starts = encoder.starts((3, 9, 20))
    each = order_rows(encoder.formulation, normalize(graph.adjacency), starts)
    betas = torch.tensor(encoder.formulation.betas, dtype=torch.float64)
    total = full_rows(encoder.formulation, graph, starts)
    torch.testing.assert_close(torch.einsum("l,lnq->nq", betas, each), total)
    torch.testing.assert_close(total, encoder.formulation.apply(graph, torch.eye(34).double())[[3, 9, 20]].T)
