"""Cosines of each end with the neighbours of the other, against sums over the dense matrices."""

from __future__ import annotations

import torch
from hypothesis import given
from torch.nn.functional import normalize as unit_rows

from dense_matrices import dense_adjacency
from hlgnn.graph import Graph, karate_club
from hlgnn.models.across import FEW_PAIRS, NO_NEIGHBOR, Across, across_names, across_numbers
from hlgnn.models.pair_features import neighborhoods
from strategies import graphs

PLACES = (2, 0)


def view_of(graph: Graph) -> Across:
    drawn = torch.randn(graph.num_nodes, 3, 6, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    return Across(neighborhoods(graph).pattern, unit_rows(drawn, dim=2), PLACES)


def expected_kinds(graph: Graph, cosines: torch.Tensor, end: int, other: int) -> torch.Tensor:
    linked = torch.from_numpy(dense_adjacency(graph, self_loops=False))[other] > 0
    linked[end] = False
    degree = torch.from_numpy(dense_adjacency(graph, self_loops=False)).gt(0).sum(dim=1).clamp(min=1)
    near = torch.cat([cosines[end, linked].clamp(min=NO_NEIGHBOR), torch.full((3,), NO_NEIGHBOR)])
    largest = near.sort(descending=True).values[:3]
    allocated = (cosines[end].clamp(min=0) / degree)[linked].sum()
    return torch.stack([largest[0], largest.mean(), (10 * allocated).log1p()])


@given(graph=graphs())
def test_they_are_sums_over_rows_of_the_dense_matrices(graph: Graph) -> None:
    view = view_of(graph)
    pairs = torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes))
    found = across_numbers(view, pairs)
    assert found.shape == (len(pairs), len(across_names(PLACES)))
    for (first, second), numbers in zip(pairs.tolist(), found, strict=True):
        for column, place in enumerate(PLACES):
            cosines = view.units[:, place] @ view.units[:, place].T
            left, right = (expected_kinds(graph, cosines, *ends) for ends in ((first, second), (second, first)))
            expected = torch.cat([left + right, (left - right).abs()])
            torch.testing.assert_close(numbers[6 * column : 6 * column + 6], expected)


def test_with_links_in_the_place_of_cosines_it_is_resource_allocation() -> None:
    """Where the product of an end with every other node is one for links, else nought, Table 2 is what is left."""
    graph = karate_club()
    dense = torch.from_numpy(dense_adjacency(graph, self_loops=False))
    allocation, pattern = (dense / dense.sum(dim=0)) @ dense, neighborhoods(graph).pattern
    for first, second in torch.combinations(torch.arange(graph.num_nodes), 2)[:60].tolist():
        rows = torch.eye(graph.num_nodes, dtype=torch.float64)
        rows[first] = dense[first]
        found = across_numbers(Across(pattern, rows[:, None], (0,)), torch.tensor([[first, second]]))[0, 2]
        other = expected_kinds(graph, rows @ rows.T, second, first)[2]
        torch.testing.assert_close((found - other).expm1() / 10, allocation[first, second], atol=1e-9, rtol=1e-6)


def test_the_order_of_the_ends_and_the_number_of_pairs_do_not_matter_to_the_last_bit() -> None:
    view = view_of(karate_club())
    pairs = torch.combinations(torch.arange(34), 2)
    assert len(pairs) > FEW_PAIRS
    numbers = across_numbers(view, pairs)
    assert torch.equal(numbers, across_numbers(view, pairs.flip(1)))
    assert torch.equal(numbers[:20], across_numbers(view, pairs[:20]))
    assert across_numbers(view, pairs[:0]).shape == (0, numbers.shape[1])


def test_names_are_all_different() -> None:
    names = across_names((0, 1, 2))
    assert len(set(names)) == len(names)
