"""``build_csr`` equals a model made of Python sets and dictionaries."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlgnn.graph.threads
from hlgnn.errors import GraphFormatError
from hlgnn.graph.build import CsrBuild, build_csr

Edge = tuple[int, int, int]


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[int, list[Edge]]:
    num_nodes = draw(st.integers(1, 8))
    node = st.integers(0, num_nodes - 1)
    return num_nodes, draw(st.lists(st.tuples(node, node, st.integers(1, 9)), max_size=80))


def build(num_nodes: int, edges: list[Edge], dtype: type = np.int32) -> CsrBuild:
    source, target, weight = (np.array([edge[k] for edge in edges]) for k in range(3))
    return build_csr(num_nodes, source.astype(dtype), target.astype(dtype), weight.astype(np.float32))


def check(num_nodes: int, edges: list[Edge], built: CsrBuild) -> None:
    proper = [(i, j, w) for i, j, w in edges if i != j]
    directed = Counter((i, j) for i, j, _ in proper)
    links = {frozenset(pair) for pair in directed}
    neighbours: dict[int, list[int]] = defaultdict(list)
    for i, j in (sorted(link) for link in links):
        neighbours[i].append(j)
        neighbours[j].append(i)
    rows = np.split(built.neighbor, built.offset[1:-1])
    assert built.offset.tolist() == [0, *np.cumsum([len(neighbours[i]) for i in range(num_nodes)])]
    assert [row.tolist() for row in rows] == [sorted(neighbours[i]) for i in range(num_nodes)]
    assert built.self_loops == len(edges) - len(proper)
    assert built.repeats == len(proper) - len(directed)
    assert built.both_directions == len(directed) - len(links)
    if built.weight is None:
        return
    totals: dict[tuple[int, int], int] = defaultdict(int)
    for i, j, w in proper:
        totals[i, j] += w
    for i, (row, weights) in enumerate(zip(rows, np.split(built.weight, built.offset[1:-1]), strict=True)):
        assert weights.tolist() == [max(totals[i, j], totals[j, i]) for j in row.tolist()]


@given(drawn=edge_lists(), dtype=st.sampled_from([np.int32, np.int64]))
def test_rows_weights_and_counts(drawn: tuple[int, list[Edge]], dtype: type) -> None:
    check(*drawn, build(*drawn, dtype))


@given(drawn=edge_lists())
def test_without_weights(drawn: tuple[int, list[Edge]]) -> None:
    num_nodes, edges = drawn
    source, target = (np.array([edge[k] for edge in edges], np.int32) for k in range(2))
    built = build_csr(num_nodes, source, target)
    assert built.weight is None
    check(num_nodes, edges, built)


@given(drawn=edge_lists(), threads=st.integers(1, 5), seed=st.integers(0, 3))
def test_neither_threads_nor_the_order_of_rows_matter(drawn: tuple[int, list[Edge]], threads: int, seed: int) -> None:
    num_nodes, edges = drawn
    expected = build(num_nodes, edges)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hlgnn.graph.threads, "num_threads", lambda: threads)
        patch.setattr("hlgnn.graph.build.num_threads", lambda: threads)
        built = build(num_nodes, [edges[i] for i in np.random.default_rng(seed).permutation(len(edges))])
    for got, want in zip(built, expected, strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("weighted", [True, False])
def test_hubs_and_many_rows(*, weighted: bool) -> None:
    rng = np.random.default_rng(0)
    num_nodes, count = 400, 40_000
    source = (rng.random(count) ** 4 * num_nodes).astype(np.int32)
    target = rng.integers(0, num_nodes, count).astype(np.int32)
    weight = rng.integers(1, 9, count).astype(np.float32)
    built = build_csr(num_nodes, source, target, weight if weighted else None)
    assert np.diff(built.offset).max() > 200
    check(num_nodes, list(zip(source.tolist(), target.tolist(), weight.astype(int).tolist(), strict=True)), built)


def test_repeats_add_up_and_directions_do_not() -> None:
    built = build(2, [(0, 1, 2), (0, 1, 3), (1, 0, 4)])
    assert built.weight is not None
    assert built.weight.tolist() == [5.0, 5.0]
    assert (built.self_loops, built.repeats, built.both_directions) == (0, 1, 1)


@pytest.mark.parametrize("num_nodes", [0, 3])
def test_no_edges(num_nodes: int) -> None:
    empty = np.empty(0, np.int32)
    built = build_csr(num_nodes, empty, empty)
    assert built.offset.tolist() == [0] * (num_nodes + 1)
    assert len(built.neighbor) == 0


@pytest.mark.parametrize("edge", [(0, 3), (-1, 0), (3, 3), (-1, -1)])
def test_an_end_that_is_no_node(edge: tuple[int, int]) -> None:
    with pytest.raises(GraphFormatError, match="leaves the nodes 0 … 2") as caught:
        build_csr(3, np.array([0, edge[0]]), np.array([1, edge[1]]))
    assert caught.value.where == "edge 1"


def test_lengths_must_agree() -> None:
    with pytest.raises(GraphFormatError, match="1 sources, 2 targets"):
        build_csr(3, np.array([0]), np.array([1, 2]))
    with pytest.raises(GraphFormatError, match="and 2 weights"):
        build_csr(3, np.array([0]), np.array([1]), np.ones(2, np.float32))


def test_weights_that_add_up_beyond_single_precision_are_refused() -> None:
    ends, weight = np.array([0, 0]), np.array([3e38, 3e38], np.float32)
    with pytest.raises(GraphFormatError, match="more than single precision holds"):
        build_csr(2, ends, ends + 1, weight)
