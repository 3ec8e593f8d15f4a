"""Toy graphs against networkx and by hand."""

from collections.abc import Callable

import networkx as nx
import pytest
import torch

from hlgnn.errors import SettingsError
from hlgnn.graph.graph import Graph
from hlgnn.graph.toy_graphs import TOY_GRAPHS, complete, cycle, hexagons, karate_club, path, star, triangles


def networkx_links(graph: "nx.Graph[int]") -> list[list[int]]:
    return sorted(sorted(link) for link in graph.edges)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (path(1), nx.path_graph(1)),
        (path(7), nx.path_graph(7)),
        (star(0), nx.star_graph(0)),
        (star(5), nx.star_graph(5)),
        (cycle(3), nx.cycle_graph(3)),
        (cycle(8), nx.cycle_graph(8)),
        (complete(1), nx.complete_graph(1)),
        (complete(6), nx.complete_graph(6)),
        (karate_club(), nx.karate_club_graph()),
    ],
    ids=str,
)
def test_equal_to_networkx(ours: Graph, theirs: "nx.Graph[int]") -> None:
    assert ours.num_nodes == len(theirs)
    assert ours.links.tolist() == networkx_links(theirs)
    assert ours.link_weight is None


@pytest.mark.parametrize(
    ("make", "size", "rings", "isolated"),
    [(triangles, 3, 333, 1), (hexagons, 6, 166, 4)],
    ids=["triangles", "hexagons"],
)
def test_the_networks_of_the_case_study(make: Callable[..., Graph], size: int, rings: int, isolated: int) -> None:
    graph = make()
    sizes = torch.bincount(graph.components()).bincount()
    assert graph.num_nodes == 1000
    assert sizes[size] == rings
    assert sizes[1] == isolated
    assert sizes.sum() == rings + isolated
    assert graph.degree[: rings * size].eq(2).all()  # connected, and two neighbours each: rings
    full = make(2 * size)
    assert full.num_links == 2 * size
    assert full.links[:size].tolist() == cycle(size).links.tolist()
    assert full.links[size:].tolist() == (cycle(size).links + size).tolist()


def test_the_dictionary_makes_every_one_without_arguments() -> None:
    sizes = {
        name: (graph.num_nodes, graph.num_links) for name, graph in ((n, make()) for n, make in TOY_GRAPHS.items())
    }
    assert sizes == {
        "path": (5, 4),
        "star": (5, 4),
        "cycle": (6, 6),
        "complete": (5, 10),
        "triangles": (1000, 999),
        "hexagons": (1000, 996),
        "karate-club": (34, 78),
    }


@pytest.mark.parametrize(
    ("make", "size"), [(path, 0), (star, -1), (cycle, 2), (complete, 0), (triangles, 2), (hexagons, 5)]
)
def test_sizes_that_make_no_such_graph(make: Callable[[int], Graph], size: int) -> None:
    with pytest.raises(SettingsError, match=f"at least {size + 1} "):
        make(size)
