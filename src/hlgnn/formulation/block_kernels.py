"""Rows and columns of H for a few nodes at a time: dense columns, multiplied L times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.chain import Floats, Nodes, Weights

    Flags = npt.NDArray[np.bool_]
    Columns = npt.NDArray[Any]


@njit(cache=True, nogil=True)
def multiply(
    weights: Weights, operator: Floats, start: int, stop: int, x: Columns, live: Flags, y: Columns, grown: Flags
) -> None:
    """Rows ``start`` to ``stop`` of Y = A X; rows of X that are not ``live`` are zero and cost nothing.  (N, B)"""
    offset, neighbor, weight, loop, inverse, root = weights
    adj, sym, row, col = operator
    gathers, weighted, width = sym != 0.0 or col != 0.0, len(weight) > 0, x.shape[1]
    for i in range(start, stop):
        total = y[i]
        plain, by_root = adj + row * inverse[i], sym * root[i]
        found = loop != 0.0 and live[i]
        own = loop * (plain + by_root * root[i] + col * inverse[i]) if found else 0.0
        for column in range(width):
            total[column] = own * x[i, column]
        for edge in range(offset[i], offset[i + 1]):
            j = neighbor[edge]
            if not live[j]:
                continue
            found = True
            entry = plain
            if gathers:
                entry += by_root * root[j] + col * inverse[j]
            if weighted:
                entry *= weight[edge]
            for column in range(width):
                total[column] += entry * x[j, column]
        grown[i] = found


@njit(cache=True, nogil=True)
def horner(weights: Weights, operators: Floats, betas: Floats, nodes: Nodes, z: Columns, spare: Columns) -> Columns:
    """Σ β_l A_1 ⋯ A_l e_j for each node j, as β_0 e_j + A_1 (β_1 e_j + A_2 (β_2 e_j + …)).  (B,) -> (N, B)

    The result is in one of the two arrays of workspace.
    """
    num_nodes, depth = len(z), len(operators)
    live, grown = np.zeros(num_nodes, dtype=np.bool_), np.zeros(num_nodes, dtype=np.bool_)
    z[:] = 0.0
    for column in range(len(nodes)):
        z[nodes[column], column] = betas[depth]
        live[nodes[column]] = True
    for order in range(depth - 1, -1, -1):
        multiply(weights, operators[order], 0, num_nodes, z, live, spare, grown)
        z, spare = spare, z
        live, grown = grown, live
        for column in range(len(nodes)):
            z[nodes[column], column] += betas[order]
            live[nodes[column]] = True
    return z


@njit(cache=True, nogil=True)
def recurrence(
    weights: Weights, operators: Floats, betas: Floats, nodes: Nodes, z: Columns, spare: Columns, total: Columns
) -> None:
    """Σ β_l A_l ⋯ A_1 e_i for each node i, into ``total``: X_0 = E, X_l = A_l X_{l−1}.  (B,) -> (N, B)"""
    num_nodes, depth = len(z), len(operators)
    live, grown = np.zeros(num_nodes, dtype=np.bool_), np.zeros(num_nodes, dtype=np.bool_)
    z[:] = 0.0
    total[:] = 0.0
    for column in range(len(nodes)):
        z[nodes[column], column] = 1.0
        total[nodes[column], column] = betas[0]
        live[nodes[column]] = True
    for order in range(depth):
        multiply(weights, operators[order], 0, num_nodes, z, live, spare, grown)
        z, spare = spare, z
        live, grown = grown, live
        if betas[order + 1] != 0.0:
            for i in range(num_nodes):
                for column in range(len(nodes)):
                    total[i, column] += betas[order + 1] * z[i, column]
