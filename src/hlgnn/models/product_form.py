"""Scores that are a matrix product: all pairs of a node at the price of one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.models.columns import ALONE
from hlgnn.models.dense_product import matrix_product
from hlgnn.models.rows import take_rows
from hlgnn.processes.collectives import total

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.processes import Group


@dataclass(frozen=True, eq=False)
class ProductForm:
    """s_ij = ⟨left_i, right_j⟩ + shift for every pair.

    Attributes:
        left: What the first node brings.  (N, F)
        right: What the second node brings.  (N, F)
        shift: What every score has in common.  ()
        low: Whether products are made of numbers with eight bits, for training only.
        group: The processes that hold the columns; their products are summed.
        scale: What every product is multiplied by.  ()
    """

    left: Tensor
    right: Tensor
    shift: Tensor
    low: bool = False
    group: Group = ALONE
    scale: Tensor | None = None

    def rows(self, nodes: Tensor) -> Tensor:
        """Scores of some nodes with all.  (R,) -> (R, N)"""
        products = matrix_product(take_rows(self.left, nodes), self.right.T, low=self.low)
        products = total(self.group, products, "rows")
        return (products if self.scale is None else self.scale * products) + self.shift
