"""Candidates of one node by resource allocation and by personalised PageRank, many nodes at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]

UNRANKED = 1 << 40


@njit(cache=True, nogil=True)
def _key(seed: int, source: int, node: int) -> int:
    """A hash of (seed, source, node) that breaks ties: splitmix64."""
    x = np.uint64(seed) ^ (np.uint64(source) << np.uint64(32)) ^ np.uint64(node)
    x += np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int((x ^ (x >> np.uint64(31))) >> np.uint64(1))


@njit(cache=True, nogil=True)
def _allocate(offset: Ints, neighbor: SmallInts, source: int, score: Floats, touched: SmallInts) -> int:
    """Σ_{k ∈ Γ_source ∩ Γ_w} 1 / d_k for every w within two hops, into ``score``; returns how many were touched."""
    count = 0
    for first in range(offset[source], offset[source + 1]):
        middle = neighbor[first]
        share = 1.0 / (offset[middle + 1] - offset[middle])
        for second in range(offset[middle], offset[middle + 1]):
            node = neighbor[second]
            if score[node] == 0.0:
                touched[count] = node
                count += 1
            score[node] += share
    return count


@njit(cache=True, nogil=True)
def _push(
    offset: Ints,
    neighbor: SmallInts,
    source: int,
    teleport: float,
    tolerance: float,
    score: Floats,
    residual: Floats,
    queue: SmallInts,
    queued: npt.NDArray[np.bool_],
    touched: SmallInts,
) -> int:
    """Personalised PageRank of ``source`` by forward push: every residual ends below ``tolerance`` × degree.

    Returns how many nodes were reached; some of them may have kept their residual and have no score.
    """
    num_nodes = len(score)
    residual[source], queue[0], queued[source], touched[0] = 1.0, source, True, source
    head, waiting, count = 0, 1, 1
    while waiting > 0:
        node = queue[head]
        head = (head + 1) % num_nodes
        waiting -= 1
        queued[node] = False
        degree = offset[node + 1] - offset[node]
        mass = residual[node]
        residual[node] = 0.0
        if degree == 0:
            score[node] += mass
            continue
        score[node] += teleport * mass
        share = (1.0 - teleport) * mass / degree
        for edge in range(offset[node], offset[node + 1]):
            target = neighbor[edge]
            if residual[target] == 0.0 and score[target] == 0.0:
                touched[count] = target
                count += 1
            residual[target] += share
            if not queued[target] and residual[target] > tolerance * (offset[target + 1] - offset[target]):
                queue[(head + waiting) % num_nodes] = target
                queued[target] = True
                waiting += 1
    for position in range(count):
        residual[touched[position]] = 0.0
    return count


@njit(cache=True, nogil=True)
def _worse(score: float, key: int, other_score: float, other_key: int) -> bool:
    """Whether the first stands behind the second: a lower score, or the same one and a larger key."""
    return score < other_score or (score == other_score and key > other_key)


@njit(cache=True, nogil=True)
def _sink(nodes: SmallInts, scores: Floats, keys: Ints, size: int) -> None:
    """Let the root of a heap, whose worst entry belongs on top, sink to its place."""
    parent = 0
    while 2 * parent + 1 < size:
        child = 2 * parent + 1
        if child + 1 < size and _worse(scores[child + 1], keys[child + 1], scores[child], keys[child]):
            child += 1
        if not _worse(scores[child], keys[child], scores[parent], keys[parent]):
            return
        nodes[parent], nodes[child] = nodes[child], nodes[parent]
        scores[parent], scores[child] = scores[child], scores[parent]
        keys[parent], keys[child] = keys[child], keys[parent]
        parent = child


@njit(cache=True, nogil=True)
def _rise(nodes: SmallInts, scores: Floats, keys: Ints, size: int) -> None:
    """Let the last entry of a heap rise to its place."""
    child = size - 1
    while child > 0:
        parent = (child - 1) // 2
        if not _worse(scores[child], keys[child], scores[parent], keys[parent]):
            return
        nodes[parent], nodes[child] = nodes[child], nodes[parent]
        scores[parent], scores[child] = scores[child], scores[parent]
        keys[parent], keys[child] = keys[child], keys[parent]
        child = parent


@njit(cache=True, nogil=True)
def _best(candidates: SmallInts, values: Floats, most: int, seed: int, source: int) -> tuple[SmallInts, Floats]:
    """The ``most`` candidates with the highest values, best first; equal values are ordered by key."""
    room = min(most, len(candidates))
    nodes, scores, keys = np.empty(room, np.int32), np.empty(room, np.float64), np.empty(room, np.int64)
    size = 0
    for position in range(len(candidates)):
        value = values[position]
        if size == room and value < scores[0]:
            continue
        key = _key(seed, source, candidates[position])
        if size < room:
            nodes[size], scores[size], keys[size] = candidates[position], value, key
            size += 1
            _rise(nodes, scores, keys, size)
        elif _worse(scores[0], keys[0], value, key):
            nodes[0], scores[0], keys[0] = candidates[position], value, key
            _sink(nodes, scores, keys, size)
    while size > 1:  # the worst entry goes last, and so on: what remains is sorted
        size -= 1
        nodes[0], nodes[size] = nodes[size], nodes[0]
        scores[0], scores[size] = scores[size], scores[0]
        keys[0], keys[size] = keys[size], keys[0]
        _sink(nodes, scores, keys, size)
    return nodes, scores


@njit(cache=True, nogil=True)
def _rank(
    candidates: SmallInts, values: Floats, most: int, seed: int, source: int, best: SmallInts, ranks: Ints
) -> None:
    """The ``most`` best candidates and their ranks into ``best`` and ``ranks``; equal values share the better rank."""
    nodes, scores = _best(candidates, values, most, seed, source)
    for position in range(len(nodes)):
        tied = position > 0 and scores[position] == scores[position - 1]
        best[position] = nodes[position]
        ranks[position] = ranks[position - 1] if tied else position + 1


@njit(cache=True, nogil=True)
def _eligible(
    touched: SmallInts, count: int, score: Floats, blocked: SmallInts, source: int
) -> tuple[SmallInts, Floats]:
    """The touched nodes that may become negatives, with their scores; ``score`` is cleared."""
    nodes = np.empty(count, dtype=np.int32)
    scores = np.empty(count, dtype=np.float64)
    size = 0
    for position in range(count):
        node = touched[position]
        if blocked[node] != source and score[node] > 0.0:
            nodes[size], scores[size] = node, score[node]
            size += 1
        score[node] = 0.0
    return nodes[:size], scores[:size]


@njit(cache=True, nogil=True)
def structural_candidates(
    offset: Ints,
    neighbor: SmallInts,
    known_offset: Ints,
    known_neighbor: SmallInts,
    sources: Ints,
    most: int,
    teleport: float,
    tolerance: float,
    seed: int,
) -> tuple[SmallInts, Ints]:
    """For each source its ``most`` best candidates by RA and by PageRank.  -> nodes (S, 2, most), ranks (S, 2, most)

    A place that nothing fills has the node −1 and the rank ``UNRANKED``.
    """
    num_nodes, num_sources = len(offset) - 1, len(sources)
    best = np.full((num_sources, 2, most), -1, dtype=np.int32)
    ranks = np.full((num_sources, 2, most), UNRANKED, dtype=np.int64)
    score, residual = np.zeros(num_nodes), np.zeros(num_nodes)
    queue, touched = np.empty(num_nodes, dtype=np.int32), np.empty(num_nodes, dtype=np.int32)
    queued = np.zeros(num_nodes, dtype=np.bool_)
    blocked = np.full(num_nodes, -1, dtype=np.int32)
    for index in range(num_sources):
        source = sources[index]
        blocked[source] = source
        for edge in range(known_offset[source], known_offset[source + 1]):
            blocked[known_neighbor[edge]] = source
        count = _allocate(offset, neighbor, source, score, touched)
        nodes, scores = _eligible(touched, count, score, blocked, source)
        _rank(nodes, scores, most, seed, source, best[index, 0], ranks[index, 0])
        count = _push(offset, neighbor, source, teleport, tolerance, score, residual, queue, queued, touched)
        nodes, scores = _eligible(touched, count, score, blocked, source)
        _rank(nodes, scores, most, seed, source, best[index, 1], ranks[index, 1])
    return best, ranks


@njit(cache=True, nogil=True)
def similarity_candidates(
    similarity: npt.NDArray[np.float32],
    known_offset: Ints,
    known_neighbor: SmallInts,
    sources: Ints,
    most: int,
    seed: int,
) -> tuple[SmallInts, Ints]:
    """For each source its ``most`` best candidates by a row of similarities.  (S, N) -> (S, most), (S, most)"""
    best = np.full((len(sources), most), -1, dtype=np.int32)
    ranks = np.full((len(sources), most), UNRANKED, dtype=np.int64)
    for index in range(len(sources)):
        source = sources[index]
        score = similarity[index].astype(np.float64)
        score[source] = 0.0
        for edge in range(known_offset[source], known_offset[source + 1]):
            score[known_neighbor[edge]] = 0.0
        nodes = np.nonzero(score > 0.0)[0]
        _rank(nodes.astype(np.int32), score[nodes], most, seed, source, best[index], ranks[index])
    return best, ranks


@njit(cache=True, nogil=True)
def _fill(
    known_offset: Ints, known_neighbor: SmallInts, source: int, seed: int, chosen: SmallInts, filled: int
) -> None:
    """Complete ``chosen`` with nodes drawn uniformly among those that are neither linked nor chosen yet."""
    num_nodes, most = len(known_offset) - 1, len(chosen)
    neighbors = known_neighbor[known_offset[source] : known_offset[source + 1]]
    taken = np.zeros(num_nodes, dtype=np.bool_)
    taken[source] = True
    for node in neighbors:
        taken[node] = True
    for position in range(filled):
        taken[chosen[position]] = True
    free = np.nonzero(~taken)[0]
    for position in range(most - filled):  # the beginning of a Fisher–Yates shuffle
        other = position + _key(seed, source, num_nodes + position) % (len(free) - position)
        free[position], free[other] = free[other], free[position]
        chosen[filled + position] = free[position]


@njit(cache=True, nogil=True)
def merge_candidates(
    best: SmallInts, ranks: Ints, known_offset: Ints, known_neighbor: SmallInts, sources: Ints, most: int, seed: int
) -> SmallInts:
    """The ``most`` nodes with the lowest minimum rank, ties by key, completed at random.  (S, H, most) -> (S, most)"""
    chosen = np.full((len(sources), most), -1, dtype=np.int32)
    lowest = np.full(len(known_offset) - 1, UNRANKED, dtype=np.int64)
    nodes = np.empty(best.shape[1] * most, dtype=np.int32)
    for index in range(len(sources)):
        size = 0
        for heuristic in range(best.shape[1]):
            for position in range(most):
                node = best[index, heuristic, position]
                if node < 0:
                    break
                if lowest[node] == UNRANKED:
                    nodes[size] = node
                    size += 1
                lowest[node] = min(lowest[node], ranks[index, heuristic, position])
        values = np.empty(size, dtype=np.float64)
        for position in range(size):
            values[position] = -lowest[nodes[position]]
            lowest[nodes[position]] = UNRANKED
        merged, _ = _best(nodes[:size], values, most, seed, sources[index])
        chosen[index, : len(merged)] = merged
        if len(merged) < most:
            _fill(known_offset, known_neighbor, sources[index], seed, chosen[index], len(merged))
    return chosen
