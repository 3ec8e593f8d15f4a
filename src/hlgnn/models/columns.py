"""Which process holds which columns of a table: propagation acts on each column by itself (Eq. 2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import torch
from torch.nn.functional import normalize

from hlgnn.models.dense_product import linear_product, matrix_product
from hlgnn.processes import SINGLE
from hlgnn.processes.collectives import gathered, own_total, total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor, nn

    from hlgnn.processes import Group

SHORTEST = 1e-12  # the length that shorter rows are scaled as, as in torch


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a table, each held by one process.

    Attributes:
        group: The processes.
        parts: The positions that each of them holds, in the order in which it holds them.
    """

    group: Group
    parts: tuple[Tensor, ...]

    @classmethod
    def split(cls, group: Group, length: int) -> Columns:
        """Neighbouring columns together, nearly as many for each."""
        every = torch.arange(length)
        return cls(group, tuple(every[group.share(length, rank)] for rank in range(group.size)))

    @classmethod
    def of_first(cls, group: Group, length: int) -> Columns:
        """All columns with the first process."""
        every = torch.arange(length)
        return cls(group, tuple(every if rank == 0 else every[:0] for rank in range(group.size)))

    @property
    def length(self) -> int:
        """How many columns there are."""
        return sum(len(part) for part in self.parts)

    @property
    def own(self) -> Tensor:
        """The positions that this process holds.  (own,)"""
        return self.parts[self.group.rank]

    @cached_property
    def widths(self) -> list[int]:
        """How many each process holds."""
        return [len(part) for part in self.parts]

    def beside(self, other: Columns) -> Columns:
        """A table whose last columns are those of ``other``; each process holds its parts of both."""
        parts = zip(self.parts, other.parts, strict=True)
        return Columns(self.group, tuple(torch.cat([mine, self.length + its]) for mine, its in parts))

    def keep(self, whole: Tensor, dim: int) -> Tensor:
        """The part of this process; the whole itself if it is alone."""
        return whole if self.group.alone else whole.index_select(dim, self.own)

    def whole_size(self, shape: Sequence[int], dim: int) -> int:
        """How many numbers the whole has of which this process holds a part of that shape."""
        return math.prod(self.length if place == dim else size for place, size in enumerate(shape))

    def gathered(self, own: Tensor, kind: str) -> Tensor:
        """All columns in their order, with a gradient.  (R, own) -> (R, length)"""
        return own if self.group.alone else self._sorted(gathered(self.group, own, self.widths, kind))

    def collect(self, own: Tensor, kind: str) -> Tensor | None:
        """All columns in their order for the first process, without a gradient.  (R, own) -> (R, length)"""
        found = self.group.collect(own, self.widths, kind)
        return found if found is None or self.group.alone else self._sorted(found)

    def _sorted(self, found: Tensor) -> Tensor:
        order = torch.cat(self.parts).argsort()
        return found if bool((order[1:] > order[:-1]).all()) else found[..., order]


ALONE = SINGLE.columns
"""The group of a process that holds all columns."""


def summed_linear(group: Group, layer: nn.Linear, x: Tensor, *, low: bool = False) -> Tensor:
    """X Wᵀ + b where each process has some columns of X and of W: one sum over them.  (P, own) -> (P, H)"""
    if group.alone:
        return linear_product(layer, x, low=low)
    return total(group, matrix_product(x, layer.weight.T, low=low), "head") + layer.bias


def unit_rows(group: Group, z: Tensor) -> Tensor:
    """Rows at length one, all columns counted.  (R, own) -> (R, own)"""
    if group.alone:
        return normalize(z, dim=-1)
    squares = own_total(group, z.square().sum(dim=-1, keepdim=True), "lengths")  # (R, 1)
    return z / squares.clamp(min=SHORTEST**2).sqrt()
