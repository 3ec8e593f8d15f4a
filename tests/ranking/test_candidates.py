"""Which pairs may be ranked, by blocks and by counting, is what the rules say of each pair."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.errors import SettingsError
from hlgnn.graph import Graph, path
from hlgnn.ranking import Candidates
from hlgnn.ranking.rectangles import rectangles
from strategies import graphs


@st.composite
def all_candidates(draw: st.DrawFn) -> Candidates:
    graph = draw(graphs(min_nodes=1, max_nodes=20))
    number = st.integers(0, graph.num_nodes - 1)
    excluded = draw(st.none() | st.lists(st.tuples(number, number), max_size=8))
    nodes = draw(st.none() | st.lists(number, max_size=6))
    most = draw(st.sampled_from([1, 3, 50]))
    kinds = draw(st.none() | st.lists(st.integers(0, most), min_size=graph.num_nodes, max_size=graph.num_nodes))
    return Candidates(
        graph,
        excluded=None if excluded is None else torch.tensor(excluded, dtype=torch.int64).view(-1, 2),
        kinds=None if kinds is None else torch.tensor(kinds),
        kinds_rule=draw(st.sampled_from(["differ", (0, 1), (1, 1), (2, 0)])),
        nodes=None if nodes is None else torch.tensor(nodes, dtype=torch.int64),
    )


def dense(candidates: Candidates) -> torch.Tensor:
    """The rules as matrices.  (N, N), bool"""
    count = candidates.graph.num_nodes
    out = torch.eye(count, dtype=torch.bool)
    excluded = torch.empty(0, 2, dtype=torch.int64) if candidates.excluded is None else candidates.excluded
    for i, j in [*candidates.graph.links.tolist(), *excluded.tolist()]:
        out[i, j] = out[j, i] = True
    allowed = ~out
    if candidates.nodes is not None:
        member = torch.isin(torch.arange(count), candidates.nodes)
        allowed &= member[:, None] | member
    if candidates.kinds is not None and candidates.kinds_rule == "differ":
        allowed &= candidates.kinds[:, None] != candidates.kinds
    elif candidates.kinds is not None:
        one, other = (candidates.kinds == kind for kind in candidates.kinds_rule)
        allowed &= (one[:, None] & other) | (other[:, None] & one)
    return allowed


@given(all_candidates(), st.data())
def test_blocks_pairs_and_counts_are_those_of_the_dense_matrix(candidates: Candidates, data: st.DataObject) -> None:
    expected = dense(candidates)
    count = candidates.graph.num_nodes
    number = st.integers(0, count - 1)
    rows = torch.tensor(data.draw(st.lists(number, max_size=9)), dtype=torch.int64)
    columns = torch.tensor(data.draw(st.lists(number, max_size=9, unique=True)), dtype=torch.int64)
    assert torch.equal(candidates.mask(rows, columns), expected[rows][:, columns])
    pairs = torch.cartesian_prod(torch.arange(count), torch.arange(count)).view(-1, 2)
    assert torch.equal(candidates.allowed(pairs).view(count, count), expected)
    assert candidates.count() == int(expected.triu().sum())


@given(all_candidates())
def test_rectangles_hold_every_allowed_pair_once(candidates: Candidates) -> None:
    count = candidates.graph.num_nodes
    covered = torch.zeros(count, count, dtype=torch.int64)
    for each in rectangles(candidates):
        block = torch.zeros(count, count, dtype=torch.int64)
        columns = each.rows if each.columns is None else each.columns
        block[each.rows[:, None], columns] = 1
        block = (block + block.T).clamp(max=1)
        covered += block.fill_diagonal_(0)
        assert each.size == int(block.triu().sum()) > 0
    assert int(covered.max()) <= 1
    assert bool((covered[dense(candidates)] == 1).all())


def test_pairs_of_one_kind_are_not_even_looked_at() -> None:
    bipartite = Candidates(path(6), kinds=torch.tensor([0, 0, 0, 0, 1, 1]))
    assert [each.size for each in rectangles(bipartite)] == [8]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"excluded": torch.tensor([0, 1])}, r"^excluded: .*\(Q, 2\)"),
        ({"excluded": torch.tensor([[0, 9]])}, r"^excluded: There is no node 9"),
        ({"nodes": torch.tensor([-1])}, r"^nodes: There is no node -1"),
        ({"nodes": torch.tensor([0.5])}, r"^nodes: Nodes are whole numbers"),
        ({"kinds": torch.tensor([0])}, r"^kinds: There are 1 kinds for 3 nodes"),
        ({"minimum": float("nan")}, r"^minimum: "),
    ],
)
def test_what_does_not_fit_the_graph_is_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Candidates(path(3), **wrong)


def test_a_graph_without_nodes_has_no_pairs() -> None:
    empty = Candidates(Graph.from_edges(0, torch.empty(0, 2, dtype=torch.int64)))
    assert empty.count() == 0
    assert rectangles(empty) == []
