"""Compiled passes of ``build_csr``: a counting sort by the smaller end, short sorts of rows, a counting transpose.

A key is ``2 · larger end + direction``: sorting keys brings the two directions of a link together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Ends = npt.NDArray[Any]  # (rows,) int32 or int64
    Keys = npt.NDArray[np.uint32]
    Weights = npt.NDArray[np.float32]
    Positions = npt.NDArray[Any]  # int32 or int64, whichever the number of rows needs

# Below this, moving neighbours one by one beats everything else.
SHORT_ROW = 24


@numba.njit(nogil=True, cache=True)
def count_smaller(source: Ends, target: Ends, num_nodes: int, counts: npt.NDArray[np.int32]) -> int:
    """Add to ``counts`` (N,) how many rows have each node as their smaller end.

    Returns:
        How many rows join a node to itself, or −1 if an end is no node.
    """
    loops = 0
    for i in range(len(source)):
        low, high = min(source[i], target[i]), max(source[i], target[i])
        if low < 0 or high >= num_nodes:
            return -1
        if low == high:
            loops += 1
        else:
            counts[low] += 1
    return loops


@numba.njit(nogil=True, cache=True)
def scatter_keys(source: Ends, target: Ends, weight: Weights, cursor: Positions, keys: Keys, moved: Weights) -> None:
    """Write the key of every row, and its weight if there are weights, to the next place of its smaller end."""
    weighted = len(weight) > 0
    for i in range(len(source)):
        if source[i] == target[i]:
            continue
        low, high = min(source[i], target[i]), max(source[i], target[i])
        place = cursor[low]
        cursor[low] = place + 1
        keys[place] = np.uint32(2 * np.int64(high) + (source[i] > target[i]))
        if weighted:
            moved[place] = weight[i]


@numba.njit(nogil=True, cache=True)
def _sort_short(keys: Keys, weight: Weights) -> None:
    """Sort keys in place, and the weights, if there are any, with them; equal keys keep their order."""
    weighted = len(weight) > 0
    for i in range(1, len(keys)):
        key, place = keys[i], i
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            place -= 1
        keys[place] = key
        if weighted and place < i:
            moving = weight[i]
            for k in range(i, place, -1):
                weight[k] = weight[k - 1]
            weight[place] = moving


@numba.njit(nogil=True, cache=True)
def _sort_row(keys: Keys, weight: Weights) -> None:
    """As ``_sort_short``, for rows of any length: short pieces are sorted, then merged two by two."""
    size, weighted = len(keys), len(weight) > 0
    for start in range(0, size, SHORT_ROW):
        _sort_short(keys[start : start + SHORT_ROW], weight[start : start + SHORT_ROW])
    piece = SHORT_ROW
    while piece < size:
        old_keys, old_weight = keys.copy(), weight.copy()
        for start in range(0, size, 2 * piece):
            middle, stop = min(start + piece, size), min(start + 2 * piece, size)
            left, right = start, middle
            for place in range(start, stop):
                take_left = left < middle and (right == stop or old_keys[left] <= old_keys[right])
                taken = left if take_left else right
                keys[place] = old_keys[taken]
                if weighted:
                    weight[place] = old_weight[taken]
                left += take_left
                right += not take_left
        piece *= 2


@numba.njit(nogil=True, cache=True)
def _merge_row(keys: Keys, weight: Weights) -> tuple[int, int]:
    """Leave one entry for each link at the front of a sorted row: its larger end, and its weight.

    Returns:
        How many links, and how many directed pairs, the row has.
    """
    links = directed = 0
    i = 0
    while i < len(keys):
        end = keys[i] >> np.uint32(1)
        heaviest = 0.0
        while i < len(keys) and keys[i] >> np.uint32(1) == end:
            key, total = keys[i], 0.0
            while i < len(keys) and keys[i] == key:
                if len(weight) > 0:
                    total += weight[i]
                i += 1
            heaviest = max(heaviest, total)
            directed += 1
        keys[links] = end
        if len(weight) > 0:
            weight[links] = heaviest
        links += 1
    return links, directed


@numba.njit(nogil=True, cache=True)
def merge_rows(
    offset: Positions,
    start: int,
    stop: int,
    keys: Keys,
    weight: Weights,
    kept: npt.NDArray[np.int32],
    lower: npt.NDArray[np.int32],
) -> int:
    """Sort and merge the rows ``start`` to ``stop``; ``kept`` gets their links, ``lower`` those of the other ends.

    Returns:
        How many distinct directed pairs these rows have.
    """
    total = 0
    for row in range(start, stop):
        entries = keys[offset[row] : offset[row + 1]]
        weights = weight[offset[row] : offset[row + 1]]  # empty if there are none
        _sort_row(entries, weights)
        links, directed = _merge_row(entries, weights)
        kept[row] = links
        total += directed
        for k in range(links):
            lower[entries[k]] += 1
    return total


@numba.njit(nogil=True, cache=True)
def fill_rows(
    offset: Positions,
    start: int,
    stop: int,
    keys: Keys,
    weight: Weights,
    kept: npt.NDArray[np.int32],
    cursor: Positions,
    final: Positions,
    neighbor: npt.NDArray[np.int32],
    out: Weights,
) -> None:
    """Write each link of the rows ``start`` to ``stop`` twice: at the end of its row, and in the row of its other end.

    A row of the result is what smaller nodes wrote there, in their order, and then its own larger ends: ascending.
    """
    weighted = len(weight) > 0
    for row in range(start, stop):
        own = final[row + 1] - kept[row]
        for k in range(kept[row]):
            end = np.int64(keys[offset[row] + k])
            place = cursor[end]
            cursor[end] = place + 1
            neighbor[own + k], neighbor[place] = end, row
            if weighted:
                out[own + k] = out[place] = weight[offset[row] + k]
