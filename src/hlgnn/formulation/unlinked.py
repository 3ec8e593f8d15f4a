"""Pairs of one node, and pairs without any score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.formulation.local_kernels import edge_weight

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.local_bounds import Rows

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]


@njit(cache=True, nogil=True)
def sums_of_node(rows: Rows, values: Floats, node: int) -> Floats:
    """Σ_k w_{node,k} w_kj v_k for every node j, k in ascending order.  (N,)"""
    offset, neighbor, weight = rows.offset, rows.neighbor, rows.weight
    sums = np.zeros(len(offset) - 1)
    for first in range(offset[node], offset[node + 1]):
        middle = neighbor[first]
        for second in range(offset[middle], offset[middle + 1]):
            sums[neighbor[second]] += (edge_weight(weight, first) * edge_weight(weight, second)) * values[middle]
    return sums


@njit(cache=True, nogil=True)
def first_unlinked(rows: Rows, taken: Ints, count: int) -> Ints:
    """The first ``count`` keys i · N + j of pairs i < j that are neither links nor ``taken``, or all of them.

    ``taken`` is sorted and holds no links.
    """
    offset, neighbor = rows.offset, rows.neighbor
    num_nodes = len(offset) - 1
    keys = np.empty(count, dtype=np.int64)
    filled, passed = 0, 0
    for i in range(num_nodes):
        edge = offset[i]
        while edge < offset[i + 1] and neighbor[edge] <= i:
            edge += 1
        for j in range(i + 1, num_nodes):
            if filled == count:
                return keys
            if edge < offset[i + 1] and neighbor[edge] == j:
                edge += 1
            elif passed < len(taken) and taken[passed] == i * num_nodes + j:
                passed += 1
            else:
                keys[filled] = i * num_nodes + j
                filled += 1
    return keys[:filled]
