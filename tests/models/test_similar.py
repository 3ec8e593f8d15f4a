"""The graph joined with its most alike nodes."""

from __future__ import annotations

import numpy as np
import torch
from scipy.sparse import csr_array
from torch.nn.functional import normalize

from hlgnn.graph import Graph, karate_club, path
from hlgnn.models.similar import most_alike, with_similar


def some_rows(count: int) -> csr_array:
    return csr_array(np.random.default_rng(2).normal(size=(count, 4)))


def all_cosines(rows: csr_array) -> torch.Tensor:
    units = normalize(torch.from_numpy(rows.toarray()), dim=1)
    return units @ units.T


def test_pairs_are_those_that_sorting_all_cosines_finds() -> None:
    rows = some_rows(25)
    pairs, cosines = most_alike(rows, 3)
    table = all_cosines(rows)
    wanted = set()
    for node in range(25):
        order = sorted((other for other in range(25) if other != node), key=lambda other: -table[node, other])
        wanted |= {tuple(sorted((node, other))) for other in order[:3]}
    assert {tuple(pair) for pair in pairs.tolist()} == wanted
    torch.testing.assert_close(cosines.double(), table[pairs[:, 0], pairs[:, 1]], atol=1e-6, rtol=0)


def test_links_keep_their_weight_and_others_weigh_their_cosine() -> None:
    graph, rows = karate_club(), some_rows(34)
    joined = with_similar(graph, most_alike(rows, 4))
    assert bool(joined.has_links(graph.links).all())
    weight = joined.link_weight
    assert weight is not None
    old = graph.has_links(joined.links)
    assert bool((weight[old] == 1).all())
    expected = all_cosines(rows)[joined.links[~old, 0], joined.links[~old, 1]]
    torch.testing.assert_close(weight[~old].double(), expected, atol=1e-6, rtol=0)


def test_what_is_added_does_not_depend_on_the_links() -> None:
    graph, rows = karate_club(), some_rows(34)
    hidden = graph.links[::3]
    whole, less = (
        with_similar(graph, most_alike(rows, 4)),
        with_similar(graph.without_links(hidden), most_alike(rows, 4)),
    )
    assert torch.equal(less.without_links(graph.links).links, whole.without_links(graph.links).links)


def test_a_graph_too_small_for_others_stays_as_it_is() -> None:
    lonely = Graph.from_edges(1, torch.empty(0, 2, dtype=torch.int64))
    assert with_similar(lonely, most_alike(some_rows(1), 5)).num_links == 0
    assert with_similar(path(2), most_alike(some_rows(2), 5)).num_links == 1
