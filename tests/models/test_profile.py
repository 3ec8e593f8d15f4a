"""What random walks know of a node, against powers of the dense matrices and graphs whose answer is known."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from dense_matrices import dense_adjacency
from hlgnn.graph import Graph, karate_club, star
from hlgnn.models.pair_features import neighborhoods
from hlgnn.models.profile import profile, profile_names, profile_numbers
from strategies import graphs


@given(graph=graphs(), steps=st.integers(1, 5))
def test_they_are_powers_of_the_dense_operators(graph: Graph, steps: int) -> None:
    dense = torch.from_numpy(dense_adjacency(graph, self_loops=False)).gt(0).double()
    degree = dense.sum(dim=1)
    column, row = dense / degree.clamp(min=1), dense / degree.clamp(min=1)[:, None]
    found = profile(neighborhoods(graph).pattern, steps)
    for length in range(1, steps + 1):
        arrived = torch.linalg.matrix_power(column, length).sum(dim=1)
        met = torch.linalg.matrix_power(row, length) @ degree
        torch.testing.assert_close(found[:, length - 1].double(), (10 * arrived).log1p(), atol=1e-5, rtol=0)
        torch.testing.assert_close(found[:, steps + length - 1].double(), met.log1p(), atol=1e-5, rtol=0)


def test_walkers_on_a_star_change_places() -> None:
    found = profile(neighborhoods(star(5)).pattern, 2)
    arrived, met = found[:, :2].expm1() / 10, found[:, 2:].expm1()
    torch.testing.assert_close(arrived[0], torch.tensor([5.0, 1.0]))  # from five leaves; then the one of the centre
    torch.testing.assert_close(arrived[1], torch.tensor([0.2, 1.0]))
    torch.testing.assert_close(met[0], torch.tensor([1.0, 5.0]))
    torch.testing.assert_close(met[1], torch.tensor([5.0, 1.0]))


def test_no_walker_is_lost() -> None:
    graph = karate_club()
    found = profile(neighborhoods(graph).pattern, 6)[:, :6].double().expm1() / 10
    torch.testing.assert_close(found.sum(dim=0), torch.full((6,), 34.0, dtype=torch.float64), rtol=1e-5, atol=0)


def test_the_numbers_do_not_depend_on_which_end_comes_first() -> None:
    profiles = profile(neighborhoods(karate_club()).pattern, 3)
    pairs = torch.combinations(torch.arange(34), 2)
    numbers = profile_numbers(profiles, pairs)
    assert torch.equal(numbers, profile_numbers(profiles, pairs.flip(1)))
    assert numbers.shape[1] == len(set(profile_names(3)))
