"""Numbers of walks against powers of the dense matrix."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from dense_matrices import dense_adjacency, dense_operator
from hlgnn.errors import SettingsError
from hlgnn.formulation import Operator
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph, karate_club
from hlgnn.models import walks as walks_file
from hlgnn.models.walks import FLOOR, walk_names, walk_numbers, walks
from strategies import graphs


@given(graph=graphs(), longest=st.integers(2, 7))
def test_they_are_the_entries_of_powers_of_the_dense_matrix(graph: Graph, longest: int) -> None:
    dense = torch.from_numpy(dense_operator(dense_adjacency(graph, self_loops=True), Operator(sym=1.0)))
    pairs = torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes))
    found = walk_numbers(walks(normalize(graph.adjacency, dtype=torch.float32), longest), pairs)
    assert found.shape == (len(pairs), len(walk_names(longest)))
    column = longest - 1
    for length in range(2, longest + 1):
        power = torch.linalg.matrix_power(dense, length)
        entries = power[pairs[:, 0], pairs[:, 1]]
        torch.testing.assert_close(found[:, length - 2].double(), (entries + FLOOR).log(), atol=1e-3, rtol=0)
        if length % 2 == 0:
            scale = (power.diagonal()[pairs[:, 0]] * power.diagonal()[pairs[:, 1]]).sqrt()
            torch.testing.assert_close(found[:, column].double(), entries / scale, atol=1e-5, rtol=0)
            column += 1


def test_the_order_of_the_ends_does_not_matter_to_the_last_bit() -> None:
    graph = karate_club()
    pairs = torch.combinations(torch.arange(graph.num_nodes), 2)
    counted = walks(normalize(graph.adjacency, dtype=torch.float32), 5)
    assert torch.equal(walk_numbers(counted, pairs), walk_numbers(counted, pairs.flip(1)))


def test_more_walks_than_can_be_stored_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks_file, "MOST_ENTRIES", 100)
    with pytest.raises(SettingsError, match="too many to store"):
        walks(normalize(karate_club().adjacency), 4)
