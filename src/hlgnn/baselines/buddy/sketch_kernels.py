"""Compiled passes over sketches: one hop further, and the intersections of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba

from hlgnn.baselines.buddy.cardinality import union_count

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Offsets = npt.NDArray[np.int64]
    Nodes = npt.NDArray[np.int32]
    Hashes = npt.NDArray[np.uint32]
    Registers = npt.NDArray[np.uint8]
    Floats = npt.NDArray[np.float64]


@numba.njit(cache=True, nogil=True)
def smallest_rows(offset: Offsets, neighbor: Nodes, before: Hashes, after: Hashes, start: int, stop: int) -> None:
    """Each row becomes the minimum over itself and the rows of its neighbours.  (N, H) -> (N, H)"""
    for i in range(start, stop):
        for column in range(before.shape[1]):
            after[i, column] = before[i, column]
        for edge in range(offset[i], offset[i + 1]):
            j = neighbor[edge]
            for column in range(before.shape[1]):
                after[i, column] = min(after[i, column], before[j, column])


@numba.njit(cache=True, nogil=True)
def largest_rows(offset: Offsets, neighbor: Nodes, before: Registers, after: Registers, start: int, stop: int) -> None:
    """Each row becomes the maximum over itself and the rows of its neighbours.  (N, R) -> (N, R)"""
    for i in range(start, stop):
        for column in range(before.shape[1]):
            after[i, column] = before[i, column]
        for edge in range(offset[i], offset[i + 1]):
            j = neighbor[edge]
            for column in range(before.shape[1]):
                after[i, column] = max(after[i, column], before[j, column])


@numba.njit(cache=True, nogil=True)
def _equal_share(left: Hashes, i: int, right: Hashes, j: int) -> float:
    """The share of equal MinHash values, which estimates Jaccard's index."""
    equal = 0
    for column in range(left.shape[1]):
        equal += left[i, column] == right[j, column]
    return float(equal / left.shape[1])


@numba.njit(cache=True, nogil=True)
def sketched_intersections(
    pairs: Offsets,
    hashes: Hashes,
    registers: Registers,
    power: Floats,
    empty: Floats,
    filled: Floats,
    result: Floats,
    start: int,
    stop: int,
) -> None:
    """|N_k(i) ∩ N_l(j)| ≈ Jaccard × |union| for pairs ``start`` to ``stop``.  (P, 2), (K, N, ·) -> (P, K, K)"""
    hops = len(hashes)
    for pair in range(start, stop):
        i, j = pairs[pair, 0], pairs[pair, 1]
        for k in range(hops):
            for other in range(hops):
                share = _equal_share(hashes[k], i, hashes[other], j)
                if share > 0.0:
                    share *= union_count(registers[k], i, registers[other], j, power, empty, filled)
                result[pair, k, other] = share
