"""The best k by streaming and bounds are those of ranking everything."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dense_matrices import all_pairs, dense_h, formulations
from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.formulation.catalogue import HEURISTICS, parse
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.full_rows import rows
from hlgnn.formulation.heuristics import katz, local_random_walk, random_walk_with_restart
from hlgnn.formulation.requests import score_table, top_links
from hlgnn.formulation.row_kernels import twelve_digits
from hlgnn.formulation.source_bounds import source_order
from hlgnn.formulation.symmetrized import Symmetrized, finite
from hlgnn.formulation.top_global import top_global
from hlgnn.graph import Graph, complete, cycle, karate_club, path
from strategies import graphs

GLOBAL = ("ki", "ki:gamma=0.01,order=none", "glhn", "rwr", "rwr:symmetrized=true", "fp", "lpi", "lrw", "lrw:alpha=0.5")


def _brute(graph: Graph, heuristic: object, node: int | None = None) -> list[tuple[float, int, int]]:
    """Rank all rows of H; what is symmetric is ranked once, by the score that either end has for the other."""
    one_way = heuristic.one_way if isinstance(heuristic, Symmetrized) else heuristic
    blocks = rows(finite(one_way, graph), graph, torch.arange(graph.num_nodes))
    h = torch.cat([scores for _, scores in blocks]).numpy()
    if isinstance(heuristic, Symmetrized):
        h = h + h.T
    pairs = _missing(graph, symmetric=heuristic.symmetric)
    if node is not None:
        pairs = pairs[(pairs == node).any(dim=1) if heuristic.symmetric else pairs[:, 0] == node]
    return sorted((-float(h[i, j]), i, j) for i, j in pairs.tolist())


def _missing(graph: Graph, *, symmetric: bool) -> torch.Tensor:
    """The pairs that can be ranked, smaller node first if that makes no difference."""
    pairs = all_pairs(graph.num_nodes)
    keep = (pairs[:, 0] < pairs[:, 1]) if symmetric else (pairs[:, 0] != pairs[:, 1])
    return pairs[keep & ~graph.has_links(pairs)]


def _as_tuples(best: object) -> list[tuple[float, int, int]]:
    return [(-score, i, j) for (i, j), score in zip(best.pairs.tolist(), best.scores.tolist(), strict=True)]


def _check(graph: Graph, heuristic: object, k: int, node: int | None = None) -> None:
    """The scores are the k best, each pair has its score, and equal scores are in the order of their nodes."""
    best = _as_tuples(top_global(graph, heuristic, k, node=node))
    everything = _brute(graph, heuristic, node)
    assert len(best) == min(k, len(everything))
    np.testing.assert_allclose(
        [score for score, _, _ in best], [score for score, _, _ in everything[: len(best)]], rtol=1e-11, atol=1e-300
    )
    assert best == sorted(best)
    scores = {(i, j): score for score, i, j in everything}
    for score, i, j in best:
        assert math.isclose(score, scores[i, j], rel_tol=1e-11, abs_tol=1e-300)
    assert len({(i, j) for _, i, j in best}) == len(best)


@settings(max_examples=25)
@pytest.mark.parametrize("name", GLOBAL)
@given(graph=graphs(max_nodes=10, weighted=None), k=st.integers(0, 100), self_loops=st.booleans(), data=st.data())
def test_every_global_heuristic_equals_brute_force(
    name: str, graph: Graph, k: int, self_loops: bool, data: st.DataObject
) -> None:
    if "none" in name:
        graph = graph.with_links(graph.links)  # heavy weights diverge
    node = data.draw(st.none() | st.integers(0, graph.num_nodes - 1))
    _check(graph, parse(name, self_loops=self_loops), k, node)


@given(graph=graphs(max_nodes=8, weighted=None), formulation=formulations(max_depth=5), k=st.integers(0, 30))
def test_every_formulation_equals_brute_force(graph: Graph, formulation: Formulation, k: int) -> None:
    _check(graph, formulation, k)
    _check(graph, Symmetrized(formulation), k)


def _complete_bipartite(left: int, right: int) -> Graph:
    return Graph.from_edges(left + right, torch.cartesian_prod(torch.arange(left), torch.arange(left, left + right)))


@pytest.mark.parametrize("name", GLOBAL)
@pytest.mark.parametrize("k", [1, 3, 7, 12, 100])
def test_ties_of_equal_nodes_are_in_the_order_of_their_numbers(name: str, k: int) -> None:
    """On these graphs every score of one distance is the same number but for rounding."""
    heuristic = parse(name)
    for graph, distance in ((cycle(12), _ring_distance), (_complete_bipartite(4, 5), _side)):
        listed = _missing(graph, symmetric=heuristic.symmetric)
        classes = {distance(i, j) for i, j in listed.tolist()}
        mean = {c: heuristic.scores(graph, listed[[distance(i, j) == c for i, j in listed.tolist()]]) for c in classes}
        ranked = sorted(listed.tolist(), key=lambda pair: (-round(float(mean[distance(*pair)][0]), 13), pair))
        assert top_global(graph, heuristic, k).pairs.tolist() == ranked[:k]


def _ring_distance(i: int, j: int) -> int:
    return min((i - j) % 12, (j - i) % 12)


def _side(i: int, j: int) -> bool:
    return i < 4


def _skewed_graph(num_nodes: int, seed: int) -> Graph:
    """A few hubs and many leaves, so that bounds have something to leave out."""
    generator = torch.Generator().manual_seed(seed)
    ends = (num_nodes * torch.rand(4 * num_nodes, 2, generator=generator) ** torch.tensor([3.0, 1.5])).long()
    return Graph.from_edges(num_nodes, ends)


@pytest.mark.parametrize("name", [*GLOBAL, "ki:gamma=0.001"])
def test_bounds_hold_and_leave_out_no_best_pair(name: str) -> None:
    graph = _skewed_graph(300, 3)
    if "none" in name:
        name = "ki:gamma=0.005,order=none"
    _check(graph, parse(name), 25)


@given(graph=graphs(min_nodes=2, max_nodes=10, weighted=None), self_loops=st.booleans(), name=st.sampled_from(GLOBAL))
def test_no_missing_link_exceeds_its_bound(graph: Graph, self_loops: bool, name: str) -> None:
    if "none" in name:
        graph = graph.with_links(graph.links)
    heuristic = parse(name, self_loops=self_loops)
    both = isinstance(heuristic, Symmetrized)
    formulation = finite(heuristic.one_way if both else heuristic, graph)
    h = dense_h(graph, formulation)
    h = h + h.T if both else h
    order = source_order(formulation, graph, unordered=heuristic.symmetric, both_ways=both)
    assert sorted(order.sources.tolist()) == list(range(graph.num_nodes))
    rank = np.argsort(order.sources)
    for i, j in _missing(graph, symmetric=False).tolist():
        if rank[j] > rank[i] or not heuristic.symmetric:
            assert h[i, j] <= order.bounds[rank[i]]


def test_hubs_first_and_most_sources_not_at_all() -> None:
    graph = _skewed_graph(3000, 1)
    seen: list[int] = []
    top_global(graph, katz(0.001, 4), 5, progress=lambda _, done, __: seen.append(done))
    assert seen[-1] == 3000  # told as finished
    assert seen[-2] < 600  # and yet few were looked at


@pytest.mark.parametrize("memory", [20_000, 200_000, 1 << 30])
def test_memory_changes_nothing(memory: int) -> None:
    graph = _skewed_graph(400, 5)
    expected = top_global(graph, random_walk_with_restart(order=20), 50)
    found = top_global(graph, random_walk_with_restart(order=20), 50, memory=memory)
    assert torch.equal(found.pairs, expected.pairs)
    assert torch.equal(found.scores, expected.scores)


def test_scores_differ_by_less_than_twelve_digits_from_the_exact_ones() -> None:
    for value in (0.0, 1.0, -1.0, 1 / 3, 1e-300, 12345.678901234567):
        assert twelve_digits(value) == pytest.approx(value, rel=1e-12, abs=0)
    assert twelve_digits(1 + 2**-52) == 1.0
    assert twelve_digits(1 + 1e-11) != 1.0


@settings(max_examples=10)
@pytest.mark.parametrize("name", list(HEURISTICS))
@given(graph=graphs(max_nodes=9), k=st.integers(0, 40))
def test_any_heuristic_can_be_ranked_by(name: str, graph: Graph, k: int) -> None:
    heuristic = parse(name, self_loops=False)
    pairs = _missing(graph, symmetric=heuristic.symmetric)
    scores = score_table(graph, pairs, {"it": heuristic})["it"]
    best = top_links(graph, heuristic, k)
    torch.testing.assert_close(best.scores, scores.sort(descending=True).values[:k], rtol=1e-11, atol=1e-300)
    found = score_table(graph, best.pairs, {"it": heuristic})["it"]
    torch.testing.assert_close(best.scores, found, rtol=1e-11, atol=1e-300)


def test_both_directions_of_a_walk_are_ranked_separately() -> None:
    best = top_global(path(3), random_walk_with_restart(alpha=0.5), 9)
    assert sorted(best.pairs.tolist()) == [[0, 2], [2, 0]]
    assert top_global(path(3), local_random_walk(), 9).pairs.tolist() == [[0, 2]]


def test_a_complete_graph_misses_nothing() -> None:
    assert len(top_global(complete(6), katz(), 5)) == 0


def test_illegal_requests_are_refused() -> None:
    with pytest.raises(SettingsError):
        top_global(karate_club(), katz(), -1)
    with pytest.raises(GraphFormatError):
        top_global(karate_club(), katz(), 1, node=34)
    with pytest.raises(SettingsError, match="suffice"):
        top_global(karate_club(), katz(), 1, memory=100)
