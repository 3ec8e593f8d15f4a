"""The bound of a mixture is never below its spectral radius, and nearly equal to it."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from formulation_strategies import dense_matrices
from hlgnn.formulation.mixture_bound import ANCHORS, bound_table, mixture_bounds, trial_vectors
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph, complete, cycle, karate_club, path, star
from strategies import graphs

SINGLE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
THIRDS = (1 / 3, 1 / 3, 1 / 3)


def bounds(graph: Graph, weights: torch.Tensor) -> torch.Tensor:
    return mixture_bounds(bound_table(normalize(graph.adjacency)), weights)


def radius(graph: Graph, weights: torch.Tensor) -> float:
    """The largest magnitude of an eigenvalue of the dense mixture."""
    _, sym, row, col = dense_matrices(graph, self_loops=True)
    mixture = weights[0] * row + weights[1] * col + weights[2] * sym
    return float(torch.linalg.eigvals(mixture).abs().max())


def simplex(seed: int) -> torch.Tensor:
    return torch.softmax(2 * torch.randn(4, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)), 1)


@settings(max_examples=20)
@given(graph=graphs(weighted=None), seed=st.integers(0, 999))
def test_never_below_the_radius(graph: Graph, seed: int) -> None:
    weights = torch.cat([simplex(seed), torch.tensor([*ANCHORS, *SINGLE], dtype=torch.float64)])
    for bound, mixture in zip(bounds(graph, weights), weights, strict=True):
        assert float(bound) >= radius(graph, mixture) * (1 - 1e-9)


@settings(max_examples=20)
@given(graph=graphs(weighted=None))
def test_each_normalisation_alone_has_the_radius_one(graph: Graph) -> None:
    assert_close(bounds(graph, torch.tensor(SINGLE, dtype=torch.float64)), torch.ones(3, dtype=torch.float64))


def drawn_graph(num_nodes: int, share: float) -> Graph:
    chance = torch.rand(num_nodes, num_nodes, generator=torch.Generator().manual_seed(0))
    return Graph.from_edges(num_nodes, (chance < share).nonzero())


@pytest.mark.parametrize(
    "graph",
    [path(2), path(5), star(2), star(5), star(100), star(300), drawn_graph(60, 0.2), drawn_graph(60, 0.5)],
    ids=repr,
)
def test_tight_at_the_anchors_where_the_iteration_has_converged(graph: Graph) -> None:
    """The second eigenvalue is well below the first, and 60 steps are enough for six digits."""
    _assert_tight(graph, 1e-6)


@pytest.mark.parametrize("graph", [complete(7), cycle(9)])
def test_regular_graphs_have_the_radius_one_under_every_mixture(graph: Graph) -> None:
    weights = torch.cat([simplex(0), torch.tensor(ANCHORS, dtype=torch.float64)])
    assert_close(bounds(graph, weights), torch.ones(len(weights), dtype=torch.float64))


@settings(max_examples=20)
@given(graph=graphs(min_nodes=3, weighted=False), seed=st.integers(0, 9))
def test_nearly_tight_on_small_connected_graphs(graph: Graph, seed: int) -> None:
    """Where the second eigenvalue is close to the first the iteration is slow, and the bound a little too high."""
    chain = path(graph.num_nodes).links  # connects whatever was drawn
    _assert_tight(graph.with_links(torch.cat([graph.links, chain])), 0.01)


def _assert_tight(graph: Graph, tolerance: float) -> None:
    weights = torch.tensor(ANCHORS, dtype=torch.float64)
    for bound, mixture in zip(bounds(graph, weights), weights, strict=True):
        assert float(bound) == pytest.approx(radius(graph, mixture), rel=tolerance)


@pytest.mark.parametrize(("leaves", "known"), [(10, 1.17), (100, 2.20), (1000, 5.77)])
def test_equal_parts_on_a_star_grow_with_its_leaves(leaves: int, known: float) -> None:
    found = bounds(star(leaves), torch.tensor([THIRDS], dtype=torch.float64))
    assert float(found) == pytest.approx(known, abs=0.005)


@settings(max_examples=20)
@given(graph=graphs(weighted=None), seed=st.integers(0, 999))
def test_divided_by_its_bound_a_mixture_stretches_no_trial_vector_norm(graph: Graph, seed: int) -> None:
    """For the x that gives the bound, A x ≤ bound · x in every entry, so |A y|_i ≤ bound · x_i max |y_j| / x_j."""
    normalized, weights = normalize(graph.adjacency), simplex(seed)
    table, trials = bound_table(normalized), trial_vectors(normalized)
    assert table.shape == (3 + len(ANCHORS), 3, graph.num_nodes)
    assert (trials > 0).all()
    _, sym, row, col = dense_matrices(graph, self_loops=True)
    for bound, (a, b, c) in zip(mixture_bounds(table, weights), weights, strict=True):
        stretched = ((a * row + b * col + c * sym) @ trials / trials).amax(dim=0)  # (T,)
        assert_close(stretched.min(), bound, rtol=1e-9, atol=0)


@settings(max_examples=20)
@given(graph=graphs(weighted=None), seed=st.integers(0, 999))
def test_a_multiple_has_a_multiple_of_the_bound(graph: Graph, seed: int) -> None:
    table, weights = bound_table(normalize(graph.adjacency)), simplex(seed)
    assert_close(mixture_bounds(table, 3 * weights), 3 * mixture_bounds(table, weights))
    single = mixture_bounds(table, weights.float())
    assert single.dtype == torch.float32
    assert_close(single.double(), mixture_bounds(table, weights), rtol=1e-6, atol=0)


@pytest.mark.parametrize("graph", [karate_club(), path(100)], ids=repr)
def test_slow_iterations_leave_a_quarter_of_a_percent(graph: Graph) -> None:
    _assert_tight(graph, 2.5e-3)


def test_differentiable() -> None:
    table, weights = bound_table(normalize(karate_club().adjacency)), simplex(0).requires_grad_()
    torch.autograd.gradcheck(lambda given: mixture_bounds(table, given), weights)
