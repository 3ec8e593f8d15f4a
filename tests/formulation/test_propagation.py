from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from formulation_strategies import MIXTURES, dense_operator, dense_sum
from hlgnn.formulation.kernels import VARIABLE
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import COL, ROW, Operator
from hlgnn.formulation.propagation import horner, multiply, recurrence
from hlgnn.graph import Graph, karate_club
from strategies import graphs

Propagate = Callable[..., torch.Tensor]
ORDERS = pytest.mark.parametrize(("propagate", "order"), [(horner, "reading"), (recurrence, "recurrence")])
KERNEL = pytest.mark.parametrize("kernel", ["numba", "torch", "reference"])
LAYERS = st.lists(MIXTURES, max_size=4)


def drawn(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def tensor(layers: list[Operator]) -> torch.Tensor:
    return torch.tensor(layers, dtype=torch.float64).view(-1, 4)


def dense(graph: Graph, operators: torch.Tensor, beta: torch.Tensor, order: str, *, loops: bool) -> torch.Tensor:
    """H of Eq. 1 or Eq. 2, differentiable in ``operators`` and ``beta``."""
    if len(operators) == 0:
        return beta[0] * torch.eye(graph.num_nodes, dtype=torch.float64)
    return dense_sum([dense_operator(graph, each, self_loops=loops) for each in operators], beta, order)


def near(left: torch.Tensor, right: torch.Tensor) -> None:
    assert_close(left, right, rtol=0, atol=1e-11 * max(1.0, float(right.abs().max())))


@ORDERS
@given(graph=graphs(weighted=None), layers=LAYERS, loops=st.booleans(), single=st.booleans())
def test_both_orders_are_their_equation(
    propagate: Propagate, order: str, graph: Graph, layers: list[Operator], loops: bool, single: bool
) -> None:
    operators, beta, x = tensor(layers), drawn(len(layers) + 1, seed=1), drawn(graph.num_nodes, 3)
    expected = dense(graph, operators, beta, order, loops=loops) @ x
    if single:
        normalized = normalize(graph.adjacency, self_loops=loops, dtype=torch.float32)
        z = propagate(normalized, operators, beta, x.float())
        assert z.dtype == torch.float32
        assert_close(z.double(), expected, rtol=0, atol=1e-4 * max(1.0, float(expected.abs().max())))
    else:
        near(propagate(normalize(graph.adjacency, self_loops=loops), operators, beta, x), expected)


@ORDERS
@settings(max_examples=50)
@given(graph=graphs(weighted=None), layers=LAYERS, loops=st.booleans())
def test_gradients_are_those_of_the_dense_equation(
    propagate: Propagate, order: str, graph: Graph, layers: list[Operator], loops: bool
) -> None:
    leaves = [tensor(layers), drawn(len(layers) + 1, seed=1), drawn(graph.num_nodes, 3)]
    ours, theirs = ([leaf.clone().requires_grad_() for leaf in leaves] for _ in range(2))
    upstream = drawn(graph.num_nodes, 3, seed=2)
    z = propagate(normalize(graph.adjacency, self_loops=loops), *ours)
    z.backward(upstream)
    expected = dense(graph, theirs[0], theirs[1], order, loops=loops) @ theirs[2]
    expected.backward(upstream)
    near(z.detach(), expected.detach())
    for mine, other in zip(ours[0 if layers else 1 :], theirs[0 if layers else 1 :], strict=True):
        near(mine.grad, other.grad)


@KERNEL
def test_the_product_passes_gradcheck(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    graph = Graph.from_edges(5, torch.tensor([[0, 1], [1, 2], [1, 3]]), weight=torch.tensor([2.0, 0.5, 1.0]))
    normalized = normalize(graph.adjacency)
    operator, x = drawn(4).requires_grad_(), drawn(5, 3).requires_grad_()
    assert torch.autograd.gradcheck(lambda *leaves: multiply(normalized, *leaves), (operator, x))
    assert torch.autograd.gradcheck(lambda leaf: multiply(normalized, operator.detach(), leaf), (x,))
    assert torch.autograd.gradcheck(lambda leaf: multiply(normalized, leaf, x.detach()), (operator,))


@KERNEL
@ORDERS
def test_both_orders_pass_gradcheck(
    propagate: Propagate, order: str, kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    normalized = normalize(Graph.from_edges(4, torch.tensor([[0, 1], [1, 2]])).adjacency)
    leaves = (drawn(2, 4).requires_grad_(), drawn(3).requires_grad_(), drawn(4, 2).requires_grad_())
    assert torch.autograd.gradcheck(lambda *given: propagate(normalized, *given), leaves)


def test_a_fixed_operator_keeps_no_features() -> None:
    normalized = normalize(karate_club().adjacency)
    x = drawn(34, 3).requires_grad_()
    saved: list[torch.Tensor] = []
    with torch.autograd.graph.saved_tensors_hooks(lambda each: saved.append(each) or each, lambda each: each):
        multiply(normalized, torch.tensor(ROW), x)
    assert [tuple(each.shape) for each in saved] == [(4,)]


@given(graph=graphs(weighted=None))
def test_rows_of_row_and_columns_of_col_sum_to_one(graph: Graph) -> None:
    normalized, ones = normalize(graph.adjacency), torch.ones(graph.num_nodes, 1, dtype=torch.float64)
    eye = torch.eye(graph.num_nodes, dtype=torch.float64)
    near(multiply(normalized, tensor([ROW])[0], ones), ones)
    near(multiply(normalized, tensor([COL])[0], eye).sum(dim=0), ones.flatten())


@given(graph=graphs(weighted=None), layers=LAYERS, loops=st.booleans())
def test_the_two_orders_are_each_others_transpose(graph: Graph, layers: list[Operator], loops: bool) -> None:
    normalized, beta = normalize(graph.adjacency, self_loops=loops), drawn(len(layers) + 1)
    eye = torch.eye(graph.num_nodes, dtype=torch.float64)
    flipped = tensor([operator.transposed for operator in layers])
    near(horner(normalized, tensor(layers), beta, eye), recurrence(normalized, flipped, beta, eye).T)


@ORDERS
def test_features_are_left_as_they_were(propagate: Propagate, order: str) -> None:
    normalized, x = normalize(karate_club().adjacency), drawn(34, 3)
    before = x.clone()
    propagate(normalized, tensor([ROW, COL, ROW, COL]), drawn(5), x)
    assert torch.equal(x, before)
