"""Σ β_l A^l X for A = L Ã R with diagonal L and R, a block of columns after the other through all layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from hlgnn.formulation.kernels.numba_fused import row_spans, row_starts
from hlgnn.formulation.kernels.room import room_like
from hlgnn.formulation.kernels.sum_lanes import MULTIPLY_SUMS
from hlgnn.graph.threads import run_all

if TYPE_CHECKING:
    from hlgnn.formulation.normalization import Normalized

NONE = torch.empty(0, 0)


@dataclass(frozen=True, eq=False)
class DiagonalSums:
    """Products with A = L Ã R, whose layers are stored as R Z, of blocks with one of the widths in ``LANES``.

    Attributes:
        normalized: Ã.
        left: L.  (N,)
        right: R.  (N,)
        storage: What layers are stored in: the precision of L, or bfloat16.
    """

    normalized: Normalized
    left: Tensor
    right: Tensor
    storage: torch.dtype

    @classmethod
    def of(
        cls, normalized: Normalized, operator: Tensor, x: Tensor, storage: torch.dtype | None
    ) -> DiagonalSums | None:
        """For an operator (adj, sym, row, col) of which one weight is not zero, and unweighted edges; else ``None``."""
        kinds = operator.nonzero().flatten().tolist()
        known = {torch.float32, torch.float64} if storage is None else {torch.float32}
        if len(kinds) != 1 or normalized.weight is not None or x.device.type != "cpu" or x.dtype not in known:
            return None
        root, inverse = normalized.root.to(x.dtype), normalized.inverse.to(x.dtype)
        one = torch.ones_like(root)
        left, right = [(one, one), (root, root), (inverse, one), (one, inverse)][kinds[0]]
        return cls(normalized, operator[kinds[0]].detach().to(x.dtype) * left, right, storage or x.dtype)

    def summed(self, beta: Tensor, x: Tensor, z: Tensor) -> None:
        """Z = Σ β_l A^l X by Horner's rule, into the block ``z``.  (L + 1,), (N, B), (N, B)"""
        layer = self._stored(x, beta[-1] * self.right)
        spare = room_like(layer)
        for order in range(len(beta) - 2, -1, -1):
            self._multiply(layer, spare, beta[order], base=x, whole=z if order == 0 else NONE)
            layer, spare = spare, layer

    def pulled_back(self, beta: Tensor, grad: Tensor, total: Tensor, x: Tensor | None) -> Tensor:
        """Add β_l A^l G to ``total`` for l ≥ 1, and return ⟨A^l G, X⟩ for these.  (N, B) … -> (L + 1,)"""
        products = torch.zeros(len(beta), dtype=torch.float64)
        layer = self._stored(grad, self.right)
        spare = room_like(layer)
        for order in range(1, len(beta)):
            inner = NONE if x is None else x
            products[order] = self._multiply(layer, spare, beta[order], total=total, inner=inner)
            layer, spare = spare, layer
        return products

    def _stored(self, x: Tensor, scale: Tensor) -> Tensor:
        """A first layer.  (N, B), (N,) -> (N, B)"""
        room = room_like(torch.empty(x.shape, dtype=self.storage))
        return torch.mul(x, scale[:, None], out=room)

    def _multiply(self, x: Tensor, y: Tensor, beta: Tensor, **beside: Tensor) -> float:
        """One layer on all threads; ⟨Y, inner⟩."""
        adjacency = self.normalized.adjacency
        found = [beside.get(name, NONE) for name in ("base", "total", "inner", "whole")]
        empty = np.empty((0, 0), self.left.numpy().dtype)
        shared = (
            *(adjacency.offset.numpy(), adjacency.neighbor.numpy(), int(self.normalized.self_loops)),
            *(self.left.numpy(), self.right.numpy(), _bits(x), _bits(y)),
            np.array([beta.item()], empty.dtype),
            *(row_starts(each) if len(each) else empty for each in found),
        )
        width = x.shape[1]
        spans = row_spans(self.normalized, width)
        return float(sum(run_all(MULTIPLY_SUMS[width], [(*shared, *span) for span in spans])))


def _bits(x: Tensor) -> Any:
    """As numpy sees it: bfloat16, which it does not know, as integers."""
    return (x.view(torch.uint16) if x.dtype == torch.bfloat16 else x).numpy()
