"""Compiled: the nodes that lie on short enough ways from a source to its targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[Any]

UNSEEN = -1


@numba.njit(cache=True, nogil=True)
def reach_queries(
    offset: Integers, neighbor: Integers, sources: Integers, first_target: Integers, targets: Integers, depth: int
) -> tuple[Integers, Integers, Integers, Integers, Integers, Integers]:
    """Of each query the nodes v with d(source, v) + d(v, a target) ≤ depth.

    Args:
        offset: Where the neighbours of each node begin.
        neighbor: The neighbours.
        sources: The source of each query.  (Q,)
        first_target: Where its targets begin.  (Q + 1,)
        targets: The targets of all queries.
        depth: The longest way.

    Returns:
        How many nodes each query has; the nodes; their distances to the source and to the nearest target; for each
        neighbour of each of them its place among the nodes of the query, or −1; the place of each target, or −1.
    """
    num_nodes = len(offset) - 1
    from_source, to_target = np.full(num_nodes, UNSEEN, np.int32), np.full(num_nodes, UNSEEN, np.int32)
    place = np.empty(num_nodes, np.int32)
    ball, kept = np.empty(num_nodes, np.int32), np.empty(num_nodes, np.int32)
    sizes, found = np.empty(len(sources), np.int64), np.empty(len(targets), np.int32)
    nodes, near, far = np.empty(1024, np.int32), np.empty(1024, np.int32), np.empty(1024, np.int32)
    places, total, edges = np.empty(4096, np.int32), 0, 0
    for q in range(len(sources)):
        reached = _ball(offset, neighbor, sources[q], depth, from_source, ball)
        own = targets[first_target[q] : first_target[q + 1]]
        count = _ways_back(offset, neighbor, own, depth, from_source, to_target, kept)
        for a in range(count):
            place[kept[a]] = a
        nodes, near, far = _room(nodes, total, count), _room(near, total, count), _room(far, total, count)
        for a in range(count):
            v = kept[a]
            nodes[total + a], near[total + a], far[total + a] = v, from_source[v], to_target[v]
            places = _room(places, edges, offset[v + 1] - offset[v])
            for edge in range(offset[v], offset[v + 1]):
                x = neighbor[edge]
                places[edges] = place[x] if to_target[x] != UNSEEN else UNSEEN
                edges += 1
        for position in range(first_target[q], first_target[q + 1]):
            v = targets[position]
            found[position] = place[v] if to_target[v] != UNSEEN else UNSEEN
        for a in range(reached):
            from_source[ball[a]] = to_target[ball[a]] = UNSEEN
        sizes[q] = count
        total += count
    return sizes, nodes[:total], near[:total], far[:total], places[:edges], found


@numba.njit(cache=True, nogil=True)
def _ball(offset: Integers, neighbor: Integers, source: int, depth: int, distance: Integers, queue: Integers) -> int:
    """Nodes within ``depth`` of the source, and their distances; how many there are."""
    queue[0], distance[source] = source, 0
    low, high = 0, 1
    while low < high and distance[queue[low]] < depth:
        u = queue[low]
        low += 1
        for edge in range(offset[u], offset[u + 1]):
            v = neighbor[edge]
            if distance[v] == UNSEEN:
                distance[v] = distance[u] + 1
                queue[high] = v
                high += 1
    return high


@numba.njit(cache=True, nogil=True)
def _ways_back(
    offset: Integers,
    neighbor: Integers,
    targets: Integers,
    depth: int,
    from_source: Integers,
    distance: Integers,
    queue: Integers,
) -> int:
    """Nodes on ways of at most ``depth`` links, and their distances to the nearest target; how many there are.

    Beyond a node that is on no such way there is none that is: one step changes the sum of both distances by 0 or 2.
    """
    high = 0
    for v in targets:
        if from_source[v] != UNSEEN and distance[v] == UNSEEN:
            queue[high], distance[v] = v, 0
            high += 1
    low = 0
    while low < high:
        u = queue[low]
        low += 1
        for edge in range(offset[u], offset[u + 1]):
            v = neighbor[edge]
            if from_source[v] != UNSEEN and distance[v] == UNSEEN and from_source[v] + distance[u] + 1 <= depth:
                distance[v] = distance[u] + 1
                queue[high] = v
                high += 1
    return high


@numba.njit(cache=True, nogil=True)
def _room(array: Integers, used: int, more: int) -> Integers:
    """The array, or a larger copy of its used part if ``more`` entries would not fit."""
    if used + more <= len(array):
        return array
    larger = np.empty(max(used + more, 2 * len(array)), array.dtype)
    larger[:used] = array[:used]
    return larger
