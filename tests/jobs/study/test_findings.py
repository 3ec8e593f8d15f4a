"""What is said about a graph."""

import pytest
import torch
from hypothesis import given, settings
from networkx.algorithms.bipartite import is_bipartite as by_networkx

from hlgnn.errors import SettingsError
from hlgnn.graph import Graph, karate_club, path, star, to_networkx
from hlgnn.jobs.study.findings import count, inspect_graph
from hlgnn.jobs.study.sides import is_bipartite, two_sides
from strategies import graphs


@settings(max_examples=80)
@given(graph=graphs())
def test_two_sides_are_found_if_there_are_any(graph: Graph) -> None:
    expected = graph.num_links > 0 and by_networkx(to_networkx(graph))
    assert is_bipartite(graph) == expected
    if expected:
        sides = two_sides(graph)
        assert set(sides.tolist()) <= {0, 1}
        assert bool((sides[graph.links[:, 0]] != sides[graph.links[:, 1]]).all())
    else:
        with pytest.raises(SettingsError, match="not bipartite"):
            two_sides(graph)


def sentences(graph: Graph) -> str:
    return " ".join(inspect_graph(graph).sentences)


def test_what_stands_out_is_said() -> None:
    assert "bipartite" in sentences(star(30))
    assert "97% of the nodes have one link only" in sentences(star(30))
    assert "bipartite" not in sentences(karate_club())
    assert "few links" in sentences(path(5))
    apart = Graph.from_edges(9, torch.tensor([[0, 1], [2, 3], [3, 4]]))
    assert "4 nodes without links" in sentences(apart)
    assert "2 components" in sentences(apart)
    hub = Graph.from_edges(200, torch.tensor([[0, each] for each in range(1, 200)] + [[1, 2], [3, 4]]))
    assert "busiest 1% of the nodes have 50% of all link ends" in sentences(hub)


def test_features_are_looked_at() -> None:
    club = karate_club()
    values = torch.rand(club.num_nodes, 4, generator=torch.Generator().manual_seed(0))
    values[:, 1] = 7.0
    values[:, 2] *= 1e6
    values[5] = 0.0
    graph = Graph(club.adjacency, club.node_ids, values)
    text = sentences(graph)
    assert "4 features for each node" in text
    assert "1 node with zeros only" in text
    assert "differ in scale" in text
    values[5, 1] = 7.0
    assert "1 feature with the same value" in sentences(Graph(club.adjacency, club.node_ids, values))
    assert "no features" in sentences(club)


def test_numbers_of_things() -> None:
    assert (count(1, "node"), count(2708, "node"), count(0, "link")) == ("1 node", "2 708 nodes", "0 links")
