"""H_ij of single pairs: sparse vectors grown from both ends until they meet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.formulation.prefetch import prefetch

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.chain import Floats, Nodes, Weights

    SmallInts = npt.NDArray[np.int32]

# How many rows ahead a row is fetched, and twice as many ahead what says where it is; 16 neighbours are a cache line.
AHEAD = 6
LINE = 16
# What a vector holds at nodes that it has not reached.
EMPTY = -0.0


@njit(cache=True, nogil=True)
def _add(vector: Floats, support: SmallInts, count: int, node: int, value: float) -> int:
    """vector[node] += value, noting a node that is met for the first time; returns how many are noted.

    A node that has not been met holds -0.0, which no sum of numbers that starts at 0.0 ever gives: one look-up says
    both the value and whether there is one.
    """
    before = vector[node]
    if before == 0.0 and math.copysign(1.0, before) < 0.0:
        support[count] = node
        vector[node] = 0.0 + value
        return count + 1
    vector[node] = before + value
    return count


@njit(cache=True, nogil=True)
def _hop(
    weights: Weights, operator: Floats, x: Floats, support: SmallInts, count: int, y: Floats, reached: SmallInts
) -> int:
    """yᵀ = xᵀ A and x = 0, touching only the edges of the support of x; returns the size of the support of y.

    An entry of A is w_ij (adj + sym r_i r_j + row r_i² + col r_j²) with r = 1 / √d̃.
    """
    offset, neighbor, weight, loop, inverse, root = weights
    adj, sym, row, col = operator
    gathers, weighted = sym != 0.0 or col != 0.0, len(weight) > 0
    found = 0
    for position in range(count):
        if position + AHEAD < count:
            prefetch(neighbor, offset[support[position + AHEAD]])
        i = support[position]
        plain = x[i] * (adj + row * inverse[i])
        by_root, by_inverse = x[i] * sym * root[i], x[i] * col
        x[i] = EMPTY
        for edge in range(offset[i], offset[i + 1]):
            j = neighbor[edge]
            value = plain
            if gathers:
                value += by_root * root[j] + by_inverse * inverse[j]
            if weighted:
                value *= weight[edge]
            found = _add(y, reached, found, j, value)
        if loop != 0.0:
            found = _add(y, reached, found, i, loop * (plain + by_root * root[i] + by_inverse * inverse[i]))
    return found


@njit(cache=True, nogil=True)
def _neighbor_sum(neighbor: SmallInts, begin: int, end: int, y: Floats) -> float:
    """Σ y_j over the edges ``begin`` … ``end``, in four sums side by side: none waits for the last addition."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    edge = begin
    while edge + 4 <= end:
        first += y[neighbor[edge]]
        second += y[neighbor[edge + 1]]
        third += y[neighbor[edge + 2]]
        fourth += y[neighbor[edge + 3]]
        edge += 4
    while edge < end:
        first += y[neighbor[edge]]
        edge += 1
    return (first + second) + (third + fourth)


@njit(cache=True, nogil=True)
def _form(weights: Weights, operator: Floats, x: Floats, support: SmallInts, count: int, y: Floats) -> float:
    """xᵀ A y over the edges of the support of x."""
    offset, neighbor, weight, loop, inverse, root = weights
    adj, sym, row, col = operator
    gathers, weighted = sym != 0.0 or col != 0.0, len(weight) > 0
    total = 0.0
    for position in range(count):
        if position + 2 * AHEAD < count:  # rows come in no order: waiting for them takes longer than walking them
            start = offset[support[position + AHEAD]]
            prefetch(offset, support[position + 2 * AHEAD])
            prefetch(neighbor, start)
            prefetch(neighbor, start + LINE)
        i = support[position]
        plain, by_root = adj + row * inverse[i], sym * root[i]
        value = loop * y[i] * (plain + by_root * root[i] + col * inverse[i])
        if not gathers and not weighted:
            total += x[i] * (value + plain * _neighbor_sum(neighbor, offset[i], offset[i + 1], y))
            continue
        for edge in range(offset[i], offset[i + 1]):
            j = neighbor[edge]
            entry = y[j]
            if gathers:
                entry *= plain + by_root * root[j] + col * inverse[j]
            if weighted:
                entry *= weight[edge]
            value += entry if gathers else plain * entry
        total += x[i] * value
    return total


@njit(cache=True, nogil=True)
def _edges(offset: Nodes, support: SmallInts, count: int) -> int:
    """How many edges leave a support."""
    total = 0
    for position in range(count):
        total += offset[support[position] + 1] - offset[support[position]]
    return total


@njit(cache=True, nogil=True)
def _clear(x: Floats, support: SmallInts, count: int) -> None:
    """Empty a vector on its support."""
    for position in range(count):
        x[support[position]] = EMPTY


@njit(cache=True, nogil=True)
def _transposed(operator: Floats) -> Floats:
    """The operator of Aᵀ."""
    turned = operator.copy()
    turned[2], turned[3] = operator[3], operator[2]
    return turned


@njit(cache=True, nogil=True)
def meet(
    weights: Weights, operators: Floats, betas: Floats, middle: int, left: Nodes, right: Nodes, out: Floats
) -> None:
    """C_ij = Σ_{l ≤ m} β_l x_l[j] + x_mᵀ A_{m+1} z for pairs in any order; equal ends in a row are grown once.

    x_l = e_iᵀ A_1 ⋯ A_l grows from the left; z = β_{m+1} e_j + A_{m+2} (β_{m+2} e_j + …) grows from the right, by
    Horner's rule. The hop in between is a sum over the edges of the smaller of the two supports.
    """
    num_nodes, depth = len(weights[0]) - 1, len(operators)
    vectors = np.full((4, num_nodes), EMPTY)
    supports = np.empty((4, num_nodes), dtype=np.int32)
    a, b, c, d = 0, 1, 2, 3  # two for the left, two for the right
    left_count, right_count, last_right = 0, 0, -1
    left_edges, right_edges = 0, 0
    begin = 0
    while begin < len(out):
        end = begin + 1
        while end < len(out) and left[end] == left[begin]:
            end += 1
        _clear(vectors[a], supports[a], left_count)
        left_count = _add(vectors[a], supports[a], 0, left[begin], 1.0)
        for pair in range(begin, end):
            out[pair] = betas[0] * vectors[a, right[pair]]
        for order in range(1, middle + 1):
            left_count = _hop(
                weights, operators[order - 1], vectors[a], supports[a], left_count, vectors[b], supports[b]
            )
            a, b = b, a
            for pair in range(begin, end):
                out[pair] += betas[order] * vectors[a, right[pair]]
        left_edges = _edges(weights[0], supports[a], left_count)
        for pair in range(begin, end if middle < depth else begin):
            j = right[pair]
            if j != last_right:
                last_right = j
                _clear(vectors[c], supports[c], right_count)
                right_count = _add(vectors[c], supports[c], 0, j, betas[depth])
                for order in range(depth - 1, middle, -1):
                    turned = _transposed(operators[order])
                    right_count = _hop(weights, turned, vectors[c], supports[c], right_count, vectors[d], supports[d])
                    right_count = _add(vectors[d], supports[d], right_count, j, betas[order])
                    c, d = d, c
                right_edges = _edges(weights[0], supports[c], right_count)
            if left_edges <= right_edges:
                out[pair] += _form(weights, operators[middle], vectors[a], supports[a], left_count, vectors[c])
            else:
                out[pair] += _form(
                    weights, _transposed(operators[middle]), vectors[c], supports[c], right_count, vectors[a]
                )
        begin = end
