"""Sums over all orders in closed form: the same as walks, wherever both are taken."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from dense_matrices import all_pairs, dense_adjacency, dense_operator
from hlgnn.errors import HlgnnError
from hlgnn.formulation import closed_series
from hlgnn.formulation.closed_series import closed_form_pays, closed_sums
from hlgnn.formulation.estimates import estimate
from hlgnn.formulation.heuristics import katz, random_walk_with_restart
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.formulation.series import Series
from hlgnn.formulation.symmetrized import Symmetrized
from hlgnn.graph import Graph, complete, karate_club
from strategies import graphs

OPERATORS = {"adj": ADJ, "sym": SYM, "row": ROW, "col": COL}


@given(
    graph=graphs(weighted=None),
    name=st.sampled_from(list(OPERATORS)),
    self_loops=st.booleans(),
    share=st.floats(0.05, 0.9),
)
def test_the_closed_form_is_the_sum(graph: Graph, name: str, self_loops: bool, share: float) -> None:
    matrix = dense_operator(dense_adjacency(graph, self_loops=self_loops), OPERATORS[name])
    ratio = share / max(1.0, float(np.abs(np.linalg.eigvals(matrix)).max(initial=0.0)))
    expected = np.linalg.inv(np.eye(len(matrix)) - ratio * matrix) - np.eye(len(matrix))
    pairs = all_pairs(graph.num_nodes)
    found = closed_sums(graph, OPERATORS[name], ratio, pairs, self_loops=self_loops)
    wanted = torch.from_numpy(expected)[pairs[:, 0], pairs[:, 1]]
    assert_close(found, wanted, rtol=1e-9, atol=1e-12 * max(1.0, float(np.abs(expected).max(initial=0.0))))


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=list(OPERATORS))
@pytest.mark.parametrize("self_loops", [True, False])
@pytest.mark.parametrize("symmetrized", [True, False])
def test_walks_and_the_closed_form_agree(
    operator: Operator, self_loops: bool, symmetrized: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = karate_club()
    series = Series("sum", operator, 0.1, first=0.4, scale=0.7, tolerance=1e-13, self_loops=self_loops)
    heuristic, pairs = Symmetrized(series) if symmetrized else series, all_pairs(graph.num_nodes)
    walks = heuristic.scores(graph, pairs)
    assert estimate(heuristic, graph, pairs).way != "closed"
    monkeypatch.setattr(closed_series, "WORTHWHILE", 0.0)
    monkeypatch.setattr(closed_series, "NANOSECONDS", 0.0)
    assert estimate(heuristic, graph, pairs).way == "closed"
    assert_close(heuristic.scores(graph, pairs), walks, rtol=1e-9, atol=1e-12)


def test_it_is_taken_on_dense_graphs_with_long_sums_and_enough_memory() -> None:
    """3 000 nodes that are all joined: 9 million edges, 3 000 sources, more than twenty orders."""
    graph = complete(3000)
    pairs = torch.stack([torch.arange(3000), torch.arange(3000).flip(0)], dim=1)
    assert closed_form_pays(graph, pairs, 20, 2 << 30)
    assert not closed_form_pays(graph, pairs[:1], 20, 2 << 30)  # a single source
    assert not closed_form_pays(graph, pairs[:0], 20, 2 << 30)
    assert not closed_form_pays(graph, pairs, 20, 8 * 3000**2)  # no room
    assert not closed_form_pays(karate_club(), torch.tensor([[0, 1]]), 100, 2 << 30)


def test_errors_are_those_of_walks() -> None:
    with pytest.raises(HlgnnError, match="There is no node 99"):
        katz(gamma=0.01, order=None).scores(karate_club(), torch.tensor([[0, 99]]))
    with pytest.raises(HlgnnError, match="is too large"):
        katz(gamma=0.9, order=None).scores(karate_club(), torch.tensor([[0, 1]]))
    with pytest.raises(HlgnnError, match="shape"):
        random_walk_with_restart(alpha=0.5).scores(karate_club(), torch.tensor([0, 1]))
