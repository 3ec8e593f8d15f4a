"""The best pairs equal the ranking of all pairs, ties included."""

from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.errors import SettingsError
from hlgnn.formulation import top_local as module
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.local_heuristics import (
    LOCAL_HEURISTICS,
    LocalHeuristic,
    adamic_adar,
    jaccard,
    preferential_attachment,
    score_locals,
)
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM
from hlgnn.formulation.ranked import RankedLinks
from hlgnn.formulation.top_local import top_local
from hlgnn.graph import Graph, complete, path, star
from hlgnn.graph import threads as pool
from strategies import graphs

Make = Callable[..., LocalHeuristic | Formulation]

TWO_STEPS = {
    "cn": (ADJ, ADJ),
    "ra": (COL, ADJ),
    "llhn": (ROW, COL),
    "sym": (SYM, SYM),
    "inverse square": (COL, ROW),
}


def two_steps(name: str) -> Make:
    return lambda *, self_loops: Formulation(name, TWO_STEPS[name], (0.5, 0.7, 1.3), self_loops=self_loops)


ALL = {make(self_loops=True).name: make for make in LOCAL_HEURISTICS} | {name: two_steps(name) for name in TWO_STEPS}


def brute_force(graph: Graph, heuristic: LocalHeuristic | Formulation, k: int, node: int | None) -> list[object]:
    """Score all pairs, leave out links, sort with Python."""
    pairs = torch.combinations(torch.arange(graph.num_nodes))
    pairs = pairs[~graph.has_links(pairs)]
    if node is not None:
        pairs = pairs[(pairs == node).any(dim=1)]
    scores = score_locals(graph, pairs, [heuristic])[heuristic.name].tolist()
    ranked = sorted(zip(pairs.tolist(), scores, strict=True), key=lambda each: (-each[1], each[0]))
    return list(ranked[:k])


def listed(ranked: RankedLinks) -> list[object]:
    assert ranked.pairs.dtype == torch.int64
    assert ranked.scores.dtype == torch.float64
    return list(zip(ranked.pairs.tolist(), ranked.scores.tolist(), strict=True))


@pytest.fixture(
    params=[(1 << 18, 1, 0.03), (1, 1, 0.9), (40, 3, 0.5)], ids=["one round", "many rounds", "three threads"]
)
def rounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other cuts of the work, which no result may depend on."""
    walks, threads, scouting = request.param
    monkeypatch.setattr(module, "SHARE_OF_SCOUTING", scouting)
    monkeypatch.setattr(module, "WALKS_OF_FIRST_ROUND", walks)
    monkeypatch.setattr(module, "num_threads", lambda: threads)
    monkeypatch.setattr(pool, "num_threads", lambda: threads)


@pytest.mark.usefixtures("rounds")
@pytest.mark.parametrize("name", ALL)
@settings(max_examples=40)
@given(
    graph=graphs(max_nodes=14, weighted=None, with_features=False),
    self_loops=st.booleans(),
    k=st.integers(0, 12) | st.just(1000),
    node=st.none() | st.integers(0, 13),
)
def test_equals_brute_force(name: str, graph: Graph, self_loops: bool, k: int, node: int | None) -> None:
    heuristic = ALL[name](self_loops=self_loops)
    one = None if node is None else node % graph.num_nodes
    assert listed(top_local(graph, heuristic, k, node=one)) == brute_force(graph, heuristic, k, one)


@pytest.mark.usefixtures("rounds")
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("self_loops", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_brute_force_around_hubs(name: str, self_loops: bool, weighted: bool) -> None:
    """Skewed degrees: the rows of hubs are skipped, and candidates summed up one by one."""
    generator = torch.Generator().manual_seed(7)
    edges = (torch.rand(700, 2, generator=generator) ** torch.tensor([3.0, 1.0]) * 120).long()
    weight = torch.randint(1, 5, (700,), generator=generator).float() / 2 if weighted else None
    graph, heuristic = Graph.from_edges(120, edges, weight=weight), ALL[name](self_loops=self_loops)
    for k in (1, 10, 200):
        assert listed(top_local(graph, heuristic, k)) == brute_force(graph, heuristic, k, None)


@pytest.mark.parametrize("name", sorted(set(ALL) - {"sym"}))
@pytest.mark.parametrize("self_loops", [False, True])
def test_a_hundred_thousand_equal_leaves_take_no_time(name: str, self_loops: bool) -> None:
    """All 5 · 10⁹ pairs of leaves are equally good: the first ones are found without looking at the others."""
    best = top_local(star(100_000), ALL[name](self_loops=self_loops), 3)
    assert best.pairs.tolist() == [[1, 2], [1, 3], [1, 4]]


def test_zero_scores_follow_in_the_order_of_nodes() -> None:
    best = top_local(path(5), jaccard(self_loops=False), 100)
    assert best.pairs.tolist() == [[0, 2], [2, 4], [1, 3], [0, 3], [0, 4], [1, 4]]
    assert best.scores.tolist() == [0.5, 0.5, 1 / 3, 0.0, 0.0, 0.0]


def test_zero_scores_are_not_searched_for() -> None:
    graph = Graph.from_edges(1_000_000, torch.tensor([[0, 1], [1, 2]]))  # 5 · 10¹¹ pairs
    best = top_local(graph, adamic_adar(self_loops=False), 4)
    assert best.pairs.tolist() == [[0, 2], [0, 3], [0, 4], [0, 5]]
    attached = top_local(graph, preferential_attachment(self_loops=False), 3)
    assert attached.pairs.tolist() == [[0, 2], [0, 3], [0, 4]]


@pytest.mark.parametrize("name", ALL)
def test_a_complete_graph_misses_nothing(name: str) -> None:
    best = top_local(complete(5), ALL[name](self_loops=True), 10)
    assert (best.pairs.shape, best.scores.shape) == ((0, 2), (0,))


def test_progress_ends_with_the_last_source() -> None:
    told: list[tuple[int, int]] = []
    top_local(path(6), adamic_adar(), 100, progress=lambda _, done, all_: told.append((done, all_)))
    assert told[-1] == (6, 6)


@pytest.mark.parametrize(
    ("heuristic", "k", "node", "message"),
    [
        (jaccard(), -1, None, "-1"),
        (jaccard(), 1, 5, "no node 5"),
        (jaccard(), 1, -1, "no node -1"),
        (Formulation("walk", (ROW, ROW), (0.0, 0.0, 1.0)), 1, None, "differ"),
        (Formulation("inverse", (ADJ, ADJ), (0.0, 0.0, -1.0)), 1, None, "negative"),
        (Formulation("katz", (ADJ, ADJ, ADJ), (0.0, 0.0, 1.0, 1.0)), 1, None, "common neighbours"),
    ],
)
def test_what_cannot_be_ranked_is_refused(
    heuristic: LocalHeuristic | Formulation, k: int, node: int | None, message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        top_local(star(4), heuristic, k, node=node)


@given(
    entries=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([-1.0, 0.0, 0.5, 2.0]))),
    k=st.integers(0, 8),
)
def test_ranked_links_sort_like_python(entries: list[tuple[int, int, float]], k: int) -> None:
    pairs = torch.tensor([entry[:2] for entry in entries], dtype=torch.int64).view(-1, 2)
    best = RankedLinks.best(pairs, torch.tensor([entry[2] for entry in entries], dtype=torch.float64), k)
    ordered = sorted(((-score, min(i, j), max(i, j)) for i, j, score in entries))[:k]
    assert [(-score, *pair) for pair, score in zip(best.pairs.tolist(), best.scores.tolist(), strict=True)] == ordered
