"""All pairs of orders at once: the cosines of A^l X at one end with A^m X at the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn.functional import normalize as unit_rows

from hlgnn.formulation.kernels import choose

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

# A block of pairs gathers two tables of this many rows.
PAIRS_AT_ONCE = 4096


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
    """c_lm = ½ (⟨u_l,i , u_m,j⟩ + ⟨u_m,i , u_l,j⟩) for l ≤ m, symmetric in the ends.

    (N, K, F), (P, 2) -> (P, K (K + 1) / 2)

    HL-GNN with a dot head weighs them by β_l β_m, a matrix of rank one; a head that reads them weighs each by itself.
    """
    rows, columns = torch.triu_indices(units.shape[1], units.shape[1])
    found = []
    for block in pairs.split(PAIRS_AT_ONCE):
        products = torch.bmm(units[block[:, 0]], units[block[:, 1]].transpose(1, 2))  # (B, K, K)
        found.append(((products + products.transpose(1, 2)) / 2)[:, rows, columns])
    return torch.cat(found) if found else torch.empty(0, len(rows))
