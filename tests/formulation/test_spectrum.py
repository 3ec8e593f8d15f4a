"""The largest eigenvalue of Ã."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from dense_matrices import dense_adjacency
from hlgnn.formulation import spectrum as spectrum_module
from hlgnn.formulation.spectrum import spectrum
from hlgnn.graph import Graph, complete, cycle, path, star
from strategies import graphs


@given(graph=graphs(max_nodes=15, weighted=None), self_loops=st.booleans())
def test_it_is_that_of_the_dense_matrix_and_below_the_bound(graph: Graph, self_loops: bool) -> None:
    true = np.linalg.eigvalsh(dense_adjacency(graph, self_loops=self_loops))[-1]
    found = spectrum(graph, self_loops=self_loops)
    assert found.largest == pytest.approx(true, rel=1e-9, abs=1e-9)
    assert found.bound >= true * (1 - 1e-12)
    degree = dense_adjacency(graph, self_loops=self_loops).sum(axis=1)
    assert found.bound <= degree.max() * (1 + 1e-9)


@pytest.mark.parametrize("num_nodes", [10, 300])
def test_known_graphs(num_nodes: int) -> None:
    assert spectrum(cycle(num_nodes), self_loops=False).largest == pytest.approx(2)
    assert spectrum(star(num_nodes), self_loops=False).largest == pytest.approx(math.sqrt(num_nodes))
    assert spectrum(complete(num_nodes)).largest == pytest.approx(num_nodes)
    expected = 2 * math.cos(math.pi / (num_nodes + 1))
    assert spectrum(path(num_nodes), self_loops=False).largest == pytest.approx(expected)


def test_a_small_dense_component_beside_a_large_sparse_one_is_found() -> None:
    ring = torch.stack([torch.arange(500), (torch.arange(500) + 1) % 500], dim=1)
    clique = torch.combinations(torch.arange(500, 520))
    far = torch.stack([torch.full((300,), 520), torch.arange(521, 821)], dim=1)  # a star: λ = √300 < 19
    found = spectrum(Graph.from_edges(821, torch.cat([ring, clique, far])), self_loops=False)
    assert found.largest == pytest.approx(19)
    assert found.bound == pytest.approx(19, rel=0.05)  # and not 300, the largest degree


def test_without_convergence_the_bound_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise spectrum_module.ArpackNoConvergence("none", np.empty(0), np.empty((0, 0)))

    monkeypatch.setattr(spectrum_module, "eigsh", fail)
    found = spectrum(path(200), self_loops=False)
    assert found.largest == pytest.approx(found.bound)
    assert found.bound >= 2 * math.cos(math.pi / 201)
