"""The best missing links by a model are those that scoring, sorting and cutting off gives."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from hlgnn.errors import NumericalError, SettingsError
from hlgnn.formulation.ranked import RankedLinks
from hlgnn.graph import Graph
from hlgnn.models import HLGNN
from hlgnn.ranking import Candidates, top_links_of_nodes, top_model_links
from hlgnn.ranking.exact_scores import ExactScores, settled
from strategies import graphs
from toy_models import build, communities

KINDS = ("mlp", "residual", "dot", "cosine", "diagonal")
TINY = 1 << 10
NODES = st.integers(0, 39)


def model_of(graph: Graph, kind: str, seed: int = 0, **chosen: Any) -> HLGNN:
    """All weights drawn, so that nothing that starts at zero stays there."""
    given = {"input": {"hidden": 6}, "propagation": {"depth": 2}, "head": {"kind": kind, "hidden": 7}}
    model = build(graph, seed, **(given | chosen))
    generator = torch.Generator().manual_seed(seed)
    for parameter in model.head.parameters():
        torch.nn.init.normal_(parameter, generator=generator)
    return model.eval()


def encoded(model: HLGNN, graph: Graph) -> Any:
    with torch.no_grad():
        return model.encode(model.prepare(graph))


def is_allowed(candidates: Candidates, i: int, j: int) -> bool:
    """The rules, one pair at a time."""
    links = {tuple(sorted(pair)) for pair in candidates.graph.links.tolist()}
    excluded = [] if candidates.excluded is None else candidates.excluded.tolist()
    if (i, j) in links or [i, j] in excluded or [j, i] in excluded:
        return False
    if candidates.nodes is not None and not {i, j} & set(candidates.nodes.tolist()):
        return False
    if candidates.kinds is None:
        return True
    ends = [int(candidates.kinds[i]), int(candidates.kinds[j])]
    if candidates.kinds_rule == "differ":
        return ends[0] != ends[1]
    return sorted(ends) == sorted(candidates.kinds_rule)


def allowed_pairs(candidates: Candidates) -> torch.Tensor:
    count = candidates.graph.num_nodes
    pairs = [(i, j) for j in range(count) for i in range(j) if is_allowed(candidates, i, j)]
    return torch.tensor(sorted(pairs), dtype=torch.int64).view(-1, 2)


def brute_force(score: Any, candidates: Candidates, k: int, node: int | None = None) -> RankedLinks:
    pairs = allowed_pairs(candidates)
    if node is not None:
        pairs = pairs[(pairs == node).any(dim=1)]
    with torch.no_grad():
        values = score(pairs).double().tolist() if len(pairs) else []
    rows = [(-value, *pair) for value, pair in zip(values, pairs.tolist(), strict=True)]
    if candidates.minimum is not None:
        rows = [row for row in rows if -row[0] >= candidates.minimum]
    best = sorted(rows)[:k]
    found = torch.tensor([row[1:] for row in best], dtype=torch.int64).view(-1, 2)
    return RankedLinks(found, torch.tensor([-row[0] for row in best], dtype=torch.float64))


def assert_same(actual: RankedLinks, expected: RankedLinks) -> None:
    assert actual.pairs.tolist() == expected.pairs.tolist()
    assert torch.equal(actual.scores, expected.scores)
    assert actual.scores.dtype == torch.float64


@st.composite
def candidates_of(draw: st.DrawFn, graph: Graph) -> Candidates:
    """Any of the filters, alone and together."""
    count = graph.num_nodes
    number = st.integers(0, count - 1)
    excluded = draw(st.none() | st.lists(st.tuples(number, number), max_size=8))
    nodes = draw(st.none() | st.lists(number, max_size=6))
    kinds = draw(
        st.none() | st.lists(st.integers(0, draw(st.sampled_from([1, 2, 40]))), min_size=count, max_size=count)
    )
    return Candidates(
        graph,
        excluded=None if excluded is None else torch.tensor(excluded, dtype=torch.int64).view(-1, 2),
        kinds=None if kinds is None else torch.tensor(kinds),
        kinds_rule=draw(st.sampled_from(["differ", (0, 1), (1, 0), (1, 1), (0, 7)])),
        nodes=None if nodes is None else torch.tensor(nodes, dtype=torch.int64),
        minimum=draw(st.none() | st.sampled_from([-1.0, 0.0, 0.5])),
    )


@st.composite
def problems(draw: st.DrawFn) -> tuple[Graph, Candidates]:
    graph = draw(graphs(min_nodes=2, max_nodes=40, with_features=True))
    return graph, draw(candidates_of(graph))


@pytest.mark.parametrize("kind", KINDS)
@given(problem=problems(), k=st.sampled_from([0, 1, 2, 5, 30, 5000]), memory=st.sampled_from([TINY, 1 << 12, 1 << 30]))
@settings(max_examples=60)
def test_equal_to_brute_force(kind: str, problem: tuple[Graph, Candidates], k: int, memory: int) -> None:
    graph, candidates = problem
    model = model_of(graph, kind)
    state = encoded(model, graph)
    expected = brute_force(ExactScores(model, settled(state)), candidates, k)
    assert_same(top_model_links(model, state, candidates, k, memory=memory), expected)


@pytest.mark.parametrize("kind", KINDS)
@given(problem=problems(), k=st.sampled_from([0, 1, 3, 50]), some=st.lists(NODES, max_size=5), rows=st.integers(1, 3))
@settings(max_examples=40)
def test_equal_to_brute_force_for_each_node(
    kind: str, problem: tuple[Graph, Candidates], k: int, some: list[int], rows: int
) -> None:
    graph, candidates = problem
    model = model_of(graph, kind)
    state = encoded(model, graph)
    nodes = torch.tensor([node % graph.num_nodes for node in some], dtype=torch.int64)
    score = ExactScores(model, settled(state))
    lists = top_links_of_nodes(model, state, candidates, nodes, k, memory=64 * rows * graph.num_nodes)
    assert len(lists) == len(nodes)
    for node, actual in zip(nodes.tolist(), lists, strict=True):
        assert_same(actual, brute_force(score, candidates, k, node))


def exact_model(graph: Graph, kind: str) -> HLGNN:
    """Z = X and weights of quarters: single precision rounds nothing, and many scores are equal."""
    model = model_of(graph, kind, input={"hidden": 0}, propagation={"depth": 0}, path="plain")
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        model.propagation.beta.fill_(1.0)
        for parameter in model.head.parameters():
            parameter.copy_(torch.randint(-3, 4, parameter.shape, generator=generator) / 4)
    return model


@pytest.mark.parametrize("kind", ["mlp", "dot", "diagonal"])
@given(problem=problems(), k=st.sampled_from([1, 4, 25, 5000]), memory=st.sampled_from([TINY, 1 << 30]))
@settings(max_examples=60)
def test_equal_to_the_scores_of_the_model_to_the_last_bit_where_nothing_is_rounded(
    kind: str, problem: tuple[Graph, Candidates], k: int, memory: int
) -> None:
    graph, candidates = problem
    model = exact_model(graph, kind)
    state = encoded(model, graph)
    expected = brute_force(lambda pairs: model.score(state, pairs), candidates, k)
    assert_same(top_model_links(model, state, candidates, k, memory=memory), expected)
    assert_same(
        top_links_of_nodes(model, state, candidates, torch.tensor([0]), k)[0],
        brute_force(lambda pairs: model.score(state, pairs), candidates, k, node=0),
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("memory", [TINY, 1 << 30])
def test_equal_scores_are_ordered_by_node(kind: str, memory: int) -> None:
    """Nodes without anything, and nodes whose representations are copies of others."""
    graph = Graph.from_edges(30, torch.empty(0, 2, dtype=torch.int64), features=torch.ones(30, 4))
    model, candidates = model_of(graph, kind, path="plain"), Candidates(graph)
    pattern = torch.randn(5, 6, generator=torch.Generator().manual_seed(2))
    for z in (torch.zeros(30, 6), pattern.repeat(6, 1)):
        state = replace(encoded(model, graph), z=z)
        expected = brute_force(ExactScores(model, settled(state)), candidates, 200)
        assert len(expected.scores.unique()) <= 15
        for k in (1, 7, 200):
            found = top_model_links(model, state, candidates, k, memory=memory)
            assert_same(found, RankedLinks(expected.pairs[:k], expected.scores[:k]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("path", ["plain", "once"])
def test_every_block_size_gives_the_same(kind: str, path: str) -> None:
    graph = communities()
    model = model_of(graph, kind, path=path)
    state, candidates = encoded(model, graph), Candidates(graph)
    whole = top_model_links(model, state, candidates, 60)
    for memory in (1 << 8, 1 << 10, 1 << 14, 1 << 17):
        assert_same(top_model_links(model, state, candidates, 60, memory=memory), whole)
    with torch.no_grad():
        assert_close(whole.scores, model.score(state, whole.pairs).double(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_mode_of_the_model_and_its_dropout_play_no_part(kind: str) -> None:
    graph = communities()
    model = model_of(graph, kind, head={"kind": kind, "hidden": 7, "dropout": 0.5})
    state, candidates = encoded(model, graph), Candidates(graph)
    expected = top_model_links(model, state, candidates, 20)
    model.train()
    assert_same(top_model_links(model, state, candidates, 20), expected)
    assert model.training
    assert not expected.scores.requires_grad


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_pairs_are_read(kind: str) -> None:
    graph = communities()
    model = model_of(graph, kind, head={"kind": kind, "hidden": 7, "pair_features": True})
    state, candidates = encoded(model, graph), Candidates(graph)
    expected = brute_force(ExactScores(model, settled(state)), candidates, 40)
    assert_same(top_model_links(model, state, candidates, 40, memory=1 << 14), expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_scores_that_are_no_numbers_are_refused(kind: str, wrong: float) -> None:
    graph = communities()
    model = model_of(graph, kind)
    state = encoded(model, graph)
    assert model.linear is not None
    with torch.no_grad():
        model.linear.bias[0] = wrong
    state = encoded(model, graph)
    with pytest.raises(NumericalError, match="infinite or no numbers"):
        top_model_links(model, state, Candidates(graph), 5)
    with pytest.raises(NumericalError, match="infinite or no numbers"):
        top_links_of_nodes(model, state, Candidates(graph), torch.tensor([3]), 5)


@pytest.mark.parametrize("kind", ["mlp", "dot"])
def test_progress_reaches_its_end(kind: str) -> None:
    graph = communities()
    model = model_of(graph, kind)
    told: list[tuple[int, int]] = []
    candidates = Candidates(graph, kinds=torch.arange(48) % 3)
    top_model_links(
        model, encoded(model, graph), candidates, 5, memory=4096, progress=lambda what, *rest: told.append(rest)
    )
    assert len(told) > 3
    assert told[-1][0] == told[-1][1]
    assert told == sorted(told)


def test_requests_that_make_no_sense_are_refused() -> None:
    graph = communities()
    model = model_of(graph, "dot")
    state, candidates = encoded(model, graph), Candidates(graph)
    with pytest.raises(SettingsError, match=r"^k: The best -1 pairs"):
        top_model_links(model, state, candidates, -1)
    with pytest.raises(SettingsError, match=r"^memory: .* too little"):
        top_model_links(model, state, candidates, 1, memory=1)
    with pytest.raises(SettingsError, match=r"^memory: .* one row of scores"):
        top_links_of_nodes(model, state, candidates, torch.tensor([0]), 1, memory=100)
    with pytest.raises(SettingsError, match=r"^nodes: There is no node 48"):
        top_links_of_nodes(model, state, candidates, torch.tensor([48]), 1)


def test_without_nodes_or_without_missing_links_there_is_nothing() -> None:
    full = Graph.from_edges(4, torch.combinations(torch.arange(4)), features=torch.ones(4, 2))
    for kind in KINDS:
        model = model_of(full, kind)
        state = encoded(model, full)
        assert len(top_model_links(model, state, Candidates(full), 3)) == 0
        assert [len(each) for each in top_links_of_nodes(model, state, Candidates(full), torch.arange(4), 3)] == [0] * 4
