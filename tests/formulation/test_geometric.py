"""D^-(1-s) Ã D^-s: between row, symmetric and column normalisation."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from formulation_strategies import dense_adjacency, dense_matrices
from hlgnn.formulation.geometric import geometric, tilt, tilted_product
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import COL, ROW, SYM, Operator
from hlgnn.formulation.propagation import multiply
from hlgnn.graph import Graph, karate_club, star
from strategies import graphs


def drawn(seed: int, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize(("share", "operator"), [(0.0, ROW), (0.5, SYM), (1.0, COL)])
@settings(max_examples=20)
@given(graph=graphs(weighted=None), self_loops=st.booleans())
def test_the_three_normalisations_are_among_them(
    share: float, operator: Operator, graph: Graph, self_loops: bool
) -> None:
    normalized, x = normalize(graph.adjacency, self_loops=self_loops), drawn(0, graph.num_nodes, 2)
    expected = multiply(normalized, torch.tensor(operator, dtype=torch.float64), x)
    assert_close(tilted_product(normalized, torch.tensor(share), x), expected, rtol=1e-12, atol=1e-12)


@settings(max_examples=20)
@given(graph=graphs(weighted=None), self_loops=st.booleans(), share=st.floats(0, 1))
def test_the_product_is_that_of_the_dense_matrix(graph: Graph, self_loops: bool, share: float) -> None:
    normalized, x = normalize(graph.adjacency, self_loops=self_loops), drawn(0, graph.num_nodes, 2)
    matrix = dense_adjacency(graph, self_loops=self_loops)
    degree = matrix.sum(dim=1)
    power = [torch.where(degree > 0, degree**-exponent, 0.0) for exponent in (1 - share, share)]
    product = tilted_product(normalized, torch.tensor(share, dtype=torch.float64), x)
    assert_close(product, power[0][:, None] * matrix * power[1] @ x, rtol=1e-12, atol=1e-12)


@settings(max_examples=20)
@given(graph=graphs(weighted=None), share=st.floats(0, 1))
def test_every_one_is_similar_to_the_symmetric_one(graph: Graph, share: float) -> None:
    """A = T Ã_sym T^-1, so its eigenvalues are those of Ã_sym, all within [-1, 1]."""
    normalized, given_share = normalize(graph.adjacency), torch.tensor(share, dtype=torch.float64)
    dense = tilted_product(normalized, given_share, torch.eye(graph.num_nodes, dtype=torch.float64))
    scale = tilt(normalized, given_share, torch.float64)
    symmetric = dense_matrices(graph, self_loops=True)[1]
    assert_close(dense / scale[:, None] * scale, symmetric, rtol=1e-12, atol=1e-12)
    assert torch.linalg.eigvalsh(symmetric).abs().max() <= 1 + 1e-12


@settings(max_examples=20)
@given(graph=graphs(weighted=None), share=st.floats(0, 1))
def test_exchanging_s_and_one_minus_s_transposes(graph: Graph, share: float) -> None:
    normalized, eye = normalize(graph.adjacency), torch.eye(graph.num_nodes, dtype=torch.float64)
    left = tilted_product(normalized, torch.tensor(share, dtype=torch.float64), eye)
    right = tilted_product(normalized, torch.tensor(1 - share, dtype=torch.float64), eye)
    assert_close(left, right.T, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("reading", [False, True])
@settings(max_examples=10)
@given(graph=graphs(min_nodes=2, max_nodes=5, weighted=None), depth=st.integers(0, 5), seed=st.integers(0, 99))
def test_gradients_are_those_of_finite_differences(reading: bool, graph: Graph, depth: int, seed: int) -> None:
    normalized = normalize(graph.adjacency)
    inputs = torch.sigmoid(drawn(seed, depth)), drawn(seed + 1, depth + 1), drawn(seed + 2, graph.num_nodes, 2)
    for each in inputs:
        each.requires_grad_()
    assert torch.autograd.gradcheck(
        lambda shares, beta, x: geometric(normalized, shares, beta, x, reading=reading), inputs
    )


@pytest.mark.parametrize("reading", [False, True])
def test_with_and_without_gradients_it_is_the_same(reading: bool) -> None:
    normalized, shares, beta, x = normalize(karate_club().adjacency), torch.rand(7), drawn(0, 8), drawn(1, 34, 3)
    recorded = geometric(normalized, shares.double(), beta.clone().requires_grad_(), x, reading=reading)
    assert torch.equal(recorded.detach(), geometric(normalized, shares.double(), beta, x, reading=reading))


def test_nodes_of_degree_nought_have_zero_rows_and_finite_gradients() -> None:
    graph = Graph.from_edges(6, star(3).links)  # two more nodes without links
    share, x = torch.tensor(0.3, dtype=torch.float64, requires_grad=True), drawn(0, 6, 2).requires_grad_()
    product = tilted_product(normalize(graph.adjacency, self_loops=False), share, x)
    product.sum().backward()
    assert (product[4:] == 0).all()
    assert share.grad is not None
    assert share.grad.isfinite()
    assert x.grad is not None
    assert x.grad.isfinite().all()
