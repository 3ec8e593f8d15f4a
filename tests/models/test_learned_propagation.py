"""Z = H X with learned β and operators, against dense matrices and autograd."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from dense_learned import MODES, ORDERS, dense_learned, double_messages, drawn_propagation
from dense_matrices import all_pairs
from hlgnn.errors import SettingsError
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph, karate_club
from hlgnn.models import Propagation, PropagationSettings
from strategies import graphs

EVERY_WAY = pytest.mark.parametrize(("mode", "order"), [(mode, order) for mode in MODES for order in ORDERS])
FEW = settings(max_examples=12)


def drawn(seed: int, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed + 1))


def near(actual: torch.Tensor, expected: torch.Tensor, tolerance: float) -> None:
    largest = max(1.0, float(expected.detach().abs().max())) if expected.numel() else 1.0
    assert_close(actual.detach(), expected.detach(), rtol=0, atol=tolerance * largest)


def test_all_modes_are_tested() -> None:
    assert set(MODES) == {"sym", "row", "col", "mixture", "literal-mixture", "geometric"}
    assert set(ORDERS) == {"reading", "recurrence"}


@EVERY_WAY
@FEW
@given(graph=graphs(weighted=None), depth=st.integers(0, 6), seed=st.integers(0, 999))
def test_values_and_gradients_are_those_of_the_dense_formula(
    mode: str, order: str, graph: Graph, depth: int, seed: int
) -> None:
    propagation = drawn_propagation(seed, operators=mode, order=order, depth=depth)
    messages = double_messages(propagation, graph)
    x, upstream = drawn(seed, graph.num_nodes, 3).requires_grad_(), drawn(seed + 1, graph.num_nodes, 3)
    learned = [x, *propagation.parameters()]
    z, expected = propagation(messages, x), dense_learned(propagation, graph, messages) @ x
    near(z, expected, 1e-10)
    actual = torch.autograd.grad(z, learned, upstream, allow_unused=True, materialize_grads=True)
    wanted = torch.autograd.grad(expected, learned, upstream, allow_unused=True, materialize_grads=True)
    for left, right in zip(actual, wanted, strict=True):
        near(left, right, 1e-8)


@EVERY_WAY
@FEW
@given(
    graph=graphs(weighted=None),
    layers=st.sampled_from(["all", "last", "first-0", "first-2"]),
    depth=st.integers(2, 5),
    seed=st.integers(0, 999),
)
def test_what_is_learned_is_a_heuristic(
    mode: str, order: str, graph: Graph, layers: str, depth: int, seed: int
) -> None:
    """Proposition 4.1: Z = H X, and H is a formulation whose scores are the entries of H."""
    propagation = drawn_propagation(seed, operators=mode, order=order, depth=depth, layers=layers)
    messages = double_messages(propagation, graph)
    heuristic, x = propagation.formulation(messages, name="found"), drawn(seed, graph.num_nodes, 2)
    with torch.no_grad():
        near(heuristic.apply(graph, x), propagation(messages, x), 1e-10)
        h = dense_learned(propagation, graph, messages)
    near(heuristic.scores(graph, all_pairs(graph.num_nodes)), h.flatten(), 1e-10)
    near(heuristic.transposed.scores(graph, all_pairs(graph.num_nodes)), h.T.flatten(), 1e-10)
    assert (heuristic.name, heuristic.order, heuristic.depth) == ("found", order, depth)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("mode", MODES)
def test_at_depth_nought_only_the_features_count(mode: str, order: str) -> None:
    propagation = drawn_propagation(0, operators=mode, order=order, depth=0)
    messages, x = double_messages(propagation, karate_club()), drawn(0, 34, 2)
    assert torch.equal(propagation(messages, x), propagation.beta[0] * x)
    near(propagation.formulation(messages).apply(karate_club(), x), propagation.beta[0] * x, 1e-15)


@pytest.mark.parametrize(
    ("layers", "counted"),
    [("all", [1, 1, 1, 1]), ("last", [0, 0, 0, 1]), ("first-0", [1, 0, 0, 0]), ("first-2", [1, 1, 1, 0])],
)
def test_orders_that_do_not_count_have_no_weight_and_no_gradient(layers: str, counted: list[int]) -> None:
    propagation = drawn_propagation(0, depth=3, layers=layers)
    assert torch.equal(propagation.used_beta != 0, torch.tensor(counted).bool())
    propagation(double_messages(propagation, karate_club()), drawn(0, 34, 2)).sum().backward()
    assert propagation.beta.grad is not None
    assert torch.equal(propagation.beta.grad != 0, torch.tensor(counted).bool())


def test_more_orders_than_there_are_cannot_count() -> None:
    with pytest.raises(SettingsError, match=r"propagation\.layers: There is no order 4 at depth 3"):
        Propagation(PropagationSettings(depth=3, layers="first-4"), torch.Generator())


def test_operators_start_near_the_symmetric_one() -> None:
    """Geometric ones at s = ½, the mixture with e² of Ã_sym for one of each other, the literal one in equal parts."""
    graph = karate_club()
    for mode, expected in [("mixture", 2.0), ("literal-mixture", 0.0)]:
        propagation = Propagation(PropagationSettings(operators=mode, depth=2), torch.Generator())
        weights = propagation.operators(propagation.messages(normalize(graph.adjacency, dtype=torch.float32)))
        ratio = weights[:, 1] / weights[:, 2]
        assert_close(ratio, torch.full((2,), expected).exp())
        assert_close(weights[:, 2], weights[:, 3])
    geometric = Propagation(PropagationSettings(operators="geometric", depth=2), torch.Generator())
    messages = geometric.messages(normalize(graph.adjacency, dtype=torch.float64))
    assert geometric.formulation(messages).tilts == (0.0, 0.0)


def test_what_is_fixed_is_not_learned() -> None:
    propagation = Propagation(PropagationSettings(learn_beta=False), torch.Generator())
    assert not propagation.beta.requires_grad
    assert [name for name, each in propagation.named_parameters() if each.requires_grad] == []
