"""Sums and gatherings over a group that gradients flow through.

What stands before a sum over columns belongs to one process, what stands behind it is computed alike by all. A gradient
that comes from behind is therefore whole already, and goes back to everyone as it is (``total``). Where what follows
belongs to one process again, each has only its part of the gradient, and the parts are summed on the way back
(``own_total``, ``gathered``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from hlgnn.processes.group import Group


def total(group: Group, x: Tensor, kind: str) -> Tensor:
    """Σ over the group of x, for what all compute alike from it.  (…) -> (…)"""
    if group.alone:
        return x
    found: Tensor = _Total.apply(x, group, kind)  # type: ignore[no-untyped-call]
    return found


def own_total(group: Group, x: Tensor, kind: str) -> Tensor:
    """Σ over the group of x, for what each computes of its own columns from it.  (…) -> (…)"""
    if group.alone:
        return x
    found: Tensor = _OwnTotal.apply(x, group, kind)  # type: ignore[no-untyped-call]
    return found


def gathered(group: Group, x: Tensor, widths: Sequence[int], kind: str) -> Tensor:
    """Everyone's columns side by side, for what each computes of its own columns from them.  (…, own) -> (…, sum)"""
    if group.alone:
        return x
    found: Tensor = _Gathered.apply(x, group, widths, kind)  # type: ignore[no-untyped-call]
    return found


class _Total(torch.autograd.Function):
    @staticmethod
    def forward(_ctx: Any, x: Tensor, group: Group, kind: str) -> Tensor:
        return group.sum(x.contiguous().clone(), kind)

    @staticmethod
    @once_differentiable
    def backward(_ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        return grad, None, None


class _OwnTotal(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: Group, kind: str) -> Tensor:
        ctx.group, ctx.kind = group, kind
        return group.sum(x.contiguous().clone(), kind)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        return ctx.group.sum(grad.contiguous().clone(), ctx.kind), None, None


class _Gathered(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: Group, widths: Sequence[int], kind: str) -> Tensor:
        ctx.group, ctx.widths, ctx.kind = group, widths, kind
        return group.gather(x, widths, kind)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        whole = ctx.group.sum(grad.contiguous().clone(), ctx.kind)
        start, width = sum(ctx.widths[: ctx.group.rank]), ctx.widths[ctx.group.rank]
        return whole[..., start : start + width].contiguous(), None, None, None
