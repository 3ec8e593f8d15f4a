"""Rows of Σ β_l A^l X from products that were kept."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from formulation_strategies import dense_operator
from hlgnn.formulation import stacked
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import COL, ROW, SYM, Operator
from hlgnn.formulation.stacked import stack_orders, weighted_rows
from hlgnn.graph import Graph, karate_club
from strategies import graphs


def drawn(seed: int, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@settings(max_examples=20)
@given(graph=graphs(weighted=None), operator=st.sampled_from([SYM, ROW, COL]), depth=st.integers(0, 4))
def test_layer_l_is_the_power_l(graph: Graph, operator: Operator, depth: int) -> None:
    x, dense = drawn(0, graph.num_nodes, 3), dense_operator(graph, operator, self_loops=True)
    weights = torch.tensor(operator, dtype=torch.float64)
    stack = stack_orders(normalize(graph.adjacency), weights, depth, x)
    assert stack.shape == (graph.num_nodes, depth + 1, 3)
    for order in range(depth + 1):
        assert_close(stack[:, order], torch.linalg.matrix_power(dense, order) @ x, rtol=0, atol=1e-12)


@settings(max_examples=20)
@given(
    nodes=st.integers(1, 6),
    depth=st.integers(0, 4),
    width=st.integers(1, 3),
    asked=st.integers(0, 9),
    seed=st.integers(0, 99),
)
def test_rows_and_the_gradient_of_beta_are_those_of_the_sum(
    nodes: int, depth: int, width: int, asked: int, seed: int
) -> None:
    """Rows may be asked for in any order, repeatedly, or not at all."""
    stack, beta = drawn(seed, nodes, depth + 1, width), drawn(seed + 1, depth + 1).requires_grad_()
    rows = torch.randint(nodes, (asked,), generator=torch.Generator().manual_seed(seed))
    actual, expected = weighted_rows(stack, beta, rows), torch.einsum("nlf,l->nf", stack, beta)[rows]
    assert_close(actual, expected)
    upstream = drawn(seed + 2, asked, width)
    assert_close(torch.autograd.grad(actual, beta, upstream)[0], torch.autograd.grad(expected, beta, upstream)[0])


def test_many_threads_give_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    stack, beta = drawn(0, 34, 5, 3).float(), drawn(1, 5).float().requires_grad_()
    rows, upstream = torch.arange(34).repeat(3), drawn(2, 102, 3).float()
    one = weighted_rows(stack, beta, rows)
    (gradient,) = torch.autograd.grad(one, beta, upstream)
    monkeypatch.setattr(stacked, "SINGLE_THREADED", 0)
    monkeypatch.setattr(stacked, "num_threads", lambda: 4)
    many = weighted_rows(stack, beta, rows)
    assert torch.equal(one, many)
    assert_close(torch.autograd.grad(many, beta, upstream)[0], gradient)


def test_single_precision_is_kept() -> None:
    normalized = normalize(karate_club().adjacency, dtype=torch.float32)
    stack = stack_orders(normalized, torch.tensor([0.0, 1.0, 0.0, 0.0]), 3, torch.eye(34))
    beta = torch.full((4,), 0.25, requires_grad=True)
    z = weighted_rows(stack, beta, torch.tensor([5, 0]))
    z.sum().backward()
    assert z.dtype == stack.dtype == torch.float32
    assert beta.grad is not None
    assert beta.grad.dtype == torch.float32
