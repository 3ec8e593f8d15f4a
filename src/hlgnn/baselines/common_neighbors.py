"""Neighbours of the two ends of many pairs, by merging sorted rows, or by rows of bits where these are long."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hlgnn.baselines.common_bits import bits_pay, count_bits, fill_bits, rows_of_bits

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]

BOTH, FIRST, SECOND = 0, 1, 2


class Common(NamedTuple):
    """Common neighbours of pairs, as compressed rows.

    Attributes:
        offset: Where the row of each pair starts.  (P + 1,)
        left: The stored edge from the first end to each common neighbour.  (C,)
        right: The stored edge from the second end.  (C,)
    """

    offset: Ints
    left: Ints
    right: Ints


class Union(NamedTuple):
    """Neighbours of either end of pairs, the ends themselves left out, as compressed rows.

    Attributes:
        offset: Where the row of each pair starts.  (P + 1,)
        node: The neighbours, ascending within a row.  (U,)
        side: ``BOTH``, or whose neighbour it is: ``FIRST`` or ``SECOND``.  (U,)
    """

    offset: Ints
    node: Ints
    side: npt.NDArray[np.int8]


def common_neighbors(offset: Ints, neighbor: SmallInts, pairs: Ints) -> Common:
    """N(i) ∩ N(j) of every pair.  (N + 1,), (E,), (P, 2)"""
    rows = rows_of_bits(offset, neighbor) if bits_pay(offset, pairs) else None
    starts = _starts(_count_common(offset, neighbor, pairs) if rows is None else count_bits(rows[0], pairs))
    left, right = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1], dtype=np.int64)
    if rows is None:
        _fill_common(offset, neighbor, pairs, starts, left, right)
    else:
        fill_bits(offset, *rows, pairs, starts, left, right)
    return Common(starts, left, right)


def either_neighbors(offset: Ints, neighbor: SmallInts, pairs: Ints) -> Union:
    """N(i) ∪ N(j) without i and j of every pair.  (N + 1,), (E,), (P, 2)"""
    room = _starts(offset[pairs[:, 0] + 1] - offset[pairs[:, 0]] + offset[pairs[:, 1] + 1] - offset[pairs[:, 1]])
    node, side = np.empty(room[-1], dtype=np.int64), np.empty(room[-1], dtype=np.int8)
    starts = _fill_either(offset, neighbor, pairs, node, side)
    return Union(starts, node[: starts[-1]], side[: starts[-1]])


def _starts(counts: Ints) -> Ints:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])


@njit(cache=True, nogil=True)
def _count_common(offset: Ints, neighbor: SmallInts, pairs: Ints) -> Ints:
    counts = np.zeros(len(pairs), dtype=np.int64)
    for pair in range(len(pairs)):
        left, left_stop = offset[pairs[pair, 0]], offset[pairs[pair, 0] + 1]
        right, right_stop = offset[pairs[pair, 1]], offset[pairs[pair, 1] + 1]
        while left < left_stop and right < right_stop:
            gap = neighbor[left] - neighbor[right]
            counts[pair] += gap == 0
            left += gap <= 0
            right += gap >= 0
    return counts


@njit(cache=True, nogil=True)
def _fill_common(
    offset: Ints, neighbor: SmallInts, pairs: Ints, starts: Ints, left_edge: Ints, right_edge: Ints
) -> None:
    for pair in range(len(pairs)):
        left, left_stop = offset[pairs[pair, 0]], offset[pairs[pair, 0] + 1]
        right, right_stop = offset[pairs[pair, 1]], offset[pairs[pair, 1] + 1]
        at, stop = starts[pair], starts[pair + 1]
        while at < stop and left < left_stop and right < right_stop:
            gap = neighbor[left] - neighbor[right]
            if gap == 0:
                left_edge[at], right_edge[at] = left, right
                at += 1
            left += gap <= 0
            right += gap >= 0


@njit(cache=True, nogil=True)
def _fill_either(offset: Ints, neighbor: SmallInts, pairs: Ints, nodes: Ints, sides: npt.NDArray[np.int8]) -> Ints:
    starts = np.zeros(len(pairs) + 1, dtype=np.int64)
    at = 0
    for pair in range(len(pairs)):
        i, j = pairs[pair, 0], pairs[pair, 1]
        left, left_stop, right, right_stop = offset[i], offset[i + 1], offset[j], offset[j + 1]
        while left < left_stop or right < right_stop:
            if right == right_stop or (left < left_stop and neighbor[left] < neighbor[right]):
                node, side = neighbor[left], FIRST
                left += 1
            elif left == left_stop or neighbor[right] < neighbor[left]:
                node, side = neighbor[right], SECOND
                right += 1
            else:
                node, side = neighbor[left], BOTH
                left += 1
                right += 1
            if node not in (i, j):
                nodes[at], sides[at] = node, side
                at += 1
        starts[pair + 1] = at
    return starts
