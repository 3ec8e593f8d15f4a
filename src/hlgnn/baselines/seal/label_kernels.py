"""Compiled: double-radius node labels (DRNL) of an enclosing subgraph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[Any]

UNREACHED = -1


@numba.njit(cache=True, nogil=True)
def label_nodes(
    start: Integers,
    columns: Integers,
    count: int,
    alone: bool,  # noqa: FBT001
    near: Integers,
    far: Integers,
    queue: Integers,
    labels: Integers,
) -> None:
    """Write the label of every node: 1 at the ends, 0 where one of them is not reached.

    With d_s the distance to the first end when the second one is removed, d_t the other way round, and d = d_s + d_t:
    z = 1 + min(d_s, d_t) + ⌊d/2⌋ (⌊d/2⌋ + d mod 2 − 1) (Zhang and Chen 2018).

    Args:
        start: Where the neighbours of each node begin.
        columns: The neighbours; the ends are nodes 0 and 1.
        count: How many nodes there are.
        alone: Whether both ends are node 0.
        near: Scratch for d_s.
        far: Scratch for d_t.
        queue: Scratch for nodes that wait.
        labels: Takes the result.  (count,)
    """
    _distances(start, columns, count, 0, UNREACHED if alone else 1, near, queue)
    _distances(start, columns, count, 0 if alone else 1, UNREACHED if alone else 0, far, queue)
    for v in range(count):
        if v == 0 or (v == 1 and not alone):
            labels[v] = 1
        elif near[v] == UNREACHED or far[v] == UNREACHED:
            labels[v] = 0
        else:
            d = near[v] + far[v]
            half = d // 2
            labels[v] = 1 + min(near[v], far[v]) + half * (half + d % 2 - 1)


@numba.njit(cache=True, nogil=True)
def _distances(
    start: Integers, columns: Integers, count: int, source: int, removed: int, distance: Integers, queue: Integers
) -> None:
    """Links on shortest paths from a node, when another one is removed."""
    distance[:count] = UNREACHED
    distance[source] = 0
    queue[0] = source
    low, high = 0, 1
    while low < high:
        u = queue[low]
        low += 1
        for edge in range(start[u], start[u + 1]):
            v = columns[edge]
            if v != removed and distance[v] == UNREACHED:
                distance[v] = distance[u] + 1
                queue[high] = v
                high += 1
