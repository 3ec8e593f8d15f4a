"""Compiled passes over ranges of rows: the entries of an operator exist in registers only.

Neighbours are taken four at a time, so that a row of the result is read and written a quarter as often, and rows are
indexed in place: a view of a row would count its owners in memory that all threads share.
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
    inner: Matrix,
    start: int,
    stop: int,
) -> float:
    """Rows ``start`` to ``stop`` of Y = A X + β B and of T += β Y, and their share of ⟨Y, inner⟩.

    y_i = Σ_j ã_ij (adj + row / d_i + (sym / √d_i) / √d_j + col / d_j) x_j, where ã_ii is ``loop``, zero or one. Edge
    weights, B, T and the inner matrix are empty if there are none.
    """
    weighted, based, totalled = len(weight) > 0, len(base) > 0, len(total) > 0
    scale, col, width, projects, product = beta[0], operator[3], x.shape[1], len(inner) > 0, 0.0
    for i in range(start, stop):
        plain, sym = operator[0] + operator[2] * inverse[i], operator[1] * root[i]
        own = loop * (plain + sym * root[i] + col * inverse[i])
        for f in range(width):
            y[i, f] = own * x[i, f] if loop else x.dtype.type(0)
        edge, end = offset[i], offset[i + 1]
        while edge + 3 < end:
            j, k, m, n = neighbor[edge], neighbor[edge + 1], neighbor[edge + 2], neighbor[edge + 3]
            first, second = plain + sym * root[j] + col * inverse[j], plain + sym * root[k] + col * inverse[k]
            third, fourth = plain + sym * root[m] + col * inverse[m], plain + sym * root[n] + col * inverse[n]
            if weighted:
                first, second = first * weight[edge], second * weight[edge + 1]
                third, fourth = third * weight[edge + 2], fourth * weight[edge + 3]
            for f in range(width):
                y[i, f] += first * x[j, f] + second * x[k, f] + third * x[m, f] + fourth * x[n, f]
            edge += 4
        while edge < end:
            j = neighbor[edge]
            entry = plain + sym * root[j] + col * inverse[j]
            if weighted:
                entry *= weight[edge]
            for f in range(width):
                y[i, f] += entry * x[j, f]
            edge += 1
        if based:
            _add_row(y, i, scale, base)
        if totalled:
            _add_row(total, i, scale, y)
        if projects:
            product += _row_product(y, inner, i)
    return product


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _add_row(target: Matrix, i: int, factor: float, source: Matrix) -> None:
    for f in range(target.shape[1]):
        target[i, f] += factor * source[i, f]


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _row_product(left: Matrix, right: Matrix, i: int) -> float:
    dot: float = left.dtype.type(0)
    for f in range(left.shape[1]):
        dot += left[i, f] * right[i, f]
    return dot


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
    beta: Vector,
    base: Matrix,
    start: int,
    stop: int,
) -> npt.NDArray[np.float64]:
    """Rows ``start`` to ``stop`` of Aᵀ G + β B; their share of the gradient of the operator and of ⟨X, B⟩.  (5,)

    Ã is symmetric, so row j of Aᵀ G sums ã_ij (adj + col / d_j + (sym / √d_j) / √d_i + row / d_i) g_i over the
    neighbours i of j. While g_i is at hand, s = ã_ij ⟨g_i, x_j⟩ is nearly free; with p = Σ s, q = Σ s / √d_i and
    r = Σ s / d_i the gradient is the sum over j of (p, q / √d_j, r, p / d_j). There is no transposed matrix, and no
    edge is visited twice.
    """
    weighted, one, zero = len(weight) > 0, root.dtype.type(1), root.dtype.type(0)
    row, width, shares = operator[2], x.shape[1], np.zeros(5, np.float64)
    for j in range(start, stop):
        plain, sym = operator[0] + operator[3] * inverse[j], operator[1] * root[j]
        p, q, r = 0.0, 0.0, 0.0
        own, dot = loop * (plain + sym * root[j] + row * inverse[j]), zero
        for f in range(width):
            grad_x[j, f] = own * grad[j, f] if loop else zero
            dot += grad[j, f] * x[j, f]
        if loop:
            p, q, r = p + dot, q + dot * root[j], r + dot * inverse[j]
        edge, end = offset[j], offset[j + 1]
        while edge + 3 < end:
            i, k, m, n = neighbor[edge], neighbor[edge + 1], neighbor[edge + 2], neighbor[edge + 3]
            w_i = weight[edge] if weighted else one
            w_k = weight[edge + 1] if weighted else one
            w_m = weight[edge + 2] if weighted else one
            w_n = weight[edge + 3] if weighted else one
            a_i, a_k = plain + sym * root[i] + row * inverse[i], plain + sym * root[k] + row * inverse[k]
            a_m, a_n = plain + sym * root[m] + row * inverse[m], plain + sym * root[n] + row * inverse[n]
            a_i, a_k, a_m, a_n = w_i * a_i, w_k * a_k, w_m * a_m, w_n * a_n
            dot_i, dot_k, dot_m, dot_n = zero, zero, zero, zero
            for f in range(width):
                g_i, g_k, g_m, g_n, here = grad[i, f], grad[k, f], grad[m, f], grad[n, f], x[j, f]
                grad_x[j, f] += a_i * g_i + a_k * g_k + a_m * g_m + a_n * g_n
                dot_i += g_i * here
                dot_k += g_k * here
                dot_m += g_m * here
                dot_n += g_n * here
            dot_i, dot_k, dot_m, dot_n = w_i * dot_i, w_k * dot_k, w_m * dot_m, w_n * dot_n
            p += dot_i + dot_k + dot_m + dot_n
            q += dot_i * root[i] + dot_k * root[k] + dot_m * root[m] + dot_n * root[n]
            r += dot_i * inverse[i] + dot_k * inverse[k] + dot_m * inverse[m] + dot_n * inverse[n]
            edge += 4
        while edge < end:
            i = neighbor[edge]
            w_i = weight[edge] if weighted else one
            a_i, dot = w_i * (plain + sym * root[i] + row * inverse[i]), zero
            for f in range(width):
                grad_x[j, f] += a_i * grad[i, f]
                dot += grad[i, f] * x[j, f]
            dot = w_i * dot
            p, q, r = p + dot, q + dot * root[i], r + dot * inverse[i]
            edge += 1
        if len(base) > 0:
            _add_row(grad_x, j, beta[0], base)
            shares[4] += _row_product(x, base, j)
        shares[0] += p
        shares[1] += q * root[j]
        shares[2] += r
        shares[3] += p * inverse[j]
    return shares
