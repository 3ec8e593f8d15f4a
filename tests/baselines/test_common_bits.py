"""Common neighbours by bits are those by merging sorted rows, edge by edge."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.baselines import common_neighbors as module
from hlgnn.baselines.common_bits import MOST_BYTES, bits_pay
from hlgnn.baselines.common_neighbors import Common, common_neighbors
from hlgnn.graph import Graph


def dense_graph(nodes: int, share: float, seed: int) -> Graph:
    chosen = torch.rand(nodes, nodes, generator=torch.Generator().manual_seed(seed)) < share
    return Graph.from_edges(nodes, chosen.triu(1).nonzero())


def found_by(graph: Graph, pairs: torch.Tensor, *, bits: bool) -> Common:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "bits_pay", lambda *_: bits)
        return common_neighbors(graph.adjacency.offset.numpy(), graph.adjacency.neighbor.numpy(), pairs.numpy())


@given(st.integers(1, 200), st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.integers(0, 60), st.integers(0, 9))
def test_bits_and_merging_find_the_same_edges(nodes: int, share: float, count: int, seed: int) -> None:
    graph = dense_graph(nodes, share, seed)
    pairs = torch.randint(nodes, (count, 2), generator=torch.Generator().manual_seed(seed))
    merged, by_bits = found_by(graph, pairs, bits=False), found_by(graph, pairs, bits=True)
    for expected, found in zip(merged, by_bits, strict=True):
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)


def test_bits_pay_where_rows_are_long_and_pairs_are_many() -> None:
    dense, sparse = dense_graph(400, 0.5, 0), dense_graph(400, 0.005, 0)
    pairs = torch.randint(400, (1000, 2), generator=torch.Generator().manual_seed(0)).numpy()
    assert bits_pay(dense.adjacency.offset.numpy(), pairs)
    assert not bits_pay(dense.adjacency.offset.numpy(), pairs[:2])
    assert not bits_pay(sparse.adjacency.offset.numpy(), pairs)
    large = int((8 * MOST_BYTES) ** 0.5) + 64
    assert not bits_pay(np.arange(large + 1) * large, pairs)
    assert not bits_pay(np.zeros(1, np.int64), np.empty((0, 2), np.int64))
