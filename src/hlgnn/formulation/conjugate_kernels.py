"""Conjugate gradients for a few columns at a time: (I − r S) X = E with S symmetric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.formulation.block_kernels import multiply

if TYPE_CHECKING:
    from hlgnn.formulation.block_kernels import Columns, Flags
    from hlgnn.formulation.chain import Floats, Nodes, Weights


@njit(cache=True, nogil=True)
def conjugate_gradients(
    weights: Weights,
    operator: Floats,
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
    not reach are zero and cost nothing. The other arrays are workspace.  (B,) -> (N, B)
    """
    live, grown = np.zeros(len(x), dtype=np.bool_), np.zeros(len(x), dtype=np.bool_)
    x[:] = 0.0
    rest[:] = 0.0
    step[:] = 0.0
    for column in range(len(nodes)):
        rest[nodes[column], column] = step[nodes[column], column] = 1.0
        live[nodes[column]] = True
    norm = np.ones(len(nodes))  # ‖rest‖²
    for taken in range(most):
        going = norm > enough * enough
        if not np.any(going):
            return taken
        multiply(weights, operator, 0, len(x), step, live, image, grown)
        live, grown = grown | live, live
        length = np.where(going, norm / _turned(ratio, live, step, image), 0.0)
        left = _moved(length, live, step, image, x, rest)
        _new_direction(np.where(going, left / norm, 0.0), live, rest, step)
        norm = left
    return most


@njit(cache=True, nogil=True)
def _turned(ratio: float, live: Flags, step: Columns, image: Columns) -> Floats:
    """The image becomes that of I − r S; its product with the step, which is never zero.  (N, B) -> (B,)"""
    total = np.zeros(step.shape[1])
    for i in range(len(live)):
        if live[i]:
            for column in range(len(total)):
                image[i, column] = step[i, column] - ratio * image[i, column]
                total[column] += step[i, column] * image[i, column]
    return np.maximum(total, np.finfo(np.float64).tiny)


@njit(cache=True, nogil=True)
def _moved(length: Floats, live: Flags, step: Columns, image: Columns, x: Columns, rest: Columns) -> Floats:
    """A step of these lengths: the squared norm of what is left.  (N, B) -> (B,)"""
    total = np.zeros(step.shape[1])
    for i in range(len(live)):
        if live[i]:
            for column in range(len(total)):
                x[i, column] += length[column] * step[i, column]
                rest[i, column] -= length[column] * image[i, column]
                total[column] += rest[i, column] * rest[i, column]
    return total


@njit(cache=True, nogil=True)
def _new_direction(share: Floats, live: Flags, rest: Columns, step: Columns) -> None:
    """What is left, and a share of the last step.  (N, B)"""
    for i in range(len(live)):
        if live[i]:
            for column in range(len(share)):
                step[i, column] = rest[i, column] + share[column] * step[i, column]
