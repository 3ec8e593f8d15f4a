"""When each link of a graph first appeared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph


def earliest_times(graph: Graph, edges: Tensor, time: Tensor) -> Tensor:
    """The earliest time that is given for each of ``graph.links``, in either direction: (E, 2), (E,) -> (M,).

    Self-loops among ``edges`` are ignored; every link of the graph must be among them.

    Example:
        >>> from hlgnn.graph import Graph
        >>> edges = torch.tensor([[0, 1], [1, 2], [1, 0]])
        >>> earliest_times(Graph.from_edges(3, edges), edges, torch.tensor([2019, 2020, 2018])).tolist()
        [2018, 2020]
    """
    adjacency = graph.adjacency
    forward = torch.full((adjacency.num_edges,), -1)
    forward[adjacency.find_edges(graph.links)] = torch.arange(
        graph.num_links
    )  # position of a stored edge -> of its link
    low_high = edges.sort(dim=1).values  # (E, 2)
    kept = low_high[:, 0] != low_high[:, 1]
    position = forward[adjacency.find_edges(low_high[kept])]  # (E',)
    earliest = time.new_empty(graph.num_links)
    return earliest.scatter_reduce_(0, position, time[kept], reduce="amin", include_self=False)
