"""The regression of a graph on itself against one least-squares problem for each node."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from dense_matrices import dense_adjacency
from hlgnn.errors import SettingsError
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph, karate_club
from hlgnn.models import regression as regression_file
from hlgnn.models.closed_form import ClosedForm, ClosedFormSettings
from hlgnn.models.pair_features import neighborhoods
from hlgnn.models.regression import regression_names, regression_numbers, regressions
from strategies import graphs


def column_by_column(graph: Graph, penalty: float) -> np.ndarray:
    """A B, where column j of B solves a ridge regression of column j of A on all others."""
    matrix = dense_adjacency(graph, self_loops=False, weighted=False)
    cost = np.maximum(matrix.sum(axis=1), 1.0)
    explained = np.zeros_like(matrix)
    for node in range(len(matrix)):
        others = np.arange(len(matrix)) != node
        x = matrix[:, others]
        weights = np.linalg.solve(x.T @ x + penalty * np.diag(cost[others]), x.T @ matrix[:, node])
        explained[:, node] = x @ weights
    return explained


@given(graph=graphs(), penalties=st.sampled_from([(1.0,), (0.1, 10.0), (3.0, 0.5, 1.0)]))
def test_each_column_is_the_prediction_from_all_other_columns(graph: Graph, penalties: tuple[float, ...]) -> None:
    found = regressions(neighborhoods(graph).pattern, penalties, dtype=torch.float64)
    assert found.shape == (len(penalties), graph.num_nodes, graph.num_nodes)
    for penalty, explained in zip(penalties, found, strict=True):
        expected = column_by_column(graph, penalty)
        np.testing.assert_allclose(explained, (expected + expected.T) / 2, atol=1e-9)


@pytest.mark.parametrize("penalty", [0.01, 1.0, 100.0])
def test_single_precision_is_enough(penalty: float) -> None:
    pattern = normalize(karate_club().adjacency, self_loops=False)
    single, double = (regressions(pattern, (penalty,), dtype) for dtype in (torch.float32, torch.float64))
    torch.testing.assert_close(single.double(), double, atol=2e-5, rtol=0)


def test_numbers_are_entries_and_the_order_of_the_ends_does_not_matter() -> None:
    graph = karate_club()
    pairs = torch.combinations(torch.arange(graph.num_nodes), 2)
    explained = regressions(normalize(graph.adjacency, self_loops=False), (0.5, 2.0))
    numbers = regression_numbers(explained, pairs)
    assert numbers.shape == (len(pairs), len(regression_names((0.5, 2.0))))
    assert torch.equal(numbers, regression_numbers(explained, pairs.flip(1)))
    for column in range(2):
        assert torch.equal(numbers[:, column], explained[column][pairs[:, 0], pairs[:, 1]])


def test_with_an_endless_penalty_common_neighbours_remain() -> None:
    """λ A B → (A D⁻¹ A A, without what a column says of itself): here on a star, whose leaves share their hub."""
    star = Graph.from_edges(5, torch.tensor([[0, 1], [0, 2], [0, 3], [0, 4]]))
    penalty = 1e6
    found = penalty * regressions(normalize(star.adjacency, self_loops=False), (penalty,), torch.float64)[0]
    matrix = dense_adjacency(star, self_loops=False)
    weights = matrix @ matrix / matrix.sum(axis=1)[:, None]
    np.fill_diagonal(weights, 0.0)
    expected = matrix @ weights
    np.testing.assert_allclose(found, (expected + expected.T) / 2, atol=1e-4)


def test_a_graph_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regression_file, "MOST_NODES", 33)
    with pytest.raises(SettingsError, match=r"head\.regression: .*34 × 34.*Set it to \[\]"):
        regressions(normalize(karate_club().adjacency), (1.0,))
    model = ClosedForm(karate_club(), ClosedFormSettings(), torch.Generator())
    with pytest.raises(SettingsError, match=r"--model: .*34 × 34.*Choose another model"):
        model.prepare(karate_club())
