"""Breadth-first searches, from one end or from both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]

# From this many targets on, one whole search is cheaper than a search from both ends for each.
MANY_TARGETS = 32


@njit(cache=True, nogil=True)
def _grow(offset: Ints, neighbor: SmallInts, distance: SmallInts, queue: SmallInts, start: int, stop: int) -> int:
    """Add the unseen neighbours of the nodes at these places of the queue; returns its new length."""
    filled = stop
    for position in range(start, stop):
        node = queue[position]
        for edge in range(offset[node], offset[node + 1]):
            other = neighbor[edge]
            if distance[other] < 0:
                distance[other] = distance[node] + 1
                queue[filled] = other
                filled += 1
    return filled


@njit(cache=True, nogil=True)
def _forget(distance: SmallInts, queue: SmallInts, filled: int) -> None:
    for position in range(filled):
        distance[queue[position]] = -1


@njit(cache=True, nogil=True)
def _search(offset: Ints, neighbor: SmallInts, source: int, depth: int, distance: SmallInts, queue: SmallInts) -> int:
    """Distances up to ``depth`` from one node (−1: of all that can be reached); returns how many nodes are reached."""
    distance[source], queue[0] = 0, source
    start, filled, level = 0, 1, 0
    while start < filled and level != depth:
        start, filled = filled, _grow(offset, neighbor, distance, queue, start, filled)
        level += 1
    return filled


@njit(cache=True, nogil=True)
def _edges(offset: Ints, queue: SmallInts, start: int, stop: int) -> int:
    total = 0
    for position in range(start, stop):
        total += offset[queue[position] + 1] - offset[queue[position]]
    return total


@njit(cache=True, nogil=True)
def _meet(offset: Ints, neighbor: SmallInts, source: int, target: int, distance: SmallInts, queue: SmallInts) -> int:
    """The distance of two nodes, −1 without a path: whole levels from the end with fewer edges ahead, in turn."""
    if source == target:
        return 0
    start, filled, level = np.zeros(2, np.int64), np.ones(2, np.int64), np.zeros(2, np.int64)
    queue[0, 0], queue[1, 0] = source, target
    distance[0, source], distance[1, target] = 0, 0
    found = -1
    while found < 0 and start[0] < filled[0] and start[1] < filled[1]:
        ahead = (_edges(offset, queue[0], start[0], filled[0]), _edges(offset, queue[1], start[1], filled[1]))
        side = 0 if ahead[0] <= ahead[1] else 1
        first, last = start[side], filled[side]
        start[side] = last
        filled[side] = _grow(offset, neighbor, distance[side], queue[side], first, last)
        level[side] += 1
        for position in range(last, filled[side]):
            if distance[1 - side, queue[side, position]] >= 0:
                found = level[0] + level[1]
                break
    _forget(distance[0], queue[0], filled[0])
    _forget(distance[1], queue[1], filled[1])
    return found


@njit(cache=True, nogil=True)
def path_lengths(offset: Ints, neighbor: SmallInts, source: Ints, target: Ints, length: Ints) -> None:
    """The distance of each pair, −1 without a path; pairs with the same source stand together.  (P,), (P,) -> (P,)"""
    num_nodes = len(offset) - 1
    distance = np.full((2, num_nodes), -1, dtype=np.int32)
    queue = np.empty((2, num_nodes), dtype=np.int32)
    start = 0
    while start < len(source):
        stop = start
        while stop < len(source) and source[stop] == source[start]:
            stop += 1
        if stop - start < MANY_TARGETS:
            for pair in range(start, stop):
                length[pair] = _meet(offset, neighbor, source[pair], target[pair], distance, queue)
        else:
            filled = _search(offset, neighbor, source[start], -1, distance[0], queue[0])
            for pair in range(start, stop):
                length[pair] = distance[0, target[pair]]
            _forget(distance[0], queue[0], filled)
        start = stop


@njit(cache=True, nogil=True)
def pairs_at_distance(offset: Ints, neighbor: SmallInts, sources: Ints, wanted: int, most: int) -> Ints:
    """The first ``most`` pairs at a distance (−1: without a path), in the order of their nodes.  (K, 2)

    A single source has pairs with every other node; of several, a pair belongs to its smaller node.
    """
    num_nodes = len(offset) - 1
    distance = np.full(num_nodes, -1, dtype=np.int32)
    queue = np.empty(num_nodes, dtype=np.int32)
    found = np.empty((most, 2), dtype=np.int64)
    count = 0
    for source in sources:
        filled = _search(offset, neighbor, source, wanted, distance, queue)
        for target in range(0 if len(sources) == 1 else source + 1, num_nodes):
            if count < most and target != source and distance[target] == wanted:
                found[count, 0], found[count, 1] = source, target
                count += 1
        _forget(distance, queue, filled)
        if count == most:
            break
    return found[:count]
