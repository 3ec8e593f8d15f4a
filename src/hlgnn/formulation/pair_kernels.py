"""H_ij of single pairs: sparse vectors grown from both ends until they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.chain import Floats, Nodes, Weights

    SmallInts = npt.NDArray[np.int32]


@njit(cache=True, nogil=True)
def _add(vector: Floats, support: SmallInts, count: int, mark: SmallInts, stamp: int, node: int, value: float) -> int:
    """vector[node] += value, noting a node that is met for the first time; returns how many are noted."""
    if mark[node] != stamp:
        mark[node] = stamp
        support[count] = node
        count += 1
    vector[node] += value
    return count


@njit(cache=True, nogil=True)
def _hop(
    weights: Weights,
    operator: Floats,
    x: Floats,
    support: SmallInts,
    count: int,
    y: Floats,
    reached: SmallInts,
    mark: SmallInts,
    stamp: int,
) -> int:
    """yᵀ = xᵀ A and x = 0, touching only the edges of the support of x; returns the size of the support of y.

    An entry of A is w_ij (adj + sym r_i r_j + row r_i² + col r_j²) with r = 1 / √d̃.
    """
    offset, neighbor, weight, loop, inverse, root = weights
    adj, sym, row, col = operator
    gathers, weighted = sym != 0.0 or col != 0.0, len(weight) > 0
    found = 0
    for position in range(count):
        i = support[position]
        plain = x[i] * (adj + row * inverse[i])
        by_root, by_inverse = x[i] * sym * root[i], x[i] * col
        x[i] = 0.0
        for edge in range(offset[i], offset[i + 1]):
            j = neighbor[edge]
            value = plain
            if gathers:
                value += by_root * root[j] + by_inverse * inverse[j]
            if weighted:
                value *= weight[edge]
            found = _add(y, reached, found, mark, stamp, j, value)
        if loop != 0.0:
            found = _add(
                y, reached, found, mark, stamp, i, loop * (plain + by_root * root[i] + by_inverse * inverse[i])
            )
    return found


@njit(cache=True, nogil=True)
def _form(weights: Weights, operator: Floats, x: Floats, support: SmallInts, count: int, y: Floats) -> float:
    """xᵀ A y over the edges of the support of x."""
    offset, neighbor, weight, loop, inverse, root = weights
    adj, sym, row, col = operator
    gathers, weighted = sym != 0.0 or col != 0.0, len(weight) > 0
    total = 0.0
    for position in range(count):
        i = support[position]
        plain, by_root = adj + row * inverse[i], sym * root[i]
        value = loop * y[i] * (plain + by_root * root[i] + col * inverse[i])
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
    """Zero a vector on its support."""
    for position in range(count):
        x[support[position]] = 0.0


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
    vectors = np.zeros((5, num_nodes))
    supports = np.empty((5, num_nodes), dtype=np.int32)
    marks = np.full((5, num_nodes), -1, dtype=np.int32)
    a, b, near, c, d = 0, 1, 2, 3, 4  # two for the left, the sum of its orders, two for the right
    left_count, near_count, right_count, stamp = 0, 0, 0, 0
    left_edges, right_edges = 0, 0
    last_left, last_right = -1, -1
    for pair in range(len(out)):
        i, j = left[pair], right[pair]
        if i != last_left:
            last_left = i
            _clear(vectors[a], supports[a], left_count)
            _clear(vectors[near], supports[near], near_count)
            stamp += depth + 1
            left_count = _add(vectors[a], supports[a], 0, marks[a], stamp, i, 1.0)
            near_count = _add(vectors[near], supports[near], 0, marks[near], stamp, i, betas[0])
            for order in range(1, middle + 1):
                left_count = _hop(
                    weights,
                    operators[order - 1],
                    vectors[a],
                    supports[a],
                    left_count,
                    vectors[b],
                    supports[b],
                    marks[b],
                    stamp + order,
                )
                a, b = b, a
                if betas[order] != 0.0:
                    for position in range(left_count):
                        node = supports[a, position]
                        near_count = _add(
                            vectors[near],
                            supports[near],
                            near_count,
                            marks[near],
                            stamp,
                            node,
                            betas[order] * vectors[a, node],
                        )
            left_edges = _edges(weights[0], supports[a], left_count)
        out[pair] = vectors[near, j]
        if middle == depth:
            continue
        if j != last_right:
            last_right = j
            _clear(vectors[c], supports[c], right_count)
            stamp += depth + 1
            right_count = _add(vectors[c], supports[c], 0, marks[c], stamp, j, betas[depth])
            for order in range(depth - 1, middle, -1):
                right_count = _hop(
                    weights,
                    _transposed(operators[order]),
                    vectors[c],
                    supports[c],
                    right_count,
                    vectors[d],
                    supports[d],
                    marks[d],
                    stamp + order,
                )
                right_count = _add(vectors[d], supports[d], right_count, marks[d], stamp + order, j, betas[order])
                c, d = d, c
            right_edges = _edges(weights[0], supports[c], right_count)
        if left_edges <= right_edges:
            out[pair] += _form(weights, operators[middle], vectors[a], supports[a], left_count, vectors[c])
        else:
            out[pair] += _form(
                weights, _transposed(operators[middle]), vectors[c], supports[c], right_count, vectors[a]
            )
