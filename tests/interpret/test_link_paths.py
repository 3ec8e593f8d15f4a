"""The strongest paths are those of a search through all walks."""

from itertools import pairwise, permutations
from typing import Any, Literal

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from formulation_strategies import dense_adjacency, dense_operator, formulations
from hlgnn.errors import SettingsError
from hlgnn.formulation import ROW, SYM, Formulation
from hlgnn.graph import Graph, complete, karate_club, path
from hlgnn.interpret.link_paths import strongest_paths
from strategies import graphs


def one_way(formulation: Formulation, layers: list[torch.Tensor], walk: tuple[int, ...]) -> float:
    """|(A_1)_ab (A_2)_bc ⋯| in the order of Eq. 1 or Eq. 2."""
    used = layers[: len(walk) - 1]
    product = 1.0
    for matrix, a, b in zip(used if formulation.order == "reading" else used[::-1], walk, walk[1:], strict=False):
        product *= abs(float(matrix[a, b]))
    return product


def brute_force(formulation: Formulation, graph: Graph, first: int, second: int) -> list[float]:
    layers = [dense_operator(graph, each, self_loops=formulation.self_loops) for each in formulation.operators]
    if formulation.tilts:
        degree = dense_adjacency(graph, self_loops=True).sum(dim=1)
        tilted = zip(layers, formulation.tilts, strict=True)
        layers = [degree[:, None] ** tilt * matrix * degree**-tilt for matrix, tilt in tilted]
    others = [node for node in range(graph.num_nodes) if node not in {first, second}]
    weights = []
    for steps in range(1, min(4, 2 * formulation.depth) + 1):
        for inner in permutations(others, steps - 1):
            walk = (first, *inner, second)
            if not graph.has_links(torch.tensor(list(pairwise(walk)))).all():
                continue
            ways = [
                one_way(formulation, layers, walk[: half + 1]) * one_way(formulation, layers, walk[half:][::-1])
                for half in (steps // 2, steps - steps // 2)
            ]
            weights.append((ways[0] * ways[1]) ** 0.5)
    return sorted((weight for weight in weights if weight > 0), reverse=True)


@given(st.data())
def test_they_are_those_of_brute_force(data: st.DataObject) -> None:
    graph = data.draw(graphs(min_nodes=2, max_nodes=7))
    formulation = data.draw(formulations(degree_scale=False))
    count = data.draw(st.integers(0, 6))
    found = strongest_paths(formulation, graph, 0, 1, count=count)
    expected = brute_force(formulation, graph, 0, 1)[:count]
    assert [each.weight for each in found] == pytest.approx(expected, rel=1e-9)
    back = strongest_paths(formulation, graph, 1, 0, count=count)
    assert [(each.nodes[::-1], each.weight) for each in back] == [(each.nodes, each.weight) for each in found]
    for each in found:
        assert (each.nodes[0], each.nodes[-1]) == (0, 1)
        assert len(set(each.nodes)) == len(each.nodes)


@pytest.mark.parametrize("order", ["reading", "recurrence"])
def test_tilted_operators(order: Literal["reading", "recurrence"]) -> None:
    formulation = Formulation("h", (SYM,) * 4, (1.0,) * 5, order, tilts=(0.3, -0.2, 0.1, 0.4))
    small = Graph.from_edges(7, torch.tensor([[0, 2], [2, 1], [0, 3], [3, 4], [4, 1], [4, 5], [5, 6], [6, 1], [2, 4]]))
    found = strongest_paths(formulation, small, 0, 1, count=99)
    assert [each.weight for each in found] == pytest.approx(brute_force(formulation, small, 0, 1), rel=1e-9)
    forward = strongest_paths(formulation, karate_club(), 14, 2, count=20)
    backward = strongest_paths(formulation, karate_club(), 2, 14, count=20)
    assert [each.weight for each in forward] == [each.weight for each in backward]
    assert all(each.weight > 0 for each in forward)


def test_two_walkers_meet_in_the_middle_of_a_path() -> None:
    (only,) = strongest_paths(Formulation("h", (ROW, ROW), (0.0, 1.0, 1.0)), path(5), 0, 4)
    assert only.nodes == (0, 1, 2, 3, 4)
    assert only.weight == pytest.approx((1 / 2 * 1 / 3) ** 2)


@pytest.mark.parametrize(
    ("chosen", "count"), [({"longest": 1}, 1), ({"longest": 2}, 5), ({"longest": 3, "count": 99}, 17)]
)
def test_all_paths_of_a_complete_graph(chosen: dict[str, Any], count: int) -> None:
    # 1 link, 4 of two steps and 4 · 3 of three between two of six nodes.
    assert len(strongest_paths(Formulation("h", (SYM,) * 4, (1.0,) * 5), complete(6), 0, 5, **chosen)) == count


def test_ends_without_a_path_have_none() -> None:
    graph = Graph.from_edges(4, torch.tensor([[0, 1], [2, 3]]))
    assert strongest_paths(Formulation("h", (SYM,) * 4, (1.0,) * 5), graph, 0, 3) == ()


def test_longer_paths_are_refused() -> None:
    with pytest.raises(SettingsError, match="5 steps"):
        strongest_paths(Formulation("h", (SYM,), (1.0, 1.0)), path(3), 0, 2, longest=5)
