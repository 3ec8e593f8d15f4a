"""All pairs of orders at once: the cosines of A^l X at one end with A^m X at the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import torch
from torch.nn.functional import normalize as unit_rows

from hlgnn.formulation.kernels import choose
from hlgnn.graph.threads import run_spans

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

    Array = npt.NDArray[Any]

FAST = {"contract", "reassoc", "nsz"}
# Fewer pairs are done before a second thread has started.
FEW_PAIRS = 512


def order_units(normalized: Normalized, operator: Tensor, orders: tuple[int, ...], x: Tensor) -> Tensor:
    """A^l X of the given orders, centred over the nodes, in rows of length one.  (4,), (N, F) -> (N, K, F)"""
    units = torch.empty(len(x), len(orders), x.shape[1], dtype=x.dtype)
    kernel, layer = choose(x), x
    for order in range(max(orders, default=0) + 1):
        if order > 0:
            layer = kernel.forward(normalized, operator, layer)
        if order in orders:
            units[:, orders.index(order)] = unit_rows(layer - layer.mean(dim=0), dim=1)
    return units


def count_cosines(orders: tuple[int, ...]) -> int:
    """K (K + 1) / 2."""
    return len(orders) * (len(orders) + 1) // 2


def order_names(orders: tuple[int, ...]) -> list[str]:
    """What the cosines are called, in their order."""
    rows, columns = torch.triu_indices(len(orders), len(orders)).tolist()
    return [
        f"cosine of order {orders[row]} with order {orders[column]}" for row, column in zip(rows, columns, strict=True)
    ]


def order_cosines(units: Tensor, pairs: Tensor) -> Tensor:
    """c_lm = ½ (⟨u_l,i , u_m,j⟩ + ⟨u_m,i , u_l,j⟩) for l ≤ m, symmetric in the ends to the last bit.

    (N, K, F), (P, 2) -> (P, K (K + 1) / 2)

    HL-GNN with a dot head weighs them by β_l β_m, a matrix of rank one; a head that reads them weighs each by itself.
    """
    found = torch.empty(len(pairs), units.shape[1] * (units.shape[1] + 1) // 2, dtype=units.dtype)
    shared = (units.contiguous().numpy(), pairs.numpy(), found.numpy())
    run_spans(_products, shared, len(pairs), fewest=FEW_PAIRS)
    return found


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _products(units: Array, pairs: Array, out: Array, start: int, stop: int) -> None:
    """The rows of both ends are read where they are: a copy of them would take longer than the products."""
    orders, width = units.shape[1], units.shape[2]
    for place in range(start, stop):
        left, right, column = units[pairs[place, 0]], units[pairs[place, 1]], 0
        for first in range(orders):
            for second in range(first, orders):
                one = other = units.dtype.type(0)
                for f in range(width):
                    one += left[first, f] * right[second, f]
                    other += right[first, f] * left[second, f]
                out[place, column] = (one + other) / 2
                column += 1
