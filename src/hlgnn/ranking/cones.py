"""Blocks of vectors that point in like directions, and what their inner products can be at most."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.processes import SINGLE

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.processes import Group

SAMPLE = 512
STEPS = 4
UNIT = 2.0**-24
"""The rounding error of single precision."""


def rounding(width: int) -> float:
    """How far an inner product in single precision is off, as a share of the product of the lengths.

    A sum of F products is off by F + 1 roundings at most in any order, and its factors by a few each; twice of that.
    """
    return UNIT * (4 * width + 32)


@dataclass(frozen=True, eq=False)
class Cones:
    """Vectors in blocks; ⟨x, y⟩ ≤ ⟨x, a⟩ ⟨y, a⟩ + ‖x − ⟨x, a⟩ a‖ ‖y − ⟨y, a⟩ a‖ for the axis a of the block of x.

    Without the axis this is the inequality of Cauchy and Schwarz; with it, a block of like vectors has a tight bound.

    Attributes:
        order: The vectors, block by block.  (n,)
        size: How many there are in a block, the last one excepted.
        axis: Unit vectors.  (B, F)
        low: The least ⟨x, a⟩ of each block.  (B,)
        high: The largest one.  (B,)
        spread: The largest ‖x − ⟨x, a⟩ a‖.  (B,)
        length: The largest ‖x‖.  (B,)
    """

    order: Tensor
    size: int
    axis: Tensor
    low: Tensor
    high: Tensor
    spread: Tensor
    length: Tensor

    def bounds(self, blocks: slice, vectors: Tensor, squares: Tensor) -> Tensor:
        """The most that an inner product with a vector of the block can be.  (m, F), (m,) -> (B, m)

        Args:
            blocks: Which blocks.
            vectors: y.
            squares: ‖y‖².
        """
        slack = rounding(vectors.shape[1])
        along = self.axis[blocks] @ vectors.T  # (B, m)
        across = (squares - along.square()).clamp_(min=0).add_(slack * squares).sqrt_()
        across *= self.spread[blocks, None]
        across += torch.maximum(self.low[blocks, None] * along, self.high[blocks, None] * along)
        return across.add_(self.length[blocks, None] * squares.sqrt(), alpha=slack)


def make_cones(vectors: Tensor, size: int, group: Group = SINGLE.everyone) -> Cones:
    """Halve the vectors along the direction in which they differ most, until blocks of ``size`` are left.  (n, F)

    All processes of a group have the blocks of the first: each of them looks at others, and none must be missed.
    """
    parts, order = [torch.arange(len(vectors))], []
    while parts:
        part = parts.pop()
        if len(part) <= size:
            order.append(part)
            continue
        rows = vectors[part]
        half = size * math.ceil(math.ceil(len(part) / size) / 2)  # whole blocks, so that only the last one is smaller
        sorted_part = part[(rows @ _direction(rows)).argsort(stable=True)]
        parts += [sorted_part[half:], sorted_part[:half]]
    return _measured(vectors, group.agree(torch.cat(order)), size)


def _direction(rows: Tensor) -> Tensor:
    """About the first principal axis of a sample, by the power method.  (n, F) -> (F,)"""
    sample = rows[:: max(1, len(rows) // SAMPLE)].double()
    sample = sample - sample.mean(dim=0)
    direction = sample[sample.square().sum(dim=1).argmax()]
    for _ in range(STEPS):
        direction = torch.nn.functional.normalize(sample.T @ (sample @ direction), dim=0)
    return direction.to(rows.dtype)


def _measured(vectors: Tensor, order: Tensor, size: int) -> Cones:
    figures = []
    for part in order.split(size):
        rows = vectors[part].double()
        axis = torch.nn.functional.normalize(rows.mean(dim=0), dim=0).to(vectors.dtype)
        along = rows @ axis.double()
        across = (rows - along[:, None] * axis).norm(dim=1)
        figures.append((axis, along.min(), along.max(), across.max(), rows.norm(dim=1).max()))
    axis, *rest = (torch.stack(each).to(vectors.dtype) for each in zip(*figures, strict=True))
    return Cones(order, size, axis, *rest)
