"""A heuristic explains itself; samples hold what they say."""

import pytest
import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation import ADJ, SYM, Formulation, parse
from hlgnn.graph import Graph, karate_club
from hlgnn.interpret import nearest_heuristic
from hlgnn.interpret.nearest_heuristic import CANDIDATES, explained, sample_pairs


def draw() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.mark.parametrize("request_text", ["cn", "llhn", "ra", "inverse-square", "normalized-ra", "ki", "lpi", "lrw"])
def test_a_heuristic_is_its_own_nearest(request_text: str) -> None:
    found = nearest_heuristic(parse(request_text), karate_club(), generator=draw(), pairs_of_each_kind=200)
    assert found.name == request_text
    assert found.r_squared == pytest.approx(1.0, abs=1e-9)
    assert found.scale == pytest.approx(1.0)
    assert found.all[0] == (found.name, found.r_squared)
    assert {name for name, _ in found.all} == set(CANDIDATES)
    assert all(0.0 <= value <= 1.0 for _, value in found.all)


@pytest.mark.parametrize(("name", "alpha"), [("rwr", 0.5), ("fp", 0.8)])
def test_parameters_of_walks_are_found(name: str, alpha: float) -> None:
    found = nearest_heuristic(parse(f"{name}:alpha={alpha},order=20"), karate_club(), generator=draw())
    assert (found.name, found.request) == (name, f"{name}:alpha={alpha},order=20")


def test_scale_and_identity_do_not_matter() -> None:
    formulation = Formulation("h", (ADJ, ADJ), (7.0, 0.0, -3.0))
    found = nearest_heuristic(formulation, karate_club(), generator=draw())
    assert (found.name, found.title) == ("cn", "Common neighbours")
    assert found.scale == pytest.approx(-3.0)


def test_the_katz_index_without_self_loops_is_compared_without_them() -> None:
    found = nearest_heuristic(parse("katz:gamma=0.05", self_loops=False), karate_club(), generator=draw())
    assert (found.name, found.title) == ("ki", "Katz index")
    assert found.r_squared == pytest.approx(1.0, abs=1e-9)


def test_the_same_draw_gives_the_same_answer() -> None:
    formulation = Formulation("h", (SYM,) * 3, (0.1, 0.2, 0.5, 0.3))
    first, second = (nearest_heuristic(formulation, karate_club(), generator=draw()) for _ in range(2))
    assert first == second


def test_the_identity_has_no_nearest_heuristic() -> None:
    with pytest.raises(SettingsError, match="same score"):
        nearest_heuristic(Formulation("identity", (), (1.0,)), karate_club(), generator=draw())


def test_samples_hold_links_two_steps_and_any_pairs() -> None:
    graph = karate_club()
    pairs = sample_pairs(graph, 100, draw())
    linked = graph.has_links(pairs)
    assert bool(linked[:100].all())
    assert bool((pairs[:, 0] != pairs[:, 1]).all())
    second = pairs[100:200]
    assert not bool(graph.has_links(second).any())
    assert bool((parse("cn").scores(graph, second) > 0).all())
    assert len(sample_pairs(Graph.from_edges(5, torch.empty(0, 2, dtype=torch.int64)), 100, draw())) > 0


def test_a_constant_explains_nothing() -> None:
    assert explained(torch.ones(4), torch.arange(4.0)) == (0.0, 0.0)
