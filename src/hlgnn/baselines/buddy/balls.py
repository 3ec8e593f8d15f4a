"""The neighbourhoods themselves, for small graphs: nodes within K hops of every node, and how far each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.baselines.buddy.ball_kernels import count_balls, fill_balls, merged_intersections
from hlgnn.baselines.buddy.sketches import run_ranges
from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.graph import Graph

# 2 GB at five bytes each.
MOST_ENTRIES = 400_000_000


@dataclass(frozen=True, eq=False)
class Balls:
    """For every node the nodes within K hops, itself included, ascending.

    Attributes:
        offset: Where the ball of each node starts.  (N + 1,)
        node: The nodes.
        ring: Their distances; a node counts as its own neighbour, at distance one.
        sizes: How many are within 1 … K hops.  (N, K), float64
    """

    offset: npt.NDArray[np.int64]
    node: npt.NDArray[np.int32]
    ring: npt.NDArray[np.uint8]
    sizes: Tensor

    def intersections(self, pairs: Tensor) -> Tensor:
        """|N_k(i) ∩ N_l(j)|, exactly: one merge of two balls for all k and l.  (P, 2) -> (P, K, K), float64"""
        hops = self.sizes.shape[1]
        result = np.zeros((len(pairs), hops, hops))
        ends = np.ascontiguousarray(pairs.numpy(), dtype=np.int64)
        run_ranges(merged_intersections, (ends, self.offset, self.node, self.ring, result), len(pairs))
        return torch.from_numpy(result.cumsum(axis=1).cumsum(axis=2))


def build_balls(graph: Graph, hops: int) -> Balls:
    """A breadth-first search from every node.

    Raises:
        SettingsError: If the balls are too large to be kept.
    """
    count = graph.num_nodes
    links = graph.adjacency.offset.numpy(), graph.adjacency.neighbor.numpy()
    sizes = np.zeros((count, hops))
    run_ranges(count_balls, (*links, sizes), count)
    offset = np.zeros(count + 1, dtype=np.int64)
    offset[1:] = sizes[:, -1].cumsum()
    if offset[-1] > MOST_ENTRIES:
        raise SettingsError(
            f"The nodes within {hops} hops of each node are {offset[-1]:,} in all.",
            where="model.counting",
            hint="Exact counting is for small graphs: set it to 'sketch', or lower model.hops.",
        )
    node, ring = np.empty(offset[-1], dtype=np.int32), np.empty(offset[-1], dtype=np.uint8)
    run_ranges(fill_balls, (*links, hops, offset, node, ring), count)
    return Balls(offset, node, ring, torch.from_numpy(sizes))
