"""Local heuristics equal their definitions as sets, networkx, and the entries of H."""

import itertools
import math
from collections.abc import Callable
from dataclasses import replace

import networkx as nx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from hlgnn.errors import SettingsError
from hlgnn.formulation import local_heuristics as catalogue
from hlgnn.formulation import local_scores
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.local_heuristics import LOCAL_HEURISTICS, score_locals
from hlgnn.formulation.local_rules import as_local
from hlgnn.formulation.local_sums import local_sums
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.graph import Graph, star, to_networkx
from strategies import graphs

OPERATORS = (ADJ, SYM, ROW, COL)


def divided(above: float, below: float) -> float:
    return above / below if below else 0.0


SETS: dict[str, Callable[[set[int], set[int], dict[int, int]], float]] = {
    "aa": lambda a, b, d: sum(1 / math.log(d[k]) for k in a & b if d[k] > 1),
    "jaccard": lambda a, b, d: divided(len(a & b), len(a | b)),
    "salton": lambda a, b, d: divided(len(a & b), math.sqrt(len(a) * len(b))),
    "sorensen": lambda a, b, d: divided(2 * len(a & b), len(a) + len(b)),
    "hpi": lambda a, b, d: divided(len(a & b), min(len(a), len(b))),
    "hdi": lambda a, b, d: divided(len(a & b), max(len(a), len(b))),
    "pa": lambda a, b, d: float(len(a) * len(b)),
}


def all_pairs(num_nodes: int) -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(num_nodes), torch.arange(num_nodes))


def dense_h(graph: Graph, formulation: Formulation) -> torch.Tensor:
    """Eq. 1 or Eq. 2, literally.  (N, N)"""
    size = graph.num_nodes
    matrix = torch.zeros(size, size, dtype=torch.float64)
    source, target = graph.links.unbind(dim=1)
    matrix[source, target] = (
        torch.ones(len(source)).double() if graph.link_weight is None else graph.link_weight.double()
    )
    matrix = matrix + matrix.T + (torch.eye(size) if formulation.self_loops else 0)
    inverse = torch.where(matrix.sum(1) > 0, 1 / matrix.sum(1), 0.0).diag()
    steps = {ADJ: matrix, SYM: inverse.sqrt() @ matrix @ inverse.sqrt(), ROW: inverse @ matrix, COL: matrix @ inverse}
    first, second = (steps[operator] for operator in formulation.operators)
    product = first @ second if formulation.order == "reading" else second @ first
    betas = formulation.betas
    return betas[0] * torch.eye(size) + betas[1] * first + betas[2] * product


@pytest.mark.parametrize("make", LOCAL_HEURISTICS)
@given(graph=graphs(weighted=None), self_loops=st.booleans())
def test_scores_are_what_sets_of_neighbours_give(
    make: Callable[..., catalogue.LocalHeuristic], graph: Graph, self_loops: bool
) -> None:
    heuristic, pairs = make(self_loops=self_loops), all_pairs(graph.num_nodes)
    neighbors = {node: {node} if self_loops else set() for node in range(graph.num_nodes)}
    for source, target in graph.links.tolist():
        neighbors[source].add(target)
        neighbors[target].add(source)
    degree = {node: len(near) for node, near in neighbors.items()}
    expected = [SETS[heuristic.name](neighbors[i], neighbors[j], degree) for i, j in pairs.tolist()]
    assert_close(heuristic.scores(graph, pairs), torch.tensor(expected, dtype=torch.float64))
    assert heuristic.symmetric
    assert torch.equal(heuristic.scores(graph, pairs), heuristic.scores(graph, pairs.flip(1)))


@pytest.mark.parametrize(
    ("make", "peer"),
    [
        (catalogue.adamic_adar, nx.adamic_adar_index),
        (catalogue.jaccard, nx.jaccard_coefficient),
        (catalogue.preferential_attachment, nx.preferential_attachment),
    ],
)
@given(graph=graphs(min_nodes=2, weighted=False, with_features=False))
def test_without_self_loops_they_equal_networkx(
    make: Callable[..., catalogue.LocalHeuristic], peer: Callable[..., object], graph: Graph
) -> None:
    pairs = torch.combinations(torch.arange(graph.num_nodes))
    expected = [score for _, _, score in peer(to_networkx(graph), [tuple(pair) for pair in pairs.tolist()])]  # type: ignore[attr-defined]
    assert_close(make(self_loops=False).scores(graph, pairs), torch.tensor(expected, dtype=torch.float64))


@given(
    graph=graphs(weighted=None),
    operators=st.tuples(st.sampled_from(OPERATORS), st.sampled_from(OPERATORS)),
    betas=st.tuples(*[st.sampled_from([0.0, 1.0, -0.5, 3.0])] * 3),
    order=st.sampled_from(["reading", "recurrence"]),
    self_loops=st.booleans(),
)
def test_two_steps_of_the_formulation_are_local(
    graph: Graph, operators: tuple[Operator, Operator], betas: tuple[float, float, float], order: str, self_loops: bool
) -> None:
    formulation = Formulation("two", operators, betas, order=order, self_loops=self_loops)  # type: ignore[arg-type]
    pairs = all_pairs(graph.num_nodes)
    h = dense_h(graph, formulation)
    assert_close(score_locals(graph, pairs, [formulation])["two"], h[pairs[:, 0], pairs[:, 1]])


@pytest.mark.parametrize(
    "other",
    [
        Formulation("one step", (ADJ,), (0.0, 1.0)),
        Formulation("three steps", (ADJ, ADJ, ADJ), (0.0, 0.0, 1.0, 1.0)),
        Formulation("mixture", (ADJ, Operator(row=0.5, col=0.5)), (0.0, 0.0, 1.0)),
        Formulation("scaled", (ADJ, ADJ), (0.0, 0.0, 1.0), degree_scale=True),
    ],
)
def test_what_is_not_local_is_refused(other: Formulation) -> None:
    assert as_local(other) is None
    with pytest.raises(SettingsError, match="common neighbours"):
        score_locals(star(3), torch.tensor([[1, 2]]), [other])


@pytest.mark.parametrize(("weighted", "passes"), [(False, 1), (True, 2)])
def test_requests_share_a_pass(weighted: bool, passes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = star(4).with_links(star(4).links, torch.tensor([1.0, 2.0, 3.0, 4.0])) if weighted else star(4)
    requests = [make() for make in LOCAL_HEURISTICS]
    two_steps = [
        Formulation(f"{a}{b}", (first, second), (0.0, 0.0, 1.0))
        for (a, first), (b, second) in itertools.product(enumerate(OPERATORS), repeat=2)
    ]
    calls = []
    monkeypatch.setattr(local_scores, "local_sums", lambda *given: calls.append(1) or local_sums(*given))
    together = score_locals(graph, all_pairs(5), [*requests, *two_steps])
    assert len(calls) == passes
    for heuristic in [*requests, *two_steps]:
        assert torch.equal(together[heuristic.name], score_locals(graph, all_pairs(5), [heuristic])[heuristic.name])


def test_little_memory_gives_the_same() -> None:
    graph, pairs = star(4), all_pairs(5)
    told: list[int] = []
    scores = catalogue.jaccard().scores(graph, pairs, memory=1, progress=lambda _, done, all_: told.append(done))
    assert torch.equal(scores, catalogue.jaccard().scores(graph, pairs))
    assert told == list(range(1, 26))


def test_a_name_is_asked_for_once() -> None:
    with pytest.raises(SettingsError, match="same name"):
        score_locals(star(3), torch.tensor([[1, 2]]), [catalogue.jaccard(), catalogue.jaccard(self_loops=False)])


def test_rows_say_what_is_summed() -> None:
    assert catalogue.adamic_adar().rows == ("inverse_log",)
    assert catalogue.jaccard().rows == ("one",)
    assert catalogue.preferential_attachment().rows == ()


def test_weights_count_for_the_formulation_only() -> None:
    links, pair = star(4).links, torch.tensor([[1, 2]])
    heavy = star(4).with_links(links, torch.tensor([2.0, 3.0, 1.0, 1.0]))
    common = Formulation("cn", (ADJ, ADJ), (0.0, 0.0, 1.0), self_loops=False)
    scores = score_locals(heavy, pair, [common, replace(catalogue.jaccard(), self_loops=False)])
    assert (scores["cn"].item(), scores["jaccard"].item()) == (6.0, 1.0)
