"""The exact best pairs by a sum over common neighbours: sources in the order of what they can reach at most.

Ranks number the nodes by descending bound, equal bounds by ascending node; a *class* are the nodes with one bound. A
pair is met at its end with the lower bound, or, within a class, at its smaller node: so a pair is met once, and never
if one of its ends is out of the running.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hlgnn.formulation.combinations import combine
from hlgnn.formulation.local_bounds import ROUNDING, Rows, skippable
from hlgnn.formulation.local_kernels import edge_weight
from hlgnn.formulation.pair_heap import improves, push

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.local_bounds import Reach, Scoring

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]

# Walking the row of the other end, compared with a bisection in it for every neighbour of the source.
COST_OF_BISECTION = 8


class Ranking(NamedTuple):
    """Nodes by descending bound, then ascending number.  (N,) each"""

    order: Ints
    rank_of: Ints
    bound: Floats
    class_start: Ints
    class_stop: Ints
    smallest: Ints  # the smallest node of all better classes, N without one


class Scratch(NamedTuple):
    """What a thread writes to; all zero between two sources, except for ``touched``.  (N,) each"""

    sums: Floats
    mark: Floats
    touched: SmallInts


@njit(cache=True, nogil=True)
def _write(weight: Floats | None, edge: int, value: float) -> None:
    if weight is not None:
        weight[edge] = value


@njit(cache=True, nogil=True)
def fill_in_order(rows: Rows, order: Ints, number: Ints, listed: Rows) -> Ints:
    """Fill ``listed`` with ``number`` of each neighbour, in the given order of nodes; says where each row ends.  (N,)

    Nodes that are missing in ``order`` are missing in the rows, too.
    """
    offset = rows.offset
    stop = offset[:-1].copy()
    for node in order:
        for edge in range(offset[node], offset[node + 1]):
            row = rows.neighbor[edge]
            listed.neighbor[stop[row]] = number[node]
            _write(listed.weight, stop[row], edge_weight(rows.weight, edge))
            stop[row] += 1
    return stop


@njit(cache=True, nogil=True)
def is_settled(ranking: Ranking, rank: int, floor: float, floor_key: int) -> bool:
    """Whether no pair that is met at this rank or later comes before the pair (floor, floor_key).

    With a bound equal to the floor only the nodes of a pair decide. Later pairs of the class have a smaller node of at
    least this one, or an end in a better class.
    """
    if ranking.bound[rank] != floor:
        return bool(ranking.bound[rank] < floor)
    num_nodes, node, smallest = len(ranking.order), ranking.order[rank], ranking.smallest[rank]
    key = smallest * num_nodes + node if smallest < node else node * num_nodes + node + 1
    return bool(key > floor_key)


@njit(cache=True, nogil=True)
def _gather(
    middles: Rows, begin: int, end: int, listed: Rows, stop: Ints, values: Floats, last_rank: int, scratch: Scratch
) -> int:
    """Σ_k w_ik w_kj v_k over the edges ``begin`` … ``end`` to k for every j of a rank below ``last_rank``.

    Returns:
        How many there are; their ranks are in ``scratch.touched``.
    """
    sums, touched = scratch.sums, scratch.touched
    count = 0
    for first in range(begin, end):
        middle, weight = middles.neighbor[first], edge_weight(middles.weight, first)
        for second in range(listed.offset[middle], stop[middle]):
            rank = listed.neighbor[second]
            if rank >= last_rank:
                break
            term = (weight * edge_weight(listed.weight, second)) * values[middle]
            if sums[rank] == 0.0 and term > 0.0:
                touched[count] = rank
                count += 1
            sums[rank] += term
    return count


@njit(cache=True, nogil=True)
def _find(rows: Rows, node: int, target: int) -> int:
    """The edge from ``node`` to ``target``, or −1."""
    low, high = rows.offset[node], rows.offset[node + 1]
    while low < high:
        middle = (low + high) // 2
        if rows.neighbor[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low if low < rows.offset[node + 1] and rows.neighbor[low] == target else -1


@njit(cache=True, nogil=True)
def _sum_of_pair(rows: Rows, values: Floats, node: int, other: int, mark: Floats) -> float:
    """Σ_k w_ik w_kj v_k, k in ascending order; ``mark`` holds w_{node,k}."""
    offset = rows.offset
    shared = 0.0
    if offset[other + 1] - offset[other] <= COST_OF_BISECTION * (offset[node + 1] - offset[node]):
        for edge in range(offset[other], offset[other + 1]):
            middle = rows.neighbor[edge]
            if mark[middle] != 0.0:
                shared += (mark[middle] * edge_weight(rows.weight, edge)) * values[middle]
        return shared
    for edge in range(offset[node], offset[node + 1]):
        middle = rows.neighbor[edge]
        second = _find(rows, other, middle)
        if second >= 0:
            shared += (edge_weight(rows.weight, edge) * edge_weight(rows.weight, second)) * values[middle]
    return shared


@njit(cache=True, nogil=True)
def _drop_links(rows: Rows, ranking: Ranking, node: int, sums: Floats) -> None:
    """Forget the sums of linked nodes: they are no candidates."""
    for edge in range(rows.offset[node], rows.offset[node + 1]):
        sums[ranking.rank_of[rows.neighbor[edge]]] = 0.0


@njit(cache=True, nogil=True)
def _promising(
    rows: Rows,
    scoring: Scoring,
    ranking: Ranking,
    rank: int,
    count: int,
    skipped: float,
    floor: float,
    scratch: Scratch,
) -> tuple[int, int]:
    """Keep touched ranks that may reach ``floor`` with what was skipped; clear all sums, and say what they cost."""
    node, kept, cost = ranking.order[rank], 0, 0
    for position in range(count):
        other = scratch.touched[position]
        partial = scratch.sums[other]
        scratch.sums[other] = 0.0
        if partial == 0.0 or ranking.class_start[rank] <= other <= rank:
            continue
        partner = ranking.order[other]
        degree = rows.offset[partner + 1] - rows.offset[partner]
        most = min(partial + skipped, float(degree)) if scoring.counted else (partial + skipped) * ROUNDING
        if combine(scoring.combination, scoring.scale, most, scoring.ends[node], scoring.ends[partner]) >= floor:
            scratch.touched[kept] = other
            kept += 1
            cost += min(degree, COST_OF_BISECTION * (rows.offset[node + 1] - rows.offset[node]))
    return kept, cost


@njit(cache=True, nogil=True)
def _sum_touched(rows: Rows, values: Floats, ranking: Ranking, node: int, count: int, scratch: Scratch) -> None:
    """The sums of the touched ranks, one pair after the other."""
    for edge in range(rows.offset[node], rows.offset[node + 1]):
        scratch.mark[rows.neighbor[edge]] = edge_weight(rows.weight, edge)
    for position in range(count):
        other = scratch.touched[position]
        scratch.sums[other] = _sum_of_pair(rows, values, node, ranking.order[other], scratch.mark)
    for edge in range(rows.offset[node], rows.offset[node + 1]):
        scratch.mark[rows.neighbor[edge]] = 0.0


@njit(cache=True, nogil=True)
def _candidates(
    rows: Rows,
    heavy_first: Rows,
    listed: Rows,
    stop: Ints,
    scoring: Scoring,
    reach: Reach,
    ranking: Ranking,
    rank: int,
    floor: float,
    scratch: Scratch,
) -> int:
    """The sums of the pairs met at this rank, at least of those that may reach ``floor``; says how many are touched.

    Hubs have the longest rows. Where a pair needs more than hubs alone to reach the floor, it is found by another
    neighbour, and summed up afterwards; unless that would take longer than walking the rows of the hubs.
    """
    node, last = ranking.order[rank], ranking.class_stop[rank]
    begin, end = rows.offset[node], rows.offset[node + 1]
    first, skipped = skippable(heavy_first, scoring, reach, node, floor)
    saved = 0
    for edge in range(begin, first):
        middle = heavy_first.neighbor[edge]
        saved += stop[middle] - listed.offset[middle]
    if 2 * saved > reach.walks[node]:
        count = _gather(heavy_first, first, end, listed, stop, scoring.values, last, scratch)
        _drop_links(rows, ranking, node, scratch.sums)
        count, cost = _promising(rows, scoring, ranking, rank, count, skipped, floor, scratch)
        if cost <= saved:
            _sum_touched(rows, scoring.values, ranking, node, count, scratch)
            return count
    count = _gather(rows, begin, end, listed, stop, scoring.values, last, scratch)
    _drop_links(rows, ranking, node, scratch.sums)
    return count


@njit(cache=True, nogil=True)
def best_of_sources(
    rows: Rows,
    heavy_first: Rows,
    listed: Rows,
    stop: Ints,
    scoring: Scoring,
    reach: Reach,
    ranking: Ranking,
    sources: Ints,
    most: int,
    floor: float,
    floor_key: int,
) -> tuple[Floats, Ints]:
    """The best ``most`` pairs met at some ranks that come before (floor, floor_key), as a heap.

    Returns:
        Scores and keys, i · N + j with i < j.
    """
    num_nodes = len(ranking.order)
    scratch = Scratch(np.zeros(num_nodes), np.zeros(num_nodes), np.empty(num_nodes, dtype=np.int32))
    room = min(most, 1024)
    scores, keys, size = np.empty(room), np.empty(room, dtype=np.int64), 0
    for rank in sources:
        if is_settled(ranking, rank, floor, floor_key):
            continue
        count = _candidates(rows, heavy_first, listed, stop, scoring, reach, ranking, rank, floor, scratch)
        node = ranking.order[rank]
        for position in range(count):
            other = scratch.touched[position]
            shared = scratch.sums[other]
            scratch.sums[other] = 0.0
            if shared == 0.0 or ranking.class_start[rank] <= other <= rank:
                continue
            partner = ranking.order[other]
            score = combine(scoring.combination, scoring.scale, shared, scoring.ends[node], scoring.ends[partner])
            key = min(node, partner) * num_nodes + max(node, partner)
            if improves(score, key, floor, floor_key):
                scores, keys, size = push(scores, keys, size, most, score, key)
                if size == most:
                    floor, floor_key = scores[0], keys[0]
    return scores[:size], keys[:size]
