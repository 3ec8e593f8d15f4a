"""Hard negatives for any graph: the evaluation setting HeaRT (Li et al., NeurIPS 2023).

A link (u, v) is ranked among pairs that replace one of its ends. The candidates of an end are ranked by resource
allocation, by personalised PageRank and, with features, by cosine similarity; the minimum rank counts. What is left
open there is fixed here: equal scores share a rank, equal minimum ranks are ordered by a hash of the seed, all known
links of every part are excluded, and where fewer candidates have a score the rest is drawn at random without repeats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array, issparse

from hlgnn.data.hard_negative_kernels import merge_candidates, similarity_candidates, structural_candidates
from hlgnn.errors import SplitError
from hlgnn.graph.threads import num_threads, run_all
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.graph import Features, Graph

    Unit = csr_array | npt.NDArray[np.float32]

TELEPORT = 0.15
TOLERANCE = 1e-6
SIMILARITY_BYTES = 128 << 20
"""A block of sources costs N × block similarities; this bounds them."""


def heart(
    messages: Graph,
    known: Graph,
    positive: Tensor,
    generator: torch.Generator,
    *,
    per_side: int = 250,
    progress: Progress = silent,
) -> Tensor:
    """The hardest negatives of each positive, ``per_side`` for each of its ends.  (P, 2) -> (P, 2 · per_side, 2)

    Args:
        messages: What the candidates are ranked on.
        known: Every link of every part; none of them becomes a negative.
        positive: The links to be ranked.
        generator: Breaks ties and fills up.
        per_side: How many negatives replace the second end, and how many the first.
        progress: Told about each block of nodes.
    """
    sources = positive.unique()
    _check_size(known, sources, per_side)
    seed = int(torch.randint(2**62, (1,), generator=generator))
    corrupted = _corruptions(messages, known, sources.numpy(), per_side, seed, progress)  # (S, per_side)
    row = torch.searchsorted(sources, positive)  # (P, 2)
    kept = positive.flatten()[:, None].expand(-1, per_side)  # (2 P, per_side)
    pairs = torch.stack([kept, corrupted[row.flatten()]], dim=-1)  # (2 P, per_side, 2)
    smaller_first = pairs.sort(dim=-1).values
    return smaller_first.reshape(len(positive), 2 * per_side, 2)


def _check_size(known: Graph, sources: Tensor, per_side: int) -> None:
    free = known.num_nodes - 1 - known.degree[sources]
    if len(free) and int(free.min()) < per_side:
        node = int(sources[free.argmin()])
        raise SplitError(
            f"Node {known.node_ids[node]!r} is not linked to {int(free.min())} other nodes; "
            f"{per_side} hard negatives on each side need at least as many.",
            hint="Ask for fewer negatives per side, or use a protocol with uniform negatives.",
        )


def _corruptions(
    messages: Graph, known: Graph, sources: npt.NDArray[np.int64], most: int, seed: int, progress: Progress
) -> Tensor:
    """What replaces the other end of a link of each source.  (S,) -> (S, most)"""
    unit = None if messages.features is None else _unit_rows(messages.features)
    size = max(1, min(256, SIMILARITY_BYTES // (4 * max(1, messages.num_nodes))))
    chosen = np.empty((len(sources), most), dtype=np.int64)

    def choose(start: int, stop: int) -> None:
        chosen[start:stop] = _hardest(messages, known, unit, sources[start:stop], most, seed)

    blocks = [(start, min(start + size, len(sources))) for start in range(0, len(sources), size)]
    at_once = num_threads()
    progress("Hard negatives", 0, len(sources))
    for position in range(0, len(blocks), at_once):
        group = blocks[position : position + at_once]
        run_all(choose, group)
        progress("Hard negatives", group[-1][1], len(sources))
    return torch.from_numpy(chosen)


def _hardest(
    messages: Graph, known: Graph, unit: Unit | None, sources: npt.NDArray[np.int64], most: int, seed: int
) -> npt.NDArray[np.int32]:
    """The nodes with the lowest minimum rank for each of a block of sources.  (S,) -> (S, most)"""
    rows = (messages.adjacency.offset.numpy(), messages.adjacency.neighbor.numpy())
    excluded = (known.adjacency.offset.numpy(), known.adjacency.neighbor.numpy())
    best, ranks = structural_candidates(*rows, *excluded, sources, most, TELEPORT, TOLERANCE, seed)
    if unit is not None:
        similar, order = similarity_candidates(_similarity(unit, sources), *excluded, sources, most, seed)
        best = np.concatenate([best, similar[:, None]], axis=1)
        ranks = np.concatenate([ranks, order[:, None]], axis=1)
    merged: npt.NDArray[np.int32] = merge_candidates(best, ranks, *excluded, sources, most, seed)
    return merged


def _unit_rows(features: Features) -> Unit:
    """Rows of length one; a row of zeros stays."""
    if issparse(features):
        length = np.sqrt(np.asarray(features.multiply(features).sum(axis=1)).ravel())
        scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0).astype(np.float32)
        counts = np.diff(features.indptr)
        return csr_array((features.data * np.repeat(scale, counts), features.indices, features.indptr), features.shape)
    return torch.nn.functional.normalize(features, dim=1).numpy()


def _similarity(unit: Unit, sources: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """Cosine of each source with every node.  (N, F), (S,) -> (S, N)"""
    rows = unit[sources]
    wanted = rows.toarray() if issparse(rows) else rows  # (S, F)
    return np.ascontiguousarray((unit @ wanted.T).T, dtype=np.float32)
