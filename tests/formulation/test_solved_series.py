"""Sums over all orders by solving equations: the same as walks within the tolerance, wherever both are taken."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from dense_matrices import all_pairs, dense_adjacency, dense_operator
from hlgnn.formulation import closed_series, solved_series
from hlgnn.formulation.estimates import estimate
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.formulation.pair_scores import pair_scores
from hlgnn.formulation.series import Series
from hlgnn.formulation.solved_series import equations_of
from hlgnn.formulation.symmetrized import Symmetrized
from hlgnn.graph import Graph, karate_club, path, star
from hlgnn.progress import silent
from strategies import graphs

OPERATORS = {"adj": ADJ, "sym": SYM, "row": ROW, "col": COL}
MEMORY = 1 << 20


def sums(
    graph: Graph, operator: Operator, ratio: float, q: float, pairs: torch.Tensor, tolerance: float
) -> torch.Tensor:
    return equations_of(graph, operator, ratio, q, pairs, tolerance, self_loops=True).sums(MEMORY, silent, "")


@given(
    graph=graphs(weighted=None),
    name=st.sampled_from(list(OPERATORS)),
    self_loops=st.booleans(),
    share=st.floats(0.05, 0.95),
    tolerance=st.sampled_from([1e-2, 1e-6, 1e-11]),
)
def test_no_sum_is_wrong_by_more_than_the_tolerance(
    graph: Graph, name: str, self_loops: bool, share: float, tolerance: float
) -> None:
    matrix = dense_operator(dense_adjacency(graph, self_loops=self_loops), OPERATORS[name])
    radius = float(np.abs(np.linalg.eigvals(matrix)).max(initial=0.0)) if name == "adj" else 1.0
    ratio = share / max(1.0, radius)
    expected = np.linalg.inv(np.eye(len(matrix)) - ratio * matrix) - np.eye(len(matrix))
    pairs = all_pairs(graph.num_nodes)
    equations = equations_of(graph, OPERATORS[name], ratio, share, pairs, tolerance, self_loops=self_loops)
    found = equations.sums(MEMORY, silent, "")
    wanted = torch.from_numpy(expected)[pairs[:, 0], pairs[:, 1]]
    assert_close(found, wanted, rtol=1e-12, atol=1.001 * tolerance)
    assert bool((found >= 0).all())


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=list(OPERATORS))
@pytest.mark.parametrize("self_loops", [True, False])
@pytest.mark.parametrize("symmetrized", [True, False])
def test_walks_and_equations_agree(
    operator: Operator, self_loops: bool, symmetrized: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = karate_club()
    series = Series("sum", operator, 0.1, first=0.4, scale=0.7, tolerance=1e-11, self_loops=self_loops)
    heuristic, pairs = Symmetrized(series) if symmetrized else series, all_pairs(graph.num_nodes)
    walks = heuristic.scores(graph, pairs)
    assert estimate(heuristic, graph, pairs).way != "solved"
    monkeypatch.setattr(closed_series, "WORTHWHILE", 0.0)
    monkeypatch.setattr(closed_series, "NANOSECONDS", 1e9)
    monkeypatch.setattr(solved_series, "EDGES_OF_A_NODE", -1e3)
    assert estimate(heuristic, graph, pairs).way == "solved"
    assert_close(heuristic.scores(graph, pairs), walks, rtol=0, atol=1e-9)


def test_a_column_does_not_depend_on_those_beside_it() -> None:
    graph, pairs = karate_club(), all_pairs(34)
    together = sums(graph, ROW, 0.85, 0.85, pairs, 1e-4)
    alone = torch.cat([sums(graph, ROW, 0.85, 0.85, pairs[pairs[:, 0] == node], 1e-4) for node in range(34)])
    assert torch.equal(together, alone)


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("name", ["adj", "row"])
def test_sixteen_columns_are_the_same_as_any_other_number(name: str, weighted: bool) -> None:
    """Sums in registers, as whole blocks have them, and by the general pass."""
    generator = torch.Generator().manual_seed(3)
    weight = torch.rand(600, generator=generator, dtype=torch.float64) + 0.5 if weighted else None
    graph = Graph.from_edges(90, torch.randint(90, (600, 2), generator=generator), weight=weight)
    pairs = all_pairs(90)
    ratio = 0.85 if name == "row" else 0.02
    equations = equations_of(graph, OPERATORS[name], ratio, 0.85, pairs, 1e-9, self_loops=False)
    nodes = np.arange(16)
    found = equations.columns(nodes)
    np.testing.assert_array_equal(found[:, :5], equations.columns(nodes[:5]))
    matrix = dense_operator(dense_adjacency(graph, self_loops=False), ADJ if name == "adj" else SYM)
    np.testing.assert_allclose(found, np.linalg.inv(np.eye(90) - ratio * matrix)[:, :16], atol=1e-8)


def test_what_no_walk_reaches_is_zero() -> None:
    graph = Graph.from_edges(7, torch.tensor([[0, 1], [1, 2], [3, 4], [4, 5]]))
    pairs = torch.tensor([[0, 3], [5, 1], [6, 0], [6, 6], [0, 2]])
    found = sums(graph, ROW, 0.9, 0.9, pairs, 1e-9)
    assert found[:3].tolist() == [0.0, 0.0, 0.0]
    assert found[3].item() == pytest.approx(9.0)  # a node alone walks to itself: Σ 0.9^l
    assert found[4].item() > 0


def test_the_fewer_ends_are_solved_for() -> None:
    pairs = torch.stack([torch.arange(30), torch.full((30,), 33)], dim=1)
    equations = equations_of(karate_club(), ROW, 0.5, 0.5, pairs, 1e-9, self_loops=True)
    assert equations.unique.tolist() == [33]
    assert_close(
        equations.sums(MEMORY, silent, ""),
        torch.cat([sums(karate_club(), ROW, 0.5, 0.5, pair[None], 1e-9) for pair in pairs]),
        rtol=0,
        atol=2e-9,
    )


def test_they_take_a_fraction_of_the_products_of_the_sum() -> None:
    generator = torch.Generator().manual_seed(0)
    graph = Graph.from_edges(2000, torch.randint(2000, (40_000, 2), generator=generator))
    series = Series("rwr", ROW, 0.85, first=0.15, scale=0.15)
    pairs = torch.randint(2000, (8, 2), generator=generator)
    equations = equations_of(graph, ROW, 0.85, 0.85, pairs, 1e-9 / 0.15, self_loops=True)
    work = [np.empty((2000, 8)) for _ in range(4)]
    chain, nodes = equations.chain, equations.unique
    steps = solved_series.conjugate_gradients(
        chain.weights, equations.root, 0.85, nodes, equations.enough, equations.most, *work
    )
    depth = series.on(graph).depth
    assert steps < equations.most < depth / 3
    assert steps < depth / 8
    assert_close(
        0.15 * equations.sums(MEMORY, silent, ""), pair_scores(series.on(graph), graph, pairs), rtol=0, atol=2e-9
    )


def test_walks_are_taken_where_equations_do_not_serve() -> None:
    pairs = all_pairs(34)
    usual = equations_of(karate_club(), ROW, 0.85, 0.85, pairs, 1e-9, self_loops=True)
    assert not usual.pay(depth=10, memory=MEMORY)  # few orders
    assert usual.pay(depth=500, memory=MEMORY)
    assert not usual.pay(depth=500, memory=34 * 33)  # no room for four columns
    finer = equations_of(karate_club(), ROW, 0.85, 0.85, pairs, 1e-15, self_loops=True)
    assert not finer.pay(depth=500, memory=MEMORY)  # beyond double precision


def test_long_paths_and_stars_need_no_more_steps_than_reckoned() -> None:
    for graph in (path(400), star(399)):
        pairs = torch.tensor([[0, 1], [0, 399]])
        expected = np.linalg.inv(np.eye(400) - 0.99 * dense_operator(dense_adjacency(graph, self_loops=True), ROW))
        assert_close(
            sums(graph, ROW, 0.99, 0.99, pairs, 1e-10), torch.from_numpy(expected[0, [1, 399]]), rtol=0, atol=2e-10
        )
