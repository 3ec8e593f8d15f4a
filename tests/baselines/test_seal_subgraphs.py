"""Enclosing subgraphs and their labels, beside their definitions by networkx."""

import itertools

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.baselines.seal.settings import EnclosingSettings
from hlgnn.baselines.seal.store import SubgraphStore
from hlgnn.baselines.seal.subgraphs import Subgraphs, extract
from hlgnn.graph import Graph, karate_club
from strategies import graphs


def as_networkx(graph: Graph) -> nx.Graph:
    made = nx.Graph()
    made.add_nodes_from(range(graph.num_nodes))
    made.add_edges_from(graph.links.tolist())
    return made


def all_pairs(graph: Graph) -> torch.Tensor:
    return torch.tensor(list(itertools.permutations(range(graph.num_nodes), 2)), dtype=torch.int64).view(-1, 2)


def block(made: Subgraphs, position: int) -> tuple[list[int], dict[int, int], set[tuple[int, int]]]:
    """Nodes, labels and both directions of all links of one subgraph, by nodes of the graph."""
    first, last = made.first[position], made.first[position + 1]
    nodes = made.node[first:last].tolist()
    edges = {
        (int(made.node[row]), int(made.node[other]))
        for row in range(first, last)
        for other in made.column[made.offset[row] : made.offset[row + 1]]
    }
    return nodes, dict(zip(nodes, made.label[first:last].tolist(), strict=True)), edges


def defined_label(enclosing: nx.Graph, node: int, ends: tuple[int, int]) -> int:
    """The formula of double-radius labels, with shortest paths around the other end."""
    if node in ends:
        return 1
    distances = []
    for end, other in (ends, ends[::-1]):
        rest = enclosing.copy()
        rest.remove_node(other)
        if not nx.has_path(rest, node, end):
            return 0
        distances.append(nx.shortest_path_length(rest, node, end))
    d = sum(distances)
    return 1 + min(distances) + (d // 2) * (d // 2 + d % 2 - 1)


@settings(max_examples=40, deadline=None)
@given(graphs(min_nodes=2, max_nodes=9, weighted=False, with_features=False), st.integers(1, 4))
def test_subgraphs_and_labels_are_those_of_the_definition(graph: Graph, hops: int) -> None:
    pairs, whole = all_pairs(graph), as_networkx(graph)
    made = extract(graph.adjacency, pairs, EnclosingSettings(hops=hops))
    for position, (s, t) in enumerate(pairs.tolist()):
        nodes, labels, edges = block(made, position)
        reached = set(nx.ego_graph(whole, s, radius=hops)) | set(nx.ego_graph(whole, t, radius=hops))
        enclosing = nx.Graph(whole.subgraph(reached))
        enclosing.remove_edges_from([(s, t)])
        assert len(nodes) == len(reached)
        assert set(nodes) == reached
        assert nodes[:2] == sorted((s, t))
        assert edges == {pair for link in enclosing.edges for pair in (link, link[::-1])}
        assert labels == {node: defined_label(enclosing, node, (s, t)) for node in nodes}


@pytest.mark.parametrize(("ratio", "cap"), [(1.0, 3), (0.5, 0), (0.4, 2)])
def test_each_hop_keeps_as_many_as_it_may_and_dropped_nodes_stay_away(ratio: float, cap: int) -> None:
    graph, pairs = karate_club(), karate_club().links
    chosen = EnclosingSettings(hops=2, ratio_per_hop=ratio, max_nodes_per_hop=cap)
    made, whole = extract(graph.adjacency, pairs, chosen), as_networkx(graph)
    for position, (s, t) in enumerate(pairs.tolist()):
        nodes, _, edges = block(made, position)
        visited, fringe, rest = {s, t}, [s, t], nodes[2:]
        for _ in range(2):
            found = {v for u in fringe for v in whole[u]} - visited
            wanted = int(ratio * len(found))
            wanted = min(wanted, cap) if cap else wanted
            fringe, rest = rest[:wanted], rest[wanted:]
            assert set(fringe) <= found
            assert len(set(fringe)) == wanted
            visited |= found
        assert rest == []
        inside = nx.Graph(whole.subgraph(nodes))
        inside.remove_edges_from([(s, t)])
        assert edges == {pair for link in inside.edges for pair in (link, link[::-1])}


def test_a_choice_of_nodes_depends_on_the_pair_and_the_seed_alone() -> None:
    graph, pairs = karate_club(), karate_club().links
    chosen = EnclosingSettings(hops=2, max_nodes_per_hop=3)
    together = extract(graph.adjacency, pairs, chosen)
    for position, pair in enumerate(pairs):
        alone = extract(graph.adjacency, pair.flip(0)[None], chosen)
        assert block(together, position) == block(alone, 0)
    other = extract(graph.adjacency, pairs, chosen.model_copy(update={"seed": 1}))
    assert not np.array_equal(together.node, other.node)


def test_a_node_with_itself_encloses_its_neighbourhood() -> None:
    nodes, labels, _ = block(extract(karate_club().adjacency, torch.tensor([[0, 0]]), EnclosingSettings()), 0)
    assert len(set(nodes)) == len(nodes) == 1 + int(karate_club().degree[0])
    assert labels[0] == 1


def test_no_pairs_have_no_subgraphs() -> None:
    made = extract(karate_club().adjacency, torch.empty(0, 2, dtype=torch.int64), EnclosingSettings())
    assert made.first.tolist() == [0]
    assert len(made.node) == len(made.column) == 0


def test_a_store_forgets_what_was_used_longest_ago() -> None:
    pairs = karate_club().links
    size = extract(karate_club().adjacency, pairs[:20], EnclosingSettings()).bytes
    store = SubgraphStore(karate_club().adjacency, None, EnclosingSettings(), limit=size + 20 * 16)
    first = store.extract(pairs[:20], keep=True)
    assert store.extract(pairs[:20], keep=True) is first
    assert store.extract(pairs[:20], keep=False) is not first
    store.extract(pairs[20:40], keep=True)
    assert store.extract(pairs[:20], keep=True) is not first
