"""Sums over common neighbours are entries of Ã diag(v) Ã."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.formulation import local_sums as module
from hlgnn.formulation.local_sums import local_sums
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph, star
from hlgnn.graph import threads as pool
from strategies import graphs


def dense(graph: Graph, self_loops: bool) -> torch.Tensor:
    """Ã, literally.  (N, N)"""
    matrix = torch.zeros(graph.num_nodes, graph.num_nodes, dtype=torch.float64)
    weight = graph.link_weight
    source, target = graph.links.unbind(dim=1)
    matrix[source, target] = torch.ones(len(source)).double() if weight is None else weight.double()
    return matrix + matrix.T + (torch.eye(graph.num_nodes) if self_loops else 0)


def all_pairs(num_nodes: int) -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(num_nodes), torch.arange(num_nodes))


def some_values(rows: int, num_nodes: int) -> torch.Tensor:
    return torch.rand(rows, num_nodes, generator=torch.Generator().manual_seed(rows), dtype=torch.float64) - 0.25


@given(graph=graphs(weighted=None), self_loops=st.booleans(), rows=st.integers(0, 9))
def test_sums_are_entries_of_the_product(graph: Graph, self_loops: bool, rows: int) -> None:
    values, matrix, pairs = some_values(rows, graph.num_nodes), dense(graph, self_loops), all_pairs(graph.num_nodes)
    sums = local_sums(normalize(graph.adjacency, self_loops=self_loops), pairs, values)
    assert sums.shape == (len(pairs), rows)
    assert sums.dtype == torch.float64
    for row in range(rows):
        product = matrix @ torch.diag(values[row]) @ matrix
        assert_close(sums[:, row], product[pairs[:, 0], pairs[:, 1]])


@given(graph=graphs(weighted=None), self_loops=st.booleans())
def test_both_directions_agree_to_the_last_bit(graph: Graph, self_loops: bool) -> None:
    normalized, values = normalize(graph.adjacency, self_loops=self_loops), some_values(3, graph.num_nodes)
    pairs = all_pairs(graph.num_nodes)
    assert torch.equal(local_sums(normalized, pairs, values), local_sums(normalized, pairs.flip(1), values))


@given(graph=graphs(weighted=None), self_loops=st.booleans(), order=st.randoms(use_true_random=False))
def test_order_and_repeats_of_pairs_do_not_matter(graph: Graph, self_loops: bool, order: object) -> None:
    normalized, values = normalize(graph.adjacency, self_loops=self_loops), some_values(2, graph.num_nodes)
    pairs = all_pairs(graph.num_nodes)
    chosen = torch.tensor([order.randrange(len(pairs)) for _ in range(3 * len(pairs))])  # type: ignore[attr-defined]
    assert torch.equal(local_sums(normalized, pairs[chosen], values), local_sums(normalized, pairs, values)[chosen])


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("weighted", [False, True])
def test_threads_and_blocks_do_not_matter(threads: int, weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = torch.Generator().manual_seed(0)
    weight = torch.rand(900, generator=generator) + 0.1 if weighted else None
    graph = Graph.from_edges(90, torch.randint(90, (900, 2), generator=generator), weight=weight)
    pairs, values = torch.randint(90, (20_000, 2), generator=generator), some_values(5, 90)
    normalized = normalize(graph.adjacency)
    monkeypatch.setattr(module, "num_threads", lambda: 1)
    alone = local_sums(normalized, pairs, values)
    monkeypatch.setattr(module, "num_threads", lambda: threads)
    monkeypatch.setattr(pool, "num_threads", lambda: threads)
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 7001)
    assert torch.equal(local_sums(normalized, pairs, values), alone)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64])
def test_any_integer_type(dtype: torch.dtype) -> None:
    normalized = normalize(star(4).adjacency, self_loops=False)
    sums = local_sums(normalized, torch.tensor([[1, 2], [0, 1], [3, 3]], dtype=dtype), torch.ones(1, 5))
    assert sums.flatten().tolist() == [1.0, 0.0, 1.0]


def test_pairs_may_be_a_view() -> None:
    normalized, values = normalize(star(4).adjacency), torch.ones(1, 5)
    view = torch.tensor([[1, 0, 2], [2, 1, 2]]).T  # neither dimension is contiguous in memory as kernels want it
    assert torch.equal(local_sums(normalized, view, values), local_sums(normalized, view.contiguous(), values))


def test_a_link_has_both_ends_among_its_common_neighbours() -> None:
    values = torch.tensor([[10.0, 1.0, 0.0]])
    graph = Graph.from_edges(3, torch.tensor([[0, 1]]))
    sums = local_sums(normalize(graph.adjacency), torch.tensor([[0, 1], [0, 0], [2, 2], [0, 2]]), values)
    assert sums.flatten().tolist() == [11.0, 11.0, 0.0, 0.0]


def test_progress_ends_at_the_number_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 2)
    told: list[tuple[int, int]] = []
    pairs = torch.zeros(5, 2, dtype=torch.int64)
    local_sums(
        normalize(star(2).adjacency), pairs, torch.ones(1, 3), progress=lambda _, done, all_: told.append((done, all_))
    )
    assert told == [(2, 5), (4, 5), (5, 5)]


@pytest.mark.parametrize("pairs", [[[0, 3]], [[-1, 0]], [[0, 1], [7, 2]]])
def test_unknown_nodes_are_named(pairs: list[list[int]]) -> None:
    wrong = next(node for pair in pairs for node in pair if not 0 <= node < 3)
    with pytest.raises(GraphFormatError, match=f"no node {wrong}"):
        local_sums(normalize(star(2).adjacency), torch.tensor(pairs), torch.ones(1, 3))


def test_shapes_are_checked() -> None:
    normalized = normalize(star(2).adjacency)
    with pytest.raises(GraphFormatError, match="shape"):
        local_sums(normalized, torch.tensor([0, 1]), torch.ones(1, 3))
    with pytest.raises(GraphFormatError, match="float32"):
        local_sums(normalized, torch.tensor([[0.0, 1.0]]), torch.ones(1, 3))
    with pytest.raises(SettingsError, match="shape"):
        local_sums(normalized, torch.tensor([[0, 1]]), torch.ones(1, 4))
