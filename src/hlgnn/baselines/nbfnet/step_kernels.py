"""Compiled: which messages the states of some queries receive in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from hlgnn.baselines.nbfnet.pattern import FIRST_NODE, NOTHING, QUERY

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[Any]


@numba.njit(cache=True, nogil=True)
def write_step(
    offset: Integers,
    neighbor: Integers,
    node: Integers,
    is_source: Integers,
    first_place: Integers,
    place: Integers,
    rows: Integers,
    before: Integers,
    loops: int,
) -> tuple[Integers, Integers, Integers]:
    """Messages of the states ``rows`` in one step, and where each of them was before.

    Args:
        offset: Where the neighbours of each node begin.
        neighbor: The neighbours.
        node: The node of each item.
        is_source: Whether it is the source of its query.
        first_place: Where the neighbours of each item begin in ``place``.
        place: The item that each neighbour is, or −1.
        rows: Items that have a state of their own after the step.
        before: Where the states of items are before the step, or −1 for those that are still as the background.
        loops: One if nodes also send to themselves.
    """
    num_nodes = len(offset) - 1
    start, own = np.zeros(len(rows) + 1, np.int64), np.empty(len(rows), np.int64)
    for r in range(len(rows)):
        v = node[rows[r]]
        start[r + 1] = start[r] + 1 + loops + offset[v + 1] - offset[v]
    column = np.empty(start[-1], np.int32)
    for r in range(len(rows)):
        item = rows[r]
        v, at = node[item], start[r]
        own[r] = num_nodes + before[item] if before[item] >= 0 else v
        column[at] = QUERY if is_source[item] else NOTHING
        at += 1
        if loops:
            column[at] = FIRST_NODE + own[r]
            at += 1
        for edge in range(offset[v + 1] - offset[v]):
            other = place[first_place[item] + edge]
            known = before[other] if other >= 0 else -1
            column[at + edge] = FIRST_NODE + (num_nodes + known if known >= 0 else neighbor[offset[v] + edge])
    return start, column, own
