"""Hard negatives equal a slow, literal version of their definition."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hlgnn.data.hard_negatives import TELEPORT, heart
from hlgnn.errors import SplitError
from hlgnn.graph import Graph, star
from strategies import graphs


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def dense(graph: Graph) -> np.ndarray:
    return graph.to_pattern().toarray().astype(float)


def resource_allocation(graph: Graph) -> np.ndarray:
    adjacency = dense(graph)
    degree = adjacency.sum(axis=1)
    return adjacency @ np.diag(np.divide(1, degree, out=np.zeros_like(degree), where=degree > 0)) @ adjacency


def pagerank(graph: Graph) -> np.ndarray:
    adjacency = dense(graph)
    degree = adjacency.sum(axis=1, keepdims=True)
    walk = np.divide(adjacency, degree, out=np.eye(len(adjacency)), where=degree > 0)
    return TELEPORT * np.linalg.inv(np.eye(len(adjacency)) - (1 - TELEPORT) * walk)


def shared_ranks(scores: np.ndarray) -> dict[int, int]:
    """Rank among the positive scores, where equal scores (up to rounding) share the better one."""
    return {
        node: 1 + sum(other > score * (1 + 1e-6) for other in scores.values())
        for node, score in scores.items()
        if score > 0
    }


def minimum_ranks(graph: Graph, known: Graph, source: int) -> dict[int, int]:
    matrices = [resource_allocation(graph), pagerank(graph)]
    if graph.features is not None:
        features = graph.features.toarray() if not isinstance(graph.features, torch.Tensor) else graph.features.numpy()
        length = np.linalg.norm(features, axis=1, keepdims=True)
        unit = np.divide(features, length, out=np.zeros_like(features), where=length > 0)
        matrices.append(unit @ unit.T)
    blocked = {source, *np.flatnonzero(dense(known)[source])}
    lowest: dict[int, int] = {}
    for matrix in matrices:
        scores = {node: matrix[source, node] for node in range(graph.num_nodes) if node not in blocked}
        for node, rank in shared_ranks(scores).items():
            lowest[node] = min(rank, lowest.get(node, rank))
    return lowest


@settings(max_examples=40)
@given(graph=graphs(min_nodes=8, max_nodes=24, weighted=False), data=st.data())
def test_negatives_have_the_lowest_minimum_ranks(graph: Graph, data: st.DataObject) -> None:
    most = 4
    ends = (graph.num_nodes - 1 - graph.degree) >= most
    fitting = graph.links[ends[graph.links].all(dim=1)]
    if len(fitting) == 0:
        return
    held_out = fitting[data.draw(st.integers(0, len(fitting) - 1))][None]
    messages = graph.keep_links(~(graph.links == held_out).all(dim=1))
    negative = heart(messages, graph, held_out, generator(data.draw(st.integers(0, 99))), per_side=most)
    assert negative.shape == (1, 2 * most, 2)
    for side, source in enumerate(held_out[0].tolist()):
        pairs = negative[0, side * most : (side + 1) * most]
        assert (pairs == source).any(dim=1).all()
        chosen = (pairs.sum(dim=1) - source).tolist()
        assert len(set(chosen)) == most
        assert not graph.has_links(pairs).any()
        assert source not in chosen
        lowest = minimum_ranks(messages, graph, source)
        unranked = graph.num_nodes + 1
        worst = max(lowest.get(node, unranked) for node in chosen)
        better = [node for node, rank in lowest.items() if rank < worst - 1e-9]
        assert [node for node in better if node not in chosen] == []


def test_the_same_seed_gives_the_same_negatives_and_another_seed_breaks_ties_otherwise() -> None:
    graph = star(leaves=30)
    positive = torch.tensor([[1, 2]])  # not a link; every leaf is as near as any other
    first, again, other = (heart(graph, graph, positive, generator(seed), per_side=5) for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_isolated_ends_get_random_negatives() -> None:
    graph = Graph.from_edges(50, torch.empty(0, 2, dtype=torch.int64))
    negative = heart(graph, graph, torch.tensor([[3, 7]]), generator(), per_side=20)
    assert (negative[0, :20] == 3).any(dim=1).all()
    assert (negative[0, 20:] == 7).any(dim=1).all()
    assert len(negative[0, :20].unique(dim=0)) == 20


def test_features_decide_where_structure_is_silent() -> None:
    features = torch.zeros(40, 2)
    features[:, 0] = 1
    features[[5, 9, 11]] = torch.tensor([0.0, 1.0])
    graph = Graph.from_edges(40, torch.empty(0, 2, dtype=torch.int64), features=csr_array(features.numpy()))
    negative = heart(graph, graph, torch.tensor([[5, 0]]), generator(), per_side=2)
    assert sorted((negative[0, :2].sum(dim=1) - 5).tolist()) == [9, 11]


def test_too_few_nodes_are_an_error_that_names_the_node() -> None:
    with pytest.raises(SplitError, match="Node 0 is not linked to 0 other nodes"):
        heart(star(leaves=4), star(leaves=4), torch.tensor([[0, 1]]), generator(), per_side=2)
