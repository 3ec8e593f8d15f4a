"""Compiled searches from every node, and merges of what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Offsets = npt.NDArray[np.int64]
    Nodes = npt.NDArray[np.int32]
    Rings = npt.NDArray[np.uint8]
    Floats = npt.NDArray[np.float64]


@numba.njit(cache=True, nogil=True)
def _search(offset: Offsets, neighbor: Nodes, root: int, found: Nodes, distance: Rings, ends: Offsets) -> None:
    """Nodes within ``len(ends)`` hops into ``found``, ring after ring; ``ends`` says where each ring stops.

    ``distance`` is zero before, and holds max(1, distance) of what was found afterwards.
    """
    found[0], distance[root] = root, 1
    begin, size = 0, 1
    for hop in range(len(ends)):
        stop = size
        for place in range(begin, stop):
            for edge in range(offset[found[place]], offset[found[place] + 1]):
                node = neighbor[edge]
                if distance[node] == 0:
                    distance[node] = hop + 1
                    found[size] = node
                    size += 1
        begin, ends[hop] = stop, size


@numba.njit(cache=True, nogil=True)
def count_balls(offset: Offsets, neighbor: Nodes, sizes: Floats, start: int, stop: int) -> None:
    """How many nodes are within 1 … K hops of nodes ``start`` to ``stop``.  -> (N, K)"""
    found, distance = np.empty(len(offset), dtype=np.int32), np.zeros(len(offset), dtype=np.uint8)
    ends = np.empty(sizes.shape[1], dtype=np.int64)
    for root in range(start, stop):
        _search(offset, neighbor, root, found, distance, ends)
        sizes[root] = ends
        for place in range(ends[-1]):
            distance[found[place]] = 0


@numba.njit(cache=True, nogil=True)
def fill_balls(
    offset: Offsets, neighbor: Nodes, hops: int, place: Offsets, node: Nodes, ring: Rings, start: int, stop: int
) -> None:
    """The balls of nodes ``start`` to ``stop``, ascending, from ``place`` on."""
    found, distance = np.empty(len(offset), dtype=np.int32), np.zeros(len(offset), dtype=np.uint8)
    ends = np.empty(hops, dtype=np.int64)
    for root in range(start, stop):
        _search(offset, neighbor, root, found, distance, ends)
        ball = np.sort(found[: ends[-1]])
        for position in range(len(ball)):
            node[place[root] + position] = ball[position]
            ring[place[root] + position] = distance[ball[position]]
            distance[ball[position]] = 0


@numba.njit(cache=True, nogil=True)
def merged_intersections(
    pairs: Offsets, offset: Offsets, node: Nodes, ring: Rings, result: Floats, start: int, stop: int
) -> None:
    """How many nodes are on ring k of i and ring l of j, for pairs ``start`` to ``stop``.  (P, 2) -> (P, K, K)"""
    for pair in range(start, stop):
        left, right = offset[pairs[pair, 0]], offset[pairs[pair, 1]]
        left_end, right_end = offset[pairs[pair, 0] + 1], offset[pairs[pair, 1] + 1]
        while left < left_end and right < right_end:
            if node[left] < node[right]:
                left += 1
            elif node[left] > node[right]:
                right += 1
            else:
                result[pair, ring[left] - 1, ring[right] - 1] += 1.0
                left += 1
                right += 1
