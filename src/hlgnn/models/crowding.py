"""How near a node is to its nearest others and to its neighbours: what a cosine has to be measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.kernels import choose
from hlgnn.formulation.operators import ROW

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

NEAREST = 10
# Above so many nodes every so-manieth one stands for the others, so that the cost grows with N and not with N².
REFERENCES = 4096
ROWS_AT_ONCE = 2048


def crowding(
    pattern: Normalized, units: Tensor, nodes: Tensor | None = None, nearest: dict[int, Tensor] | None = None
) -> Tensor:
    """Nearest cosines and neighbour cosines of each order, side by side.  (N, K, F), (B,) -> (B, 2 K)

    Args:
        pattern: The message graph without self-loops and weights.
        units: A^l X in rows of length one.  (N, K, F)
        nodes: Which nodes; all if not given.
        nearest: Columns of nearest cosines that are known, by their places among orders, for all nodes.  (N,)
    """
    near, known = neighbor_cosines(pattern, units), nearest or {}
    asked = slice(None) if nodes is None else nodes
    missing = [place for place in range(units.shape[1]) if place not in known]
    found = dict(zip(missing, nearest_cosines(units[:, missing], nodes).T, strict=True))
    columns = [found[place] if place in found else known[place][asked] for place in range(units.shape[1])]
    return torch.cat([torch.stack(columns, dim=1), near[asked]], dim=1)


def neighbor_cosines(pattern: Normalized, units: Tensor) -> Tensor:
    """h_l,i = ⟨u_l,i , (A_row u_l)_i⟩, the mean cosine of node i with its neighbours.  (N, K, F) -> (N, K)

    A node whose known links lead to nodes that are little like it will have more such links.
    """
    operator = torch.tensor(ROW, dtype=units.dtype)
    found = [
        (layer * choose(layer).forward(pattern, operator, layer)).sum(dim=1)
        for layer in (units[:, order].contiguous() for order in range(units.shape[1]))
    ]
    return torch.stack(found, dim=1)


def nearest_cosines(units: Tensor, nodes: Tensor | None = None) -> Tensor:
    """r_l,i, the mean cosine of node i with the ten reference nodes that are nearest to it, at each order.

    (N, K, F), (B,) -> (B, K), or of all nodes (N, K)

    A cosine of 0.6 says much of a node whose nearest others are at 0.3, and little of one that has a hundred others at
    0.8. Links are ranked over the whole graph, so that the score has to know which of the two a node is. No link is
    read for it but those that the units were propagated over.
    """
    count = len(units)
    chosen = torch.arange(0, count, max(1, -(-count // REFERENCES)))
    most = min(NEAREST, len(chosen) - 1)
    asked = torch.arange(count) if nodes is None else nodes
    if most <= 0 or units.shape[1] == 0:
        return torch.zeros(len(asked), units.shape[1], dtype=units.dtype)
    found = []
    for block in asked.split(ROWS_AT_ONCE):
        itself = block[:, None] == chosen  # (B, R)
        columns = []
        for order in range(units.shape[1]):
            cosines = (units[block, order] @ units[chosen, order].T).masked_fill_(itself, -1.0)
            columns.append(cosines.topk(most, dim=1).values.mean(dim=1))
        found.append(torch.stack(columns, dim=1))
    return torch.cat(found)


def crowding_numbers(crowded: Tensor, pairs: Tensor) -> Tensor:
    """The sum and the absolute difference of both ends, for each column.  (N, 2 K), (P, 2) -> (P, 4 K)"""
    left, right = crowded[pairs[:, 0]], crowded[pairs[:, 1]]
    return torch.cat([left + right, (left - right).abs()], dim=1)


def crowding_names(orders: tuple[int, ...]) -> list[str]:
    """What the numbers are called."""
    kinds = [f"{what} at order {order}" for what in ("nearest nodes", "neighbours") for order in orders]
    return [f"cosines of both ends with their {kind}" for kind in kinds] + [
        f"difference of the ends in cosines with their {kind}" for kind in kinds
    ]
