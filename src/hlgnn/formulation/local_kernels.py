"""Sums over common neighbours: pairs are grouped by one end, whose neighbours are marked once for the whole group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.formulation.prefetch import prefetch

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]
    Marks = npt.NDArray[np.uint8] | Floats

# How many pairs ahead a row is fetched, and twice as many ahead what says where it is; 16 neighbours are a cache line.
AHEAD = 8
LINE = 16


@njit(cache=True, nogil=True)
def group_pairs(pairs: Ints, degree: SmallInts) -> tuple[SmallInts, SmallInts, SmallInts]:
    """A counting sort of pairs by the end with more neighbours, by the larger one among equals.

    Returns:
        Where the group of each node starts (N + 1,); the pair at each place (P,), and its end with fewer (P,).
    """
    num_nodes, num_pairs = len(degree), len(pairs)
    start = np.zeros(num_nodes + 1, dtype=np.int32)
    hub = np.empty(num_pairs, dtype=np.int32)
    for pair in range(num_pairs):
        i, j = pairs[pair, 0], pairs[pair, 1]
        more = degree[i] - degree[j]
        node = i if more > 0 or (more == 0 and i > j) else j
        hub[pair] = node
        start[node + 1] += 1
    for node in range(num_nodes):
        start[node + 1] += start[node]
    place = start[:-1].copy()
    order, small = np.empty(num_pairs, dtype=np.int32), np.empty(num_pairs, dtype=np.int32)
    for pair in range(num_pairs):
        at = place[hub[pair]]
        place[hub[pair]] = at + 1
        order[at], small[at] = pair, pairs[pair, 0] + pairs[pair, 1] - hub[pair]
    return start, order, small


@njit(cache=True, nogil=True)
def edge_weight(weight: Floats | None, edge: int) -> float:
    """The weight of a stored edge; one on a graph without weights, where the look-up is compiled away."""
    if weight is None:
        return 1.0
    return float(weight[edge])


@njit(cache=True, nogil=True)
def _mark(offset: Ints, neighbor: SmallInts, weight: Floats | None, node: int, loop: float, mark: Marks) -> None:
    """Write w_{node,k} to every neighbour k of ``node``, and ``loop`` to the node itself."""
    for edge in range(offset[node], offset[node + 1]):
        mark[neighbor[edge]] = edge_weight(weight, edge)
    mark[node] = loop


@njit(cache=True, nogil=True)
def _clear(offset: Ints, neighbor: SmallInts, node: int, mark: Marks) -> None:
    for edge in range(offset[node], offset[node + 1]):
        mark[neighbor[edge]] = 0
    mark[node] = 0


@njit(cache=True, nogil=True)
def _sum_group(
    offset: Ints,
    neighbor: SmallInts,
    weight: Floats | None,
    order: SmallInts,
    small: SmallInts,
    values: Floats,
    block: int,
    loop: float,
    begin: int,
    end: int,
    mark: Marks,
    sums: Floats,
    flat: Floats,
) -> None:
    """Σ_k mark_k · w_kj · values[k] for the other ends j of one group, four columns at once, k in ascending order.

    Pairs come in no order: without fetching ahead, waiting for rows takes longer than walking them.
    """
    column, columns = 4 * block, sums.shape[1]
    for place in range(begin, end):
        if place + 2 * AHEAD < len(small):  # in here: a function that takes arrays costs more than it hides
            row = offset[small[place + AHEAD]]
            prefetch(offset, small[place + 2 * AHEAD])
            prefetch(flat, order[place + 2 * AHEAD] * columns)
            prefetch(neighbor, row)
            prefetch(neighbor, row + LINE)
        node = small[place]
        first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
        if loop * mark[node] != 0.0:
            share = loop * mark[node]
            first, second = share * values[block, node, 0], share * values[block, node, 1]
            third, fourth = share * values[block, node, 2], share * values[block, node, 3]
        for edge in range(offset[node], offset[node + 1]):
            middle = neighbor[edge]
            if mark[middle] != 0:
                share = mark[middle] * edge_weight(weight, edge)
                first += share * values[block, middle, 0]
                second += share * values[block, middle, 1]
                third += share * values[block, middle, 2]
                fourth += share * values[block, middle, 3]
        pair = order[place]
        sums[pair, column] = first
        if column + 1 < columns:
            sums[pair, column + 1] = second
        if column + 2 < columns:
            sums[pair, column + 2] = third
        if column + 3 < columns:
            sums[pair, column + 3] = fourth


@njit(cache=True, nogil=True)
def sum_common(
    offset: Ints,
    neighbor: SmallInts,
    weight: Floats | None,
    start: SmallInts,
    order: SmallInts,
    small: SmallInts,
    values: Floats,
    loop: float,
    begin: int,
    end: int,
    mark: Marks,
    sums: Floats,
) -> None:
    """Σ_k w_ik w_kj values[:, k] for the places ``begin`` … ``end`` of grouped pairs, into their rows of ``sums``.

    ``values`` holds blocks of four columns (⌈M / 4⌉, N, 4), so that a common neighbour costs one cache line; ``mark``
    is all zero before and after. Each pair is summed in the same order however pairs are cut into ranges.
    """
    node = int(np.searchsorted(start, begin, side="right")) - 1
    place, flat = begin, sums.reshape(-1)
    while place < end:
        while start[node + 1] <= place:
            node += 1
        stop = min(end, start[node + 1])
        _mark(offset, neighbor, weight, node, loop, mark)
        for block in range(len(values)):
            _sum_group(offset, neighbor, weight, order, small, values, block, loop, place, stop, mark, sums, flat)
        _clear(offset, neighbor, node, mark)
        place = stop
