"""Small graphs whose every number is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.errors import SettingsError
from hlgnn.graph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# The larger neighbours of each member of Zachary's karate club (1977), counted from zero.
KARATE_NEIGHBORS: Mapping[int, tuple[int, ...]] = {
    0: (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31),
    1: (2, 3, 7, 13, 17, 19, 21, 30),
    2: (3, 7, 8, 9, 13, 27, 28, 32),
    3: (7, 12, 13),
    4: (6, 10),
    5: (6, 10, 16),
    6: (16,),
    8: (30, 32, 33),
    9: (33,),
    13: (33,),
    14: (32, 33),
    15: (32, 33),
    18: (32, 33),
    19: (33,),
    20: (32, 33),
    22: (32, 33),
    23: (25, 27, 29, 32, 33),
    24: (25, 27, 31),
    25: (31,),
    26: (29, 33),
    27: (33,),
    28: (31, 33),
    29: (32, 33),
    30: (32, 33),
    31: (32, 33),
    32: (33,),
}


def path(num_nodes: int = 5) -> Graph:
    """Nodes in a row: 0 – 1 – 2 – ….

    Example:
        >>> path(3).links.tolist()
        [[0, 1], [1, 2]]
    """
    _check_size("path", num_nodes, least=1)
    nodes = torch.arange(num_nodes)
    return Graph.from_edges(num_nodes, torch.stack([nodes[:-1], nodes[1:]], dim=1))


def star(leaves: int = 4) -> Graph:
    """A centre, node 0, linked to every leaf.

    Example:
        >>> star(3).degree.tolist()
        [3, 1, 1, 1]
    """
    _check_size("star", leaves, least=0, what="leaves")
    outer = torch.arange(1, leaves + 1)
    return Graph.from_edges(leaves + 1, torch.stack([torch.zeros_like(outer), outer], dim=1))


def cycle(num_nodes: int = 6) -> Graph:
    """Nodes in a ring.

    Example:
        >>> cycle(4).links.tolist()
        [[0, 1], [0, 3], [1, 2], [2, 3]]
    """
    _check_size("cycle", num_nodes, least=3)
    return _rings(num_nodes, size=num_nodes)


def complete(num_nodes: int = 5) -> Graph:
    """Every node linked to every other one.

    Example:
        >>> complete(4).num_links
        6
    """
    _check_size("complete graph", num_nodes, least=1)
    return Graph.from_edges(num_nodes, torch.combinations(torch.arange(num_nodes)))


def triangles(num_nodes: int = 1000) -> Graph:
    """The triangular network of Sect. 5.5: three nodes after three nodes form a triangle.

    1000 is no multiple of three, so the network of the paper is 333 triangles and an isolated node.

    Example:
        >>> triangles()
        Graph(num_nodes=1000, num_links=999)
    """
    _check_size("network of triangles", num_nodes, least=3)
    return _rings(num_nodes, size=3)


def hexagons(num_nodes: int = 1000) -> Graph:
    """The hexagonal network of Sect. 5.5: six nodes after six nodes form a ring.

    1000 is no multiple of six, so the network of the paper is 166 hexagons and four isolated nodes.

    Example:
        >>> hexagons()
        Graph(num_nodes=1000, num_links=996)
    """
    _check_size("network of hexagons", num_nodes, least=6)
    return _rings(num_nodes, size=6)


def karate_club() -> Graph:
    """The 34 members and 78 friendships, without weights, of the karate club that Zachary watched fall apart.

    Example:
        >>> karate_club().degree[[0, 33]].tolist()  # the instructor and the administrator
        [16, 17]
    """
    pairs = [(member, friend) for member, friends in KARATE_NEIGHBORS.items() for friend in friends]
    return Graph.from_edges(34, torch.tensor(pairs))


def _rings(num_nodes: int, size: int) -> Graph:
    """Rings of ``size`` nodes each, and isolated nodes where the last ring would not be full."""
    nodes = torch.arange(num_nodes - num_nodes % size)
    following = nodes - nodes % size + (nodes + 1) % size
    return Graph.from_edges(num_nodes, torch.stack([nodes, following], dim=1))


def _check_size(kind: str, size: int, *, least: int, what: str = "nodes") -> None:
    if size < least:
        raise SettingsError(f"A {kind} needs at least {least} {what}, not {size}.")


TOY_GRAPHS: Mapping[str, Callable[[], Graph]] = {
    "path": path,
    "star": star,
    "cycle": cycle,
    "complete": complete,
    "triangles": triangles,
    "hexagons": hexagons,
    "karate-club": karate_club,
}
