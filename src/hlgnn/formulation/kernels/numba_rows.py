"""Compiled passes over ranges of rows: the entries of an operator exist in registers only.

Neighbours are taken two at a time, so that a row of the result is read and written half as often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Vector = npt.NDArray[Any]  # float32 or float64, all alike in one call
    Matrix = npt.NDArray[Any]
    Offsets = npt.NDArray[np.int64]
    Nodes = npt.NDArray[np.int32]

# Sums may be reordered and fused, which vectorises them; NaN and infinity keep their meaning.
FAST = {"contract", "reassoc", "nsz"}


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def multiply_rows(
    offset: Offsets,
    neighbor: Nodes,
    weight: Vector,
    loop: int,
    inverse: Vector,
    root: Vector,
    operator: Vector,
    x: Matrix,
    y: Matrix,
    beta: Vector,
    base: Matrix,
    total: Matrix,
    start: int,
    stop: int,
) -> None:
    """Rows ``start`` to ``stop`` of Y = A X + β B and of T += β Y.

    y_i = Σ_j ã_ij (adj + row / d_i + (sym / √d_i) / √d_j + col / d_j) x_j, where ã_ii is ``loop``, zero or one. Edge
    weights, B and T are empty if there are none.
    """
    weighted, based, totalled = len(weight) > 0, len(base) > 0, len(total) > 0
    scale, col = beta[0], operator[3]
    for i in range(start, stop):
        out, plain, sym = y[i], operator[0] + operator[2] * inverse[i], operator[1] * root[i]
        if loop:
            _set(out, plain + sym * root[i] + col * inverse[i], x[i])
        else:
            out[:] = 0
        edge, end = offset[i], offset[i + 1]
        while edge + 1 < end:
            j, k = neighbor[edge], neighbor[edge + 1]
            first, second = plain + sym * root[j] + col * inverse[j], plain + sym * root[k] + col * inverse[k]
            if weighted:
                first *= weight[edge]
                second *= weight[edge + 1]
            _add_two(out, first, x[j], second, x[k])
            edge += 2
        if edge < end:
            j = neighbor[edge]
            entry = weight[edge] if weighted else root.dtype.type(1)
            _add(out, entry * (plain + sym * root[j] + col * inverse[j]), x[j])
        if based:
            _add(out, scale, base[i])
        if totalled:
            _add(total[i], scale, out)


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def backward_rows(
    offset: Offsets,
    neighbor: Nodes,
    weight: Vector,
    loop: int,
    inverse: Vector,
    root: Vector,
    operator: Vector,
    x: Matrix,
    grad: Matrix,
    grad_x: Matrix,
    start: int,
    stop: int,
) -> npt.NDArray[np.float64]:
    """Rows ``start`` to ``stop`` of Aᵀ G, and their share of the gradient of the operator.  (4,)

    Ã is symmetric, so row j of Aᵀ G sums ã_ij (adj + col / d_j + (sym / √d_j) / √d_i + row / d_i) g_i over the
    neighbours i of j. While g_i is at hand, s = ã_ij ⟨g_i, x_j⟩ is nearly free; with p = Σ s, q = Σ s / √d_i and
    r = Σ s / d_i the gradient is the sum over j of (p, q / √d_j, r, p / d_j). There is no transposed matrix, and no
    edge is visited twice.
    """
    weighted, one = len(weight) > 0, root.dtype.type(1)
    row, grad_operator = operator[2], np.zeros(4, np.float64)
    for j in range(start, stop):
        out, here, plain, sym = grad_x[j], x[j], operator[0] + operator[3] * inverse[j], operator[1] * root[j]
        p, q, r = 0.0, 0.0, 0.0
        out[:] = 0
        if loop:
            dot = _add_and_dot(out, plain + sym * root[j] + row * inverse[j], grad[j], here)
            p, q, r = p + dot, q + dot * root[j], r + dot * inverse[j]
        edge, end = offset[j], offset[j + 1]
        while edge + 1 < end:
            i, k = neighbor[edge], neighbor[edge + 1]
            first = weight[edge] if weighted else one
            second = weight[edge + 1] if weighted else one
            for_i = first * (plain + sym * root[i] + row * inverse[i])
            for_k = second * (plain + sym * root[k] + row * inverse[k])
            dot_i, dot_k = _add_and_dot_two(out, for_i, grad[i], for_k, grad[k], here)
            dot_i, dot_k = first * dot_i, second * dot_k
            p += dot_i + dot_k
            q += dot_i * root[i] + dot_k * root[k]
            r += dot_i * inverse[i] + dot_k * inverse[k]
            edge += 2
        if edge < end:
            i = neighbor[edge]
            entry = weight[edge] if weighted else one
            dot = entry * _add_and_dot(out, entry * (plain + sym * root[i] + row * inverse[i]), grad[i], here)
            p, q, r = p + dot, q + dot * root[i], r + dot * inverse[i]
        grad_operator[0] += p
        grad_operator[1] += q * root[j]
        grad_operator[2] += r
        grad_operator[3] += p * inverse[j]
    return grad_operator


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _set(out: Vector, factor: float, row: Vector) -> None:
    for f in range(len(out)):
        out[f] = factor * row[f]


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _add(out: Vector, factor: float, row: Vector) -> None:
    for f in range(len(out)):
        out[f] += factor * row[f]


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _add_two(out: Vector, first: float, row: Vector, second: float, other: Vector) -> None:
    for f in range(len(out)):
        out[f] += first * row[f] + second * other[f]


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _add_and_dot(out: Vector, factor: float, row: Vector, here: Vector) -> float:
    """Add a multiple of ``row`` to ``out``, and return ⟨row, here⟩."""
    dot: float = here.dtype.type(0)
    for f in range(len(out)):
        out[f] += factor * row[f]
        dot += row[f] * here[f]
    return dot


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _add_and_dot_two(
    out: Vector, first: float, row: Vector, second: float, other: Vector, here: Vector
) -> tuple[float, float]:
    """The same for two rows in one pass."""
    dot, other_dot = here.dtype.type(0), here.dtype.type(0)
    for f in range(len(out)):
        out[f] += first * row[f] + second * other[f]
        dot += row[f] * here[f]
        other_dot += other[f] * here[f]
    return dot, other_dot
