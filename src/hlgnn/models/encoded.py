"""Z of HL-GNN, or what its rows are computed from when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import torch

from hlgnn.formulation.stacked import weighted_rows
from hlgnn.models.columns import unit_rows
from hlgnn.models.rows import take_rows

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.models.hlgnn import HLGNN
    from hlgnn.models.pair_reader import PairView


@dataclass(frozen=True, eq=False)
class Encoded:
    """Z, or what its rows are computed from.

    Attributes:
        model: Whose β and linear layer apply.
        z: Z of every node (N, F), or ``None``.
        stack: A^l [X, 1] (N, L + 1, F + 1), or ``None``.
        view: What numbers of pairs are computed from, or ``None``.
    """

    model: HLGNN
    z: Tensor | None
    stack: Tensor | None
    view: PairView | None = None

    def ends(self, pairs: Tensor, *, unit: bool = False) -> tuple[Tensor, Tensor]:
        """z_i and z_j of each pair, or both at length one.  (P, 2) -> (P, F), (P, F)"""
        if self.z is not None:
            z = self.units if unit else self.z
            return take_rows(z, pairs[:, 0]), take_rows(z, pairs[:, 1])
        nodes, place = torch.unique(pairs, return_inverse=True)
        rows = self.rows(nodes)
        z = unit_rows(self.model.z_columns.group, rows) if unit else rows
        return take_rows(z, place[:, 0]), take_rows(z, place[:, 1])

    @cached_property
    def units(self) -> Tensor:
        """Rows of Z at length one: a node is scaled once, however many pairs it is in.  (N, F)"""
        return unit_rows(self.model.z_columns.group, self.whole())

    def whole(self) -> Tensor:
        """Z of every node.  (N, F)"""
        if self.stack is None:
            return cast("Tensor", self.z)  # one of the two is there
        return self.rows(torch.arange(len(self.stack)))

    def rows(self, nodes: Tensor) -> Tensor:
        """Rows of Z.  (R,) -> (R, F)"""
        if self.stack is None:
            return cast("Tensor", self.z)[nodes]  # one of the two is there
        weighted = weighted_rows(self.stack, self.model.propagation.used_beta, nodes)
        return self.model.transformed(weighted)
