"""Work on a block of columns after the other: columns do not meet in a product with A, so nothing else changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

from hlgnn.formulation.kernels.room import room_like
from hlgnn.formulation.kernels.sum_lanes import LANES

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    Chain = Callable[..., Tensor]


def column_blocks(width: int, columns: int) -> list[slice]:
    """Blocks of ``columns`` columns, the last one of those that are left.

    Example:
        >>> column_blocks(150, 128)
        [slice(0, 128, None), slice(128, 150, None)]
    """
    return [slice(start, min(start + columns, width)) for start in range(0, width, columns)]


def lane_blocks(width: int, widest: int) -> list[slice]:
    """As few blocks as possible of the widths in ``LANES``, none above ``widest``, and one of the columns left.

    Example:
        >>> lane_blocks(60, 32)
        [slice(0, 32, None), slice(32, 48, None), slice(48, 60, None)]
    """
    blocks, start = [], 0
    for lanes in LANES:
        while lanes <= min(widest, width - start):
            blocks.append(slice(start, start + lanes))
            start += lanes
    rest = column_blocks(width - start, min(widest, LANES[-1]))
    return blocks + [slice(start + each.start, start + each.stop) for each in rest]


def in_column_blocks(chain: Chain, columns: int, x: Tensor, *weights: Tensor) -> Tensor:
    """``chain(x, *weights)``, a block of columns at a time, forward and backward.  (N, F) -> (N, F)

    Only X is kept in between: the layers of a block exist while it is worked on, and are made once more for its
    gradients. This is how processes share columns, one after the other instead of side by side.

    Args:
        chain: Propagation, which acts on every column in the same way; differentiable in all its arguments.
        columns: How many columns a block has.
        x: X.
        weights: What the chain learns, such as operators and β.
    """
    z: Tensor = _InBlocks.apply(chain, columns, x, *weights)  # type: ignore[no-untyped-call]
    return z


class _InBlocks(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, chain: Chain, columns: int, x: Tensor, *weights: Tensor) -> Tensor:
        ctx.chain, ctx.columns = chain, columns
        ctx.save_for_backward(x, *weights)
        z = room_like(x)  # (N, F)
        for block in column_blocks(x.shape[1], columns):
            z[:, block] = chain(x[:, block].contiguous(), *weights)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, *weights = ctx.saved_tensors
        wanted = ctx.needs_input_grad[3:]
        total = room_like(x)  # (N, F)
        sums = [torch.zeros_like(each) if want else None for each, want in zip(weights, wanted, strict=True)]
        for block in column_blocks(x.shape[1], ctx.columns):
            own = x[:, block].detach().contiguous().requires_grad_()
            copies = [each.detach().requires_grad_(want) for each, want in zip(weights, wanted, strict=True)]
            with torch.enable_grad():
                z = ctx.chain(own, *copies)
            learned = [each for each in copies if each.requires_grad]
            total[:, block], *found = torch.autograd.grad(
                z, [own, *learned], grad[:, block].contiguous(), allow_unused=True, materialize_grads=True
            )  # at depth nought there are no operators to learn
            for whole, part in zip([each for each in sums if each is not None], found, strict=True):
                whole.add_(part)
        return None, None, total, *sums
