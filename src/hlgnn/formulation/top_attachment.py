"""The exact best pairs by preferential attachment: degrees are multiplied from the top, no pair is scored."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from hlgnn.graph import Adjacency

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]


def best_products(adjacency: Adjacency, degree: Floats, most: int) -> tuple[Floats, Ints]:
    """The best ``most`` unlinked pairs with a positive d_i d_j, or all of them: scores, and keys i · N + j."""
    offset, neighbor = adjacency.offset.numpy(), adjacency.neighbor.numpy()
    grouped = np.argsort(-degree, kind="stable")  # (N,), equal degrees by ascending node
    values, start = np.unique(-degree[grouped], return_index=True)
    bounds = np.append(start, len(degree))
    scores, keys, missing = [np.empty(0)], [np.empty(0, dtype=np.int64)], most
    for product, classes in _levels(-values):
        if missing == 0 or product <= 0:
            break
        nodes, partner_start, partner_stop = _members(grouped, bounds, classes)
        found = unlinked_of_level(offset, neighbor, grouped, nodes, partner_start, partner_stop, missing)
        scores.append(np.full(len(found), product))
        keys.append(found)
        missing -= len(found)
    return np.concatenate(scores), np.concatenate(keys)


def _levels(degrees: Floats) -> Iterator[tuple[float, list[tuple[int, int]]]]:
    """Products of two of the descending ``degrees`` from the largest down, with all pairs of positions that have it."""
    waiting = [(-degrees[0] * degrees[0], 0, 0)] if len(degrees) > 0 else []
    while waiting:
        product, classes = -waiting[0][0], []
        while waiting and waiting[0][0] == -product:
            _, a, b = heapq.heappop(waiting)
            classes.append((a, b))
            if b + 1 < len(degrees):
                heapq.heappush(waiting, (-degrees[a] * degrees[b + 1], a, b + 1))
            if a == b and a + 1 < len(degrees):
                heapq.heappush(waiting, (-degrees[a + 1] * degrees[a + 1], a + 1, a + 1))
        yield float(product), classes


def _members(grouped: Ints, bounds: Ints, classes: list[tuple[int, int]]) -> tuple[Ints, Ints, Ints]:
    """The nodes of one level, ascending, and where the partners of each are in ``grouped``.

    Two nodes with different partners have different degrees, as their product is given: each has one class of partners.
    """
    sides = {(a, b) for a, b in classes} | {(b, a) for a, b in classes}
    nodes = np.concatenate([grouped[bounds[a] : bounds[a + 1]] for a, _ in sides])
    partner = np.concatenate([np.full(bounds[a + 1] - bounds[a], b) for a, b in sides])
    order = np.argsort(nodes)
    return nodes[order], bounds[partner[order]], bounds[partner[order] + 1]


@njit(cache=True, nogil=True)
def unlinked_of_level(
    offset: Ints, neighbor: SmallInts, grouped: Ints, nodes: Ints, partner_start: Ints, partner_stop: Ints, most: int
) -> Ints:
    """The first ``most`` pairs (i, j), i < j, of nodes i with their partners j that are no links, as keys i · N + j."""
    num_nodes = len(offset) - 1
    keys = np.empty(min(most, 1024), dtype=np.int64)
    filled = 0
    for index in range(len(nodes)):
        i = nodes[index]
        low, high = partner_start[index], partner_stop[index]
        while low < high:  # partners ascend: the first one beyond i
            middle = (low + high) // 2
            if grouped[middle] <= i:
                low = middle + 1
            else:
                high = middle
        edge = offset[i]
        for place in range(low, partner_stop[index]):
            j = grouped[place]
            while edge < offset[i + 1] and neighbor[edge] < j:
                edge += 1
            if edge < offset[i + 1] and neighbor[edge] == j:
                continue
            if filled == len(keys):
                larger = np.empty(min(most, 2 * filled), dtype=np.int64)
                larger[:filled] = keys
                keys = larger
            keys[filled] = i * num_nodes + j
            filled += 1
            if filled == most:
                return keys
    return keys[:filled]
