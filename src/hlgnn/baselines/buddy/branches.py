"""What BUDDY learns: readings of nodes, of the product of two, and of the counts of a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.models.dense_product import linear_product
from hlgnn.models.dropout import Dropout
from hlgnn.models.initialization import linear

if TYPE_CHECKING:
    from collections.abc import Callable

    Product = Callable[[int, Tensor], Tensor]


class BatchNorm(nn.BatchNorm1d):
    """Batch normalisation that takes its running means where a batch has a single row, which has no deviation."""

    def forward(self, x: Tensor) -> Tensor:
        """(R, F) -> (R, F)"""
        if self.training and len(x) < 2:
            return nn.functional.batch_norm(
                x, self.running_mean, self.running_var, self.weight, self.bias, training=False, eps=self.eps
            )
        return super().forward(x)


class Block(nn.Module):
    """A linear layer, batch normalisation, ReLU, and dropout."""

    def __init__(self, inputs: int, outputs: int, share: float, first: torch.Generator, noise: torch.Generator) -> None:
        super().__init__()
        self.linear, self.norm = linear(inputs, outputs, first), BatchNorm(outputs)
        self.dropout = Dropout(share, noise)

    def forward(self, x: Tensor) -> Tensor:
        """(R, I) -> (R, O)"""
        return self.finish(linear_product(self.linear, x, low=x.dtype == torch.bfloat16))

    def finish(self, x: Tensor) -> Tensor:
        """The same without the linear layer.  (R, O) -> (R, O)"""
        dropped: Tensor = self.dropout(self.activate(x))
        return dropped

    def activate(self, x: Tensor) -> Tensor:
        """Batch normalisation and ReLU.  (R, O) -> (R, O)"""
        return torch.relu(self.norm(x))


class NodeBranch(nn.Module):
    """Nodes as A^s X W + b, or as one layer over σ(A^k X W_k + b_k) for k = 0 … sign_k (SIGN; Frasca et al., 2020)."""

    def __init__(
        self,
        width: int,
        hidden: int,
        sign_k: int,
        steps: int,
        share: float,
        first: torch.Generator,
        noise: torch.Generator,
    ) -> None:
        super().__init__()
        self.steps = steps
        self.single = linear(width, hidden, first) if sign_k == 0 else None
        count = 0 if sign_k == 0 else sign_k + 1
        self.orders = nn.ModuleList(Block(width, hidden, share, first, noise) for _ in range(count))
        self.last = linear(count * hidden, hidden, first) if count else None

    def forward(self, product: Product) -> Tensor:
        """``product(k, W)`` is A^k X W, for some nodes.  -> (R, hidden)"""
        if self.single is not None:
            return product(self.steps, self.single.weight.T) + self.single.bias
        parts = []
        for order, block in enumerate(self.orders):
            assert isinstance(block, Block)  # noqa: S101
            parts.append(block.finish(product(order, block.linear.weight.T) + block.linear.bias))
        assert self.last is not None  # noqa: S101
        table: Tensor = self.last(torch.cat(parts, dim=1))
        return table


class StructureBlock(nn.Module):
    """Counts of a pair through a layer as wide as they are many; if asked for, averaged over both orders."""

    def __init__(
        self, mirror: list[int], share: float, first: torch.Generator, noise: torch.Generator, *, both: bool
    ) -> None:
        super().__init__()
        self.mirror, self.both = mirror, both
        self.block = Block(len(mirror), len(mirror), share, first, noise)

    def forward(self, numbers: Tensor) -> Tensor:
        """(P, C) -> (P, C)"""
        if not self.both:
            read: Tensor = self.block(numbers)
            return read
        stacked = torch.cat([numbers, numbers[:, self.mirror]])  # (2 P, C)
        here, there = self.block.activate(self.block.linear(stacked)).tensor_split(2)
        averaged: Tensor = self.block.dropout((here + there) / 2)
        return averaged
