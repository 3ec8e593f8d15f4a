"""H_ij of many pairs at once: dense columns grown from both ends, one lane for each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.formulation.block_kernels import multiply

if TYPE_CHECKING:
    from hlgnn.formulation.block_kernels import Columns, Flags
    from hlgnn.formulation.chain import Floats, Nodes, Weights


@njit(cache=True, nogil=True)
def _form(weights: Weights, operator: Floats, x: Columns, live: Flags, y: Columns, grown: Flags, out: Columns) -> None:
    """Add xᵀ A y of each lane to ``out``, over the edges from live rows of x to live rows of y.  (N, B) -> (B,)"""
    offset, neighbor, weight, loop, inverse, root = weights
    adj, sym, row, col = operator
    gathers, weighted, width = sym != 0.0 or col != 0.0, len(weight) > 0, x.shape[1]
    total = np.empty(width, dtype=x.dtype)
    for i in range(len(x)):
        if not live[i]:
            continue
        plain, by_root = adj + row * inverse[i], sym * root[i]
        own = loop * (plain + by_root * root[i] + col * inverse[i]) if grown[i] else 0.0
        for lane in range(width):
            total[lane] = own * y[i, lane]
        for edge in range(offset[i], offset[i + 1]):
            j = neighbor[edge]
            if not grown[j]:
                continue
            entry = plain
            if gathers:
                entry += by_root * root[j] + col * inverse[j]
            if weighted:
                entry *= weight[edge]
            for lane in range(width):
                total[lane] += entry * y[j, lane]
        for lane in range(width):
            out[lane] += total[lane] * x[i, lane]


@njit(cache=True, nogil=True)
def meet_lanes(
    weights: Weights,
    operators: Floats,
    transposed: Floats,
    betas: Floats,
    middle: int,
    left: Nodes,
    right: Nodes,
    work: Columns,
) -> Columns:
    """C_ij = Σ_{l ≤ m} β_l x_l[j] + x_mᵀ A_{m+1} z, as ``pair_kernels.meet`` has it.  (B,), (B,), (3, N, B) -> (B,)

    Dense lanes are cheaper than sparse vectors once these reach most of the graph; m is less than L.
    """
    x, z, spare = work[0], work[1], work[2]
    num_nodes, width, depth = x.shape[0], len(left), len(operators)
    live, grown, scratch = np.zeros(num_nodes, np.bool_), np.zeros(num_nodes, np.bool_), np.zeros(num_nodes, np.bool_)
    out = np.zeros(width, dtype=x.dtype)
    x[:] = 0.0
    z[:] = 0.0
    for lane in range(width):
        x[left[lane], lane], live[left[lane]] = 1.0, True
        z[right[lane], lane], grown[right[lane]] = betas[depth], True
        if left[lane] == right[lane]:
            out[lane] = betas[0]
    for order in range(1, middle + 1):
        multiply(weights, transposed[order - 1], 0, num_nodes, x, live, spare, scratch)
        x, spare, live, scratch = spare, x, scratch, live
        for lane in range(width):
            out[lane] += betas[order] * x[right[lane], lane]
    for order in range(depth - 1, middle, -1):
        multiply(weights, operators[order], 0, num_nodes, z, grown, spare, scratch)
        z, spare, grown, scratch = spare, z, scratch, grown
        for lane in range(width):
            z[right[lane], lane] += betas[order]
            grown[right[lane]] = True
    _form(weights, operators[middle], x, live, z, grown, out)
    return out
