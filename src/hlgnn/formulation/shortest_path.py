"""One over the number of steps between two nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation.chain import node_numbers
from hlgnn.formulation.local_sums import pair_numbers
from hlgnn.formulation.memory import DEFAULT_MEMORY, most_columns
from hlgnn.formulation.path_kernels import pairs_at_distance, path_lengths
from hlgnn.formulation.ranked import RankedLinks
from hlgnn.graph.threads import num_threads, run_all, spans
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.chain import Nodes
    from hlgnn.graph import Graph

# A search from each end needs a distance and a place in a queue for every node.
BYTES_PER_NODE = 16
ROUNDS = 50


@dataclass(frozen=True)
class ShortestPath:
    """1 / distance: one for a link, a half for a common neighbour, zero where there is no path.

    Weights do not count, and neither do self-loops. A node and itself score one: nothing is nearer than a neighbour.

    Example:
        >>> from hlgnn.graph import path
        >>> ShortestPath().scores(path(4), torch.tensor([[0, 1], [0, 3]])).tolist()
        [1.0, 0.3333333333333333]
    """

    name: str = "shortest-path"
    self_loops: bool = True

    @property
    def symmetric(self) -> bool:
        """Links have no direction."""
        return True

    def scores(
        self, graph: Graph, pairs: Tensor, *, memory: int = DEFAULT_MEMORY, progress: Progress = silent
    ) -> Tensor:
        """The score of each pair.  (P, 2) -> (P,)

        A source with many targets is searched from once; one with few is searched from both ends.
        """
        numbers = np.sort(pair_numbers(pairs, graph.num_nodes), axis=1)
        keys, place = np.unique(numbers[:, 0] * graph.num_nodes + numbers[:, 1], return_inverse=True)
        source, target = np.divmod(keys, max(1, graph.num_nodes))
        length = np.empty(len(keys), dtype=np.int64)
        offset, neighbor = graph.adjacency.offset.numpy(), graph.adjacency.neighbor.numpy()
        most = most_columns(memory, 0, BYTES_PER_NODE * graph.num_nodes, what="one search")
        at_once = min(num_threads(), most)

        def work(start: int, stop: int) -> None:
            path_lengths(offset, neighbor, source[start:stop], target[start:stop], length[start:stop])

        progress("Shortest paths", 0, len(keys))
        for first, last in spans(len(keys), min(ROUNDS, 1 + len(keys) // 10_000)):
            run_all(work, [(first + start, first + stop) for start, stop in spans(last - first, at_once)])
            progress("Shortest paths", last, len(keys))
        scores = np.where(length < 0, 0.0, 1.0 / np.maximum(length, 1))
        return torch.from_numpy(scores[place])


def nearest_links(graph: Graph, k: int, *, node: int | None = None, progress: Progress = silent) -> RankedLinks:
    """The k missing links with the shortest paths: all at distance two in the order of their nodes, then three, …

    Pairs without a path come last.

    Example:
        >>> from hlgnn.graph import path
        >>> nearest_links(path(4), k=3).pairs.tolist()
        [[0, 2], [1, 3], [0, 3]]
    """
    num_nodes = graph.num_nodes
    if k < 0:
        raise SettingsError(f"The best {k} pairs cannot be listed.", where="k", hint="Give zero or more.")
    if node is None:
        sources = np.arange(num_nodes)
        missing = num_nodes * (num_nodes - 1) // 2 - graph.num_links
    else:
        sources = node_numbers(torch.tensor([node]), num_nodes)
        missing = num_nodes - 1 - int(graph.degree[node])
    left = min(k, missing)
    pairs, scores = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    distance = 2
    while left > 0:
        progress("Shortest paths", k - left, k)
        found = _at_distance(graph, sources, distance, left)
        if len(found) == 0 and distance > 0:
            distance = -1  # what is left has no path
            continue
        pairs.append(found)
        scores.append(np.full(len(found), 1 / distance if distance > 0 else 0.0))
        left -= len(found)
        distance += 1 if distance > 0 else 0
    return RankedLinks(torch.from_numpy(np.concatenate(pairs)), torch.from_numpy(np.concatenate(scores)))


def _at_distance(graph: Graph, sources: Nodes, distance: int, most: int) -> Nodes:
    """The first ``most`` pairs at a distance, or without a path if it is −1, in the order of their nodes.  (K, 2)"""
    offset, neighbor = graph.adjacency.offset.numpy(), graph.adjacency.neighbor.numpy()
    found = pairs_at_distance(offset, neighbor, sources, distance, most)
    return np.sort(found, axis=1)
