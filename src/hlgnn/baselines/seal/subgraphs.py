"""Enclosing subgraphs of many pairs, side by side in one block-diagonal graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.baselines.seal.extraction_kernels import extract_pairs
from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.baselines.seal.settings import EnclosingSettings
    from hlgnn.graph.adjacency import Adjacency

    Parts = tuple[npt.NDArray[Any], ...]

# Each call keeps six arrays of N numbers of its own: small ranges would spend their time on them.
LEAST_PAIRS = 4


@dataclass(frozen=True, eq=False)
class Subgraphs:
    """The subgraphs of P pairs; S nodes in all, each a copy of a node of the graph.

    Attributes:
        first: Where each subgraph begins.  (P + 1,), int64
        node: Which node each copy is; the ends of the pair come first.  (S,), int32
        label: Its double-radius label.  (S,), int32
        offset: Where its neighbours begin.  (S + 1,), int64
        column: The copies that are its neighbours, the target link left out.  (int32)
        two_ends: Whether the ends of the pair are two nodes.  (P,), bool
    """

    first: npt.NDArray[np.int64]
    node: npt.NDArray[np.int32]
    label: npt.NDArray[np.int32]
    offset: npt.NDArray[np.int64]
    column: npt.NDArray[np.int32]
    two_ends: npt.NDArray[np.bool_]

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return sum(each.nbytes for each in (self.first, self.node, self.label, self.offset, self.column))

    @property
    def root(self) -> Tensor:
        """1 / √(d + 1) of each copy, with d its neighbours inside.  (S,), float32"""
        return torch.from_numpy(np.diff(self.offset) + 1).float().rsqrt()


def extract(adjacency: Adjacency, pairs: Tensor, settings: EnclosingSettings) -> Subgraphs:
    """The subgraph within ``hops`` of each pair, without the link between its ends whether or not there is one.

    Both directions of a pair give the same subgraph, and it does not depend on the other pairs.  (P, 2)
    """
    ordered = torch.stack([pairs.amin(dim=1), pairs.amax(dim=1)], dim=1).numpy().astype(np.int64)
    offset, neighbor = adjacency.offset.numpy(), adjacency.neighbor.numpy()
    chosen = (settings.hops, settings.ratio_per_hop, settings.max_nodes_per_hop, settings.seed)
    ranges = spans(len(ordered), max(1, min(num_threads(), len(ordered) // LEAST_PAIRS))) or [(0, 0)]
    parts = run_all(extract_pairs, [(offset, neighbor, ordered[low:high], *chosen) for low, high in ranges])
    return _joined(parts, ordered[:, 0] != ordered[:, 1])


def _joined(parts: Sequence[Parts], two_ends: npt.NDArray[np.bool_]) -> Subgraphs:
    """Parts that threads have made, in their order, with neighbours counted from the first copy of all."""
    sizes, node, label, degree, column = (np.concatenate(each) for each in zip(*parts, strict=True))
    first, offset = _running(sizes), _running(degree)
    links = np.diff(offset[first])  # neighbours in each subgraph  (P,)
    column = column + np.repeat(first[:-1].astype(np.int32), links)
    return Subgraphs(first, node, label, offset, column, two_ends)


def _running(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """0, the first, the first two, …  (K,) -> (K + 1,)"""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
