"""How far products of operators stretch, against dense matrices and against what is known of each form."""

import numpy as np
import pytest
import torch

from hlgnn.experiments.tasks.operator_growth import growth, layer_matrices
from hlgnn.experiments.tasks.random_graph import random_graph
from hlgnn.formulation import ADJ, COL, ROW, SYM, Formulation, Operator, normalize
from hlgnn.graph import Graph, star
from hlgnn.models import Propagation, PropagationSettings

DEPTH = 4


@pytest.fixture(params=[40, 150], ids=["dense", "by iteration"])
def graph(request: pytest.FixtureRequest) -> Graph:
    nodes = request.param
    return random_graph(nodes, 4 * nodes, 0, torch.Generator().manual_seed(3))


def start_of(operators: str, graph: Graph, depth: int = DEPTH) -> Formulation:
    settings = PropagationSettings.model_validate({"operators": operators, "depth": depth})
    propagation = Propagation(settings, torch.Generator().manual_seed(0))
    if propagation.alpha is not None:
        with torch.no_grad():
            propagation.alpha += torch.randn(propagation.alpha.shape, generator=torch.Generator().manual_seed(1))
    return propagation.formulation(propagation.messages(normalize(graph.adjacency)))


@pytest.mark.parametrize("operators", ["sym", "mixture", "geometric", "literal-mixture", "row", "col"])
def test_layers_are_those_that_the_model_applies(graph: Graph, operators: str) -> None:
    formulation, x = start_of(operators, graph), np.random.default_rng(0).random((graph.num_nodes, 2))
    expected = formulation.apply(graph, torch.from_numpy(x)).numpy()
    term, total = x, formulation.betas[0] * x
    for layer, beta in zip(layer_matrices(formulation, graph), formulation.betas[1:], strict=True):
        term = layer @ term
        total = total + beta * term
    np.testing.assert_allclose(total, expected, rtol=1e-6)


@pytest.mark.parametrize("operators", ["mixture", "geometric", "literal-mixture"])
def test_radius_and_norm_are_those_of_the_dense_product(graph: Graph, operators: str) -> None:
    layers = layer_matrices(start_of(operators, graph), graph)
    found, product = growth(layers), np.eye(graph.num_nodes)
    for level, layer in enumerate(layers):
        product = layer.toarray() @ product
        assert found["radius"][level] == pytest.approx(np.abs(np.linalg.eigvals(product)).max(), rel=1e-6)
        assert found["norm"][level] == pytest.approx(np.linalg.norm(product, 2), rel=1e-6)


def test_the_symmetric_operator_never_stretches(graph: Graph) -> None:
    found = growth(layer_matrices(Formulation("h", (SYM,) * DEPTH, (1.0,) * (DEPTH + 1)), graph))
    assert max(found["radius"]) <= 1 + 1e-9
    assert max(found["norm"]) <= 1 + 1e-9


def test_row_and_column_normalisation_have_the_radius_one_and_a_larger_norm(graph: Graph) -> None:
    for operator in (ROW, COL):
        found = growth(layer_matrices(Formulation("h", (operator,), (0.0, 1.0)), graph))
        assert found["radius"][0] == pytest.approx(1.0)
        assert found["norm"][0] > 1.01


def test_the_printed_mixture_grows_on_a_star() -> None:
    third = Operator(sym=1 / 3, row=1 / 3, col=1 / 3)
    found = growth(layer_matrices(Formulation("h", (third,) * 3, (1.0,) * 4), star(100)))
    assert found["radius"][0] > 2
    assert found["radius"][2] == pytest.approx(found["radius"][0] ** 3)


def test_the_adjacency_of_a_star_has_the_radius_one_and_the_root_of_its_leaves() -> None:
    found = growth(layer_matrices(Formulation("h", (ADJ,), (0.0, 1.0)), star(100)))
    assert found["radius"][0] == pytest.approx(1 + np.sqrt(100))
