from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from formulation_strategies import MIXTURES
from hlgnn.errors import SettingsError
from hlgnn.formulation import polynomial as polynomial_module
from hlgnn.formulation.checkpointed import checkpointed_horner, checkpointed_recurrence
from hlgnn.formulation.kernels.sum_lanes import LANES
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import SYM, Operator
from hlgnn.formulation.polynomial import polynomial
from hlgnn.formulation.propagation import horner, recurrence
from hlgnn.graph import Graph, karate_club, path
from strategies import graphs

Propagate = Callable[..., torch.Tensor]
CHECKPOINTED = pytest.mark.parametrize(
    ("checkpointed", "plain"), [(checkpointed_horner, horner), (checkpointed_recurrence, recurrence)]
)


def drawn(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def near(left: torch.Tensor, right: torch.Tensor, tolerance: float = 1e-11) -> None:
    largest = float(right.abs().max()) if right.numel() else 0.0
    assert_close(left, right, rtol=0, atol=tolerance * max(1.0, largest))


def gradients(function: Propagate, leaves: list[torch.Tensor], upstream: torch.Tensor) -> list[torch.Tensor]:
    """The value of ``function``, then its gradient for each leaf."""
    copies = [leaf.clone().requires_grad_() for leaf in leaves]
    value = function(*copies)
    return [value.detach(), *torch.autograd.grad(value, copies, upstream)]


def kept_sizes(function: Callable[[], torch.Tensor]) -> list[tuple[int, ...]]:
    """The shapes of what autograd keeps for the backward pass; what is kept twice counts once."""
    kept: dict[int, tuple[int, ...]] = {}

    def note(tensor: torch.Tensor) -> torch.Tensor:
        kept[tensor.data_ptr()] = tuple(tensor.shape)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        result = function()
    assert result.requires_grad
    return sorted(kept.values())


@settings(max_examples=60)
@given(graph=graphs(weighted=None), operator=MIXTURES, depth=st.integers(0, 6), loops=st.booleans())
def test_a_polynomial_is_both_orders_with_one_operator(
    graph: Graph, operator: Operator, depth: int, loops: bool
) -> None:
    normalized, weights = normalize(graph.adjacency, self_loops=loops), torch.tensor(operator, dtype=torch.float64)
    leaves, upstream = [drawn(depth + 1, seed=1), drawn(graph.num_nodes, 3)], drawn(graph.num_nodes, 3, seed=2)
    ours = gradients(lambda beta, x: polynomial(normalized, weights, beta, x), leaves, upstream)
    repeated = weights.expand(depth, -1)
    for propagate in (horner, recurrence):
        plain = gradients(lambda beta, x, run=propagate: run(normalized, repeated, beta, x), leaves, upstream)
        for mine, theirs in zip(ours, plain, strict=True):
            near(mine, theirs)


@CHECKPOINTED
@settings(max_examples=60)
@given(graph=graphs(weighted=None), layers=st.lists(MIXTURES, max_size=7), loops=st.booleans())
def test_layers_that_are_computed_again_give_the_same(
    checkpointed: Propagate, plain: Propagate, graph: Graph, layers: list[Operator], loops: bool
) -> None:
    normalized = normalize(graph.adjacency, self_loops=loops)
    operators = torch.tensor(layers, dtype=torch.float64).view(-1, 4)
    leaves = [operators, drawn(len(layers) + 1, seed=1), drawn(graph.num_nodes, 3)]
    upstream = drawn(graph.num_nodes, 3, seed=2)
    ours = gradients(lambda *given: checkpointed(normalized, *given), leaves, upstream)
    copies = [leaf.clone().requires_grad_() for leaf in leaves]
    value = plain(normalized, *copies)
    value.backward(upstream)
    near(ours[0], value.detach())
    for mine, leaf in zip(ours[1:], copies, strict=True):
        near(mine, torch.zeros_like(leaf) if leaf.grad is None else leaf.grad)


@CHECKPOINTED
def test_single_precision_is_kept(checkpointed: Propagate, plain: Propagate) -> None:
    normalized = normalize(karate_club().adjacency, dtype=torch.float32)
    leaves = [torch.rand(5, 4) / 4, torch.rand(6), torch.rand(34, 3)]
    upstream = torch.rand(34, 3)
    ours = gradients(lambda *given: checkpointed(normalized, *given), leaves, upstream)
    theirs = gradients(lambda *given: plain(normalized, *given), leaves, upstream)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.dtype == torch.float32
        near(mine, other, 1e-4)


def test_gradcheck() -> None:
    normalized = normalize(Graph.from_edges(4, torch.tensor([[0, 1], [1, 2]])).adjacency)
    operators, beta, x = drawn(3, 4).requires_grad_(), drawn(4).requires_grad_(), drawn(4, 2).requires_grad_()
    check = torch.autograd.gradcheck
    assert check(lambda *given: polynomial(normalized, operators[0].detach(), *given), (beta, x))
    assert check(lambda *given: checkpointed_horner(normalized, *given), (operators, beta, x))
    assert check(lambda *given: checkpointed_recurrence(normalized, *given), (operators, beta, x))


@pytest.mark.parametrize("depth", [1, 3, 20])
def test_a_polynomial_keeps_x_alone_at_any_depth(depth: int) -> None:
    normalized = normalize(karate_club().adjacency)
    beta, x = drawn(depth + 1).requires_grad_(), drawn(34, 3).requires_grad_()
    weights = torch.tensor(SYM)
    small = sorted([(4,), (depth + 1,)])
    assert kept_sizes(lambda: polynomial(normalized, weights, beta, x)) == [*small, (34, 3)]
    assert kept_sizes(lambda: polynomial(normalized, weights, beta.detach(), x)) == small


@CHECKPOINTED
@pytest.mark.parametrize(("depth", "layers"), [(1, 1), (9, 9), (10, 10), (16, 12), (20, 15), (100, 30)])
def test_three_times_the_root_of_layers_is_kept_at_most(
    checkpointed: Propagate, plain: Propagate, depth: int, layers: int
) -> None:
    normalized = normalize(karate_club().adjacency)
    operators, beta, x = drawn(depth, 4).requires_grad_(), drawn(depth + 1), drawn(34, 3)
    assert kept_sizes(lambda: checkpointed(normalized, operators, beta, x)).count((34, 3)) == layers
    # Autograd alone keeps every input of a product, and X itself for Horner's rule.
    assert kept_sizes(lambda: plain(normalized, operators, beta, x)).count((34, 3)) >= depth


def test_a_learned_operator_is_refused_where_it_would_get_no_gradient() -> None:
    normalized = normalize(karate_club().adjacency)
    with pytest.raises(SettingsError, match="no gradient for its operator"):
        polynomial(normalized, torch.tensor(SYM).requires_grad_(), torch.ones(2), torch.ones(34, 1))


KINDS = {"adj": 0, "sym": 1, "row": 2, "col": 3}


def operator_of(kind: str) -> torch.Tensor:
    operator = torch.zeros(4, dtype=torch.float64)
    operator[KINDS[kind]] = 0.3 if kind == "adj" else 0.9
    return operator


@pytest.mark.parametrize("loops", [True, False])
@pytest.mark.parametrize("width", [*LANES, 2 * LANES[0] + LANES[1] + 7, 5])
@pytest.mark.parametrize("kind", list(KINDS))
def test_large_matrices_in_blocks_have_the_same_gradients(
    kind: str, width: int, loops: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    normalized, operator = normalize(karate_club().adjacency, self_loops=loops), operator_of(kind)
    leaves, upstream = [drawn(5, seed=1), drawn(34, width, seed=2)], drawn(34, width, seed=3)
    before = upstream.clone()

    def apply(beta: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return polynomial(normalized, operator, beta, x)

    z, at_once = apply(*leaves), gradients(apply, leaves, upstream)
    monkeypatch.setattr(polynomial_module, "BLOCK", 0)
    near(apply(*leaves), z)
    for block, whole in zip(gradients(apply, leaves, upstream), at_once, strict=True):
        near(block, whole)
    assert torch.equal(upstream, before)  # the gradient of the caller is not written over


def test_large_matrices_may_lie_in_memory_by_columns_or_repeat_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    normalized, operator, width = normalize(karate_club().adjacency), operator_of("sym"), LANES[0] + 3
    beta, by_columns = drawn(5, seed=1), drawn(width, 34, seed=2).T
    repeated = drawn(1, width, seed=3).expand(34, -1)
    assert by_columns.stride() == (1, 34)
    assert repeated.stride(0) == 0

    def found(x: torch.Tensor, upstream: torch.Tensor) -> list[torch.Tensor]:
        leaves = [beta.clone().requires_grad_(), x.detach().requires_grad_()]
        z = polynomial(normalized, operator, *leaves)
        return [z.detach(), *torch.autograd.grad(z, leaves, upstream)]

    monkeypatch.setattr(polynomial_module, "BLOCK", 0)
    for x in (by_columns, repeated):
        for upstream in (by_columns, repeated):
            for ours, plain in zip(found(x, upstream), found(x.contiguous(), upstream.contiguous()), strict=True):
                near(ours, plain)


@pytest.mark.parametrize("name", ["torch", "reference"])
def test_other_kernels_take_large_matrices_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    normalized, operator = normalize(karate_club().adjacency), operator_of("sym")
    leaves, upstream = [drawn(5, seed=1), drawn(34, LANES[0], seed=2)], drawn(34, LANES[0], seed=3)

    def apply(beta: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return polynomial(normalized, operator, beta, x)

    expected = gradients(apply, leaves, upstream)
    monkeypatch.setattr(polynomial_module, "BLOCK", 0)
    monkeypatch.setenv("HLGNN_KERNEL", name)
    for found, whole in zip(gradients(apply, leaves, upstream), expected, strict=True):
        near(found, whole)


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("kind", list(KINDS))
def test_layers_in_bfloat16_are_rounded_and_nothing_else(kind: str, lanes: int) -> None:
    normalized, operator = normalize(karate_club().adjacency, dtype=torch.float32), operator_of(kind).float()
    leaves = [drawn(6, seed=1).float(), drawn(34, lanes + 3, seed=2).float()]
    upstream = drawn(34, lanes + 3, seed=3).float()

    def apply(storage: torch.dtype | None) -> tuple[torch.Tensor, ...]:
        def function(beta: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
            return polynomial(normalized, operator, beta, x, storage=storage)

        return function(*leaves), *gradients(function, leaves, upstream)

    for rounded, exact in zip(apply(torch.bfloat16), apply(None), strict=True):
        error = float((rounded - exact).norm() / exact.norm())
        assert 0 < error < 0.02  # a layer has a relative error of 2^-9
    one = torch.tensor([1.5]), leaves[1]
    assert torch.equal(polynomial(normalized, operator, *one, storage=torch.bfloat16), 1.5 * leaves[1])


@pytest.mark.parametrize("lanes", LANES)
def test_rounding_is_to_the_nearest_with_ties_to_even(lanes: int) -> None:
    normalized = normalize(path(2).adjacency, self_loops=False, dtype=torch.float32)
    swap, beta = torch.tensor([1.0, 0.0, 0.0, 0.0]), torch.tensor([0.0, 0.0, 1.0])
    x = torch.randn(2, lanes, generator=torch.Generator().manual_seed(0))
    x[0, :4] = torch.tensor([1 + 2**-8, 1 + 3 * 2**-8, -(1 + 2**-8), 1 + 2**-8 + 2**-20])
    z = polynomial(normalized, swap, beta, x, storage=torch.bfloat16)  # twice swapped, rounded twice
    assert torch.equal(z, x.bfloat16().float())
