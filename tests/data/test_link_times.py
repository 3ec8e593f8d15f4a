"""When links first appeared."""

import torch

from hlgnn.data.link_times import earliest_times
from hlgnn.graph import Graph


def test_the_earliest_time_of_either_direction_counts() -> None:
    edges = torch.tensor([[2, 1], [0, 1], [1, 2], [3, 3], [1, 0], [0, 1]])
    time = torch.tensor([5.0, 3, 4, 0, 2, 7])
    graph = Graph.from_edges(4, edges)
    assert graph.links.tolist() == [[0, 1], [1, 2]]
    assert earliest_times(graph, edges, time).tolist() == [2, 4]


def test_a_graph_without_links_has_no_times() -> None:
    edges = torch.zeros((0, 2), dtype=torch.long)
    assert earliest_times(Graph.from_edges(3, edges), edges, torch.zeros(0)).shape == (0,)
