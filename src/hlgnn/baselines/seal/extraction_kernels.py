"""Compiled: nodes and links of the subgraph that encloses a pair, one pair after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from hlgnn.baselines.seal.label_kernels import label_nodes

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[Any]

UNSEEN, DROPPED = -1, -2
GOLDEN, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


@numba.njit(cache=True, nogil=True)
def extract_pairs(
    offset: Integers, neighbor: Integers, pairs: Integers, hops: int, ratio: float, cap: int, seed: int
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """Enclosing subgraphs of pairs that have their smaller end first.

    Returns:
        How many nodes each subgraph has; its nodes, ends first; their labels; how many neighbours each of them has
        inside, the target link left out; and these neighbours, counted from the first node of the subgraph.
    """
    num_nodes = len(offset) - 1
    place = np.full(num_nodes, UNSEEN, np.int32)
    seen, queue = np.empty(num_nodes, np.int32), np.empty(num_nodes, np.int32)
    near, far, waiting = np.empty(num_nodes, np.int32), np.empty(num_nodes, np.int32), np.empty(num_nodes, np.int32)
    start = np.empty(num_nodes + 1, np.int64)
    sizes = np.empty(len(pairs), np.int64)
    nodes, labels = np.empty(1024, np.int32), np.empty(1024, np.int32)
    degrees, columns = np.empty(1024, np.int32), np.empty(4096, np.int32)
    total, edges = 0, 0
    for p in range(len(pairs)):
        s, t = pairs[p, 0], pairs[p, 1]
        kept, found = _reach(offset, neighbor, s, t, hops, ratio, cap, seed, place, seen, queue)
        nodes, labels = _room(nodes, total, kept), _room(labels, total, kept)
        degrees = _room(degrees, total, kept)
        nodes[total : total + kept] = queue[:kept]
        first = edges
        start[0] = 0
        for a in range(kept):
            u = queue[a]
            columns = _room(columns, edges, offset[u + 1] - offset[u])
            for edge in range(offset[u], offset[u + 1]):
                v = neighbor[edge]
                if place[v] >= 0 and not (u == s and v == t) and not (u == t and v == s):
                    columns[edges] = place[v]
                    edges += 1
            start[a + 1] = edges - first
            degrees[total + a] = start[a + 1] - start[a]
        label_nodes(start, columns[first:edges], kept, s == t, near, far, waiting, labels[total : total + kept])
        for a in range(found):
            place[seen[a]] = UNSEEN
        sizes[p] = kept
        total += kept
    return sizes, nodes[:total], labels[:total], degrees[:total], columns[:edges]


@numba.njit(cache=True, nogil=True)
def _reach(
    offset: Integers,
    neighbor: Integers,
    s: int,
    t: int,
    hops: int,
    ratio: float,
    cap: int,
    seed: int,
    place: Integers,
    seen: Integers,
    queue: Integers,
) -> tuple[int, int]:
    """Nodes within ``hops`` of either end, in the order in which they are found; how many are kept, and were seen."""
    queue[0], seen[0], place[s] = s, s, 0
    kept = found = 1
    if t != s:
        queue[1], seen[1], place[t] = t, t, 1
        kept = found = 2
    low = 0
    for _ in range(hops):
        high = kept
        for a in range(low, high):
            for edge in range(offset[queue[a]], offset[queue[a] + 1]):
                v = neighbor[edge]
                if place[v] == UNSEEN:
                    place[v] = kept
                    queue[kept], seen[found] = v, v
                    kept, found = kept + 1, found + 1
        wanted = kept - high
        if ratio < 1.0:
            wanted = int(ratio * wanted)
        if 0 < cap < wanted:
            wanted = cap
        if wanted < kept - high:
            kept = _thin(queue, high, kept, wanted, place, s, t, seed)
        if kept == high:
            break
        low = high
    return kept, found


@numba.njit(cache=True, nogil=True)
def _thin(queue: Integers, low: int, high: int, wanted: int, place: Integers, s: int, t: int, seed: int) -> int:
    """Keep the ``wanted`` nodes that a hash of (seed, pair, node) puts first; where the queue ends then."""
    pair = _mix(_mix(_mix(np.uint64(seed)) ^ np.uint64(s)) ^ np.uint64(t))
    keys = np.empty(high - low, np.uint64)
    for a in range(low, high):
        keys[a - low] = _mix(pair ^ np.uint64(queue[a]))
        place[queue[a]] = DROPPED
    chosen = np.sort(np.argsort(keys)[:wanted])
    for rank in range(wanted):
        v = queue[low + chosen[rank]]
        queue[low + rank] = v
        place[v] = low + rank
    return low + wanted


@numba.njit(cache=True, nogil=True)
def _mix(key: Any) -> Any:
    """A bijection of 64 bits in which every bit depends on every other (splitmix64)."""
    key = key + GOLDEN
    key = (key ^ (key >> SHIFTS[0])) * FIRST
    key = (key ^ (key >> SHIFTS[1])) * SECOND
    return key ^ (key >> SHIFTS[2])


@numba.njit(cache=True, nogil=True)
def _room(array: Integers, used: int, more: int) -> Integers:
    """The array, or a larger copy of its used part if ``more`` entries would not fit."""
    if used + more <= len(array):
        return array
    larger = np.empty(max(used + more, 2 * len(array)), array.dtype)
    larger[:used] = array[:used]
    return larger
