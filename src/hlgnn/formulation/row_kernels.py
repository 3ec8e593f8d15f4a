"""The best pairs of a stream of whole rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.formulation.pair_heap import improves, push

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.blocks import Columns
    from hlgnn.formulation.chain import Floats, Nodes

    SmallInts = npt.NDArray[np.int32]

# Twelve digits are forty bits.
BITS = 40


@njit(cache=True, nogil=True)
def twelve_digits(score: float) -> float:
    """The score without its rounding noise: forty significant bits of it.

    Example:
        >>> twelve_digits(0.1 + 0.2) == twelve_digits(0.3)
        True
    """
    mantissa, exponent = math.frexp(score)
    return math.ldexp(np.rint(math.ldexp(mantissa, BITS)), exponent - BITS)


@njit(cache=True, nogil=True)
def offer_rows(
    scores: Floats,
    keys: Nodes,
    size: int,
    most: int,
    offset: Nodes,
    neighbor: SmallInts,
    sources: Nodes,
    columns: Columns,
    rank: Nodes,
) -> tuple[Floats, Nodes, int]:
    """Offer every missing link of ``sources`` to a heap of at most ``most`` pairs; returns the heap.  (B,), (N, B)

    The key of (i, j) is i N + j. Given ranks, (i, j) and (j, i) are one pair: it belongs to the end with the lower
    rank, and its smaller node comes first. Without ranks, they are two.
    """
    num_nodes, unordered = len(columns), len(rank) > 0
    for lane in range(len(sources)):
        i = sources[lane]
        edge = offset[i]
        for j in range(num_nodes):
            if edge < offset[i + 1] and neighbor[edge] == j:
                edge += 1
                continue
            if j == i or (unordered and rank[j] < rank[i]):
                continue
            raw = columns[j, lane]
            if size == most and raw + abs(raw) * 1e-11 < scores[0]:
                continue
            score = twelve_digits(raw)
            key = j * num_nodes + i if unordered and j < i else i * num_nodes + j
            if size < most or improves(score, key, scores[0], keys[0]):
                scores, keys, size = push(scores, keys, size, most, score, key)
    return scores, keys, size
