"""How near the nearest nodes and the neighbours are, against all cosines."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import normalize

from hlgnn.graph import karate_club
from hlgnn.models import crowding as crowding_file
from hlgnn.models.crowding import (
    NEAREST,
    crowding,
    crowding_names,
    crowding_numbers,
    nearest_cosines,
    neighbor_cosines,
)
from hlgnn.models.pair_features import neighborhoods


def some_units(count: int) -> torch.Tensor:
    drawn = torch.randn(count, 3, 6, generator=torch.Generator().manual_seed(count), dtype=torch.float64)
    return normalize(drawn, dim=2)


@pytest.mark.parametrize("count", [2, 5, 40])
def test_it_is_the_mean_of_the_largest_cosines_with_others(count: int) -> None:
    units = some_units(count)
    found = nearest_cosines(units)
    for order in range(3):
        cosines = units[:, order] @ units[:, order].T
        for node in range(count):
            others = torch.cat([cosines[node, :node], cosines[node, node + 1 :]])
            expected = others.sort(descending=True).values[:NEAREST].mean()
            torch.testing.assert_close(found[node, order], expected)


def test_some_nodes_alone_have_what_they_have_among_all() -> None:
    units, nodes = some_units(34), torch.tensor([7, 3])
    pattern = neighborhoods(karate_club()).pattern
    torch.testing.assert_close(crowding(pattern, units, nodes), crowding(pattern, units)[nodes])
    for places in ([1], [0, 1, 2]):
        known = {place: nearest_cosines(units)[:, place] for place in places}
        torch.testing.assert_close(crowding(pattern, units, nodes, known), crowding(pattern, units)[nodes])


def test_neighbours_are_those_of_the_graph_without_the_node_itself() -> None:
    graph = karate_club()
    units = some_units(graph.num_nodes)
    found = neighbor_cosines(neighborhoods(graph).pattern, units)
    for node in range(graph.num_nodes):
        linked = graph.links[(graph.links == node).any(dim=1)]
        others = linked[linked != node]
        expected = torch.einsum("kf,mkf->mk", units[node], units[others]).mean(dim=0)
        torch.testing.assert_close(found[node], expected)


def test_on_large_graphs_some_nodes_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    units = some_units(40)
    monkeypatch.setattr(crowding_file, "REFERENCES", 20)
    kept = units[::2]  # every second node
    torch.testing.assert_close(nearest_cosines(units)[::2], nearest_cosines(kept))


def test_a_single_node_has_no_others() -> None:
    assert torch.equal(nearest_cosines(some_units(1)), torch.zeros(1, 3, dtype=torch.float64))


def test_the_numbers_do_not_depend_on_which_end_comes_first() -> None:
    crowded = crowding(neighborhoods(karate_club()).pattern, some_units(34))
    pairs = torch.combinations(torch.arange(34), 2)
    numbers = crowding_numbers(crowded, pairs)
    assert torch.equal(numbers, crowding_numbers(crowded, pairs.flip(1)))
    assert numbers.shape[1] == len(crowding_names((0, 1, 2)))
