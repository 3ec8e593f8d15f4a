"""Conjugate gradients for a few columns at a time: (I − r S) X = E with S = R Ã R symmetric and R diagonal.

What is kept of a direction P is P' = R P: a row of Ã P' is then a plain sum of rows, which sixteen columns make in
registers once they have filled the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.formulation.block_kernels import multiply
from hlgnn.formulation.kernels.sum_lanes import row_sum

if TYPE_CHECKING:
    from hlgnn.formulation.block_kernels import Columns, Flags
    from hlgnn.formulation.chain import Floats, Nodes, Weights

LANES = 16


@njit(cache=True, nogil=True)
def conjugate_gradients(
    weights: Weights,
    root: Floats,
    ratio: float,
    nodes: Nodes,
    enough: Floats,
    most: int,
    x: Columns,
    rest: Columns,
    step: Columns,
    image: Columns,
) -> int:
    """X with ‖E − (I − r S) X‖ ≤ ``enough`` in each column, E the unit vectors of ``nodes``: how many steps it took.

    Every column goes its own way to its own end, whatever columns stand beside it. Rows that walks of so many steps do
    not reach are zero and cost nothing. ``root`` is the diagonal of R, all positive; the last three arrays are
    workspace.  (B,) -> (N, B)
    """
    live, grown = np.zeros(len(x), dtype=np.bool_), np.zeros(len(x), dtype=np.bool_)
    x[:] = 0.0
    rest[:] = 0.0
    step[:] = 0.0
    for column in range(len(nodes)):
        rest[nodes[column], column] = 1.0
        step[nodes[column], column] = root[nodes[column]]
        live[nodes[column]] = True
    norm = np.ones(len(nodes))  # ‖rest‖²
    for taken in range(most):
        going = norm > enough * enough
        if not np.any(going):
            return taken
        _sum_neighbors(weights, step, live, image, grown)
        live, grown = grown | live, live
        length = np.where(going, norm / _turned(ratio, root, live, step, image), 0.0)
        left = _moved(length, root, live, step, image, x, rest)
        _new_direction(np.where(going, left / norm, 0.0), root, live, rest, step)
        norm = left
    return most


@njit(cache=True, nogil=True)
def _sum_neighbors(weights: Weights, step: Columns, live: Flags, image: Columns, grown: Flags) -> None:
    """Ã P', by either of two passes with the same sums.  (N, B)"""
    offset, neighbor, weight, loop = weights[0], weights[1], weights[2], weights[3]
    if len(weight) or step.shape[1] != LANES or 2 * np.sum(live) < len(live):
        multiply(weights, np.array([1.0, 0.0, 0.0, 0.0]), 0, len(step), step, live, image, grown)
        return
    grown[:] = True
    row, end = np.empty(LANES), offset[len(step)]
    for i in range(len(step)):
        row_sum(step, neighbor, i if loop != 0.0 else -1, offset[i], offset[i + 1], end, row, LANES)
        for column in range(LANES):
            image[i, column] = row[column]


@njit(cache=True, nogil=True)
def _turned(ratio: float, root: Floats, live: Flags, step: Columns, image: Columns) -> Floats:
    """From Ã P' to (I − r S) P; its product with P, which is never zero.  (N, B) -> (B,)"""
    total = np.zeros(step.shape[1])
    for i in range(len(live)):
        if live[i]:
            back, share = 1.0 / root[i], ratio * root[i]
            for column in range(len(total)):
                direction = step[i, column] * back
                image[i, column] = direction - share * image[i, column]
                total[column] += direction * image[i, column]
    return np.maximum(total, np.finfo(np.float64).tiny)


@njit(cache=True, nogil=True)
def _moved(
    length: Floats, root: Floats, live: Flags, step: Columns, image: Columns, x: Columns, rest: Columns
) -> Floats:
    """A step of these lengths along P: the squared norm of what is left.  (N, B) -> (B,)"""
    total = np.zeros(step.shape[1])
    for i in range(len(live)):
        if live[i]:
            back = 1.0 / root[i]
            for column in range(len(total)):
                x[i, column] += length[column] * (step[i, column] * back)
                rest[i, column] -= length[column] * image[i, column]
                total[column] += rest[i, column] * rest[i, column]
    return total


@njit(cache=True, nogil=True)
def _new_direction(share: Floats, root: Floats, live: Flags, rest: Columns, step: Columns) -> None:
    """What is left, and a share of the last direction.  (N, B)"""
    for i in range(len(live)):
        if live[i]:
            for column in range(len(share)):
                step[i, column] = root[i] * rest[i, column] + share[column] * step[i, column]
