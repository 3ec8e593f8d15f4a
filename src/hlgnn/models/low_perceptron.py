"""A perceptron of z_i ⊙ z_j whose numbers are bfloat16 from the product of the ends to the last layer, for training.

Products of matrices are torch's; everything between two of them is one pass of a kernel. Sums are in full precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from hlgnn.graph.threads import num_threads, run_all, spans
from hlgnn.models.dense_product import rounded_product
from hlgnn.models.dropout_kernel import share_in_steps
from hlgnn.models.low_kernels import activate, add_product_gradients, pull_back_activation, write_products

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor, nn

    from hlgnn.models.dropout import Dropout

# Starting threads takes longer than so many numbers do.
SINGLE_THREADED = 1 << 18


def low_products(z: Tensor, pairs: Tensor) -> Tensor:
    """z_i ⊙ z_j in bfloat16; its gradient does not depend on the number of threads.  (N, F), (P, 2) -> (P, F)"""
    product: Tensor = _Products.apply(z, pairs)  # type: ignore[no-untyped-call]
    return product


def low_layer(layer: nn.Linear, x: Tensor, dropout: Dropout) -> Tensor:
    """Dropout of max(0, X Wᵀ + b), all of it in bfloat16.  (P, F) -> (P, H)"""
    found: Tensor = _Layer.apply(x, layer.weight, layer.bias, dropout.key(), dropout.share)  # type: ignore[no-untyped-call]
    return found


class _Products(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, z: Tensor, pairs: Tensor) -> Tensor:
        ctx.save_for_backward(z, pairs)
        table, places = z.detach().contiguous().numpy(), pairs.numpy()
        out = torch.empty(len(pairs), z.shape[1], dtype=torch.bfloat16)
        run_all(write_products, [(table, places, _words(out), *span) for span in _spans(len(pairs), out.numel())])
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        z, pairs = ctx.saved_tensors
        out = torch.zeros_like(z, memory_format=torch.contiguous_format)
        shared = (z.contiguous().numpy(), pairs.numpy(), _words(grad.contiguous()), out.numpy())
        run_all(add_product_gradients, [(*shared, *span) for span in _spans(z.shape[1], grad.numel())])
        return out, None


class _Layer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, key: int, share: float) -> Tensor:
        low = weight.to(torch.bfloat16)
        y = rounded_product(x, low.T)  # (P, H)
        least, factor = share_in_steps(share)
        drawn = (np.uint64(key), np.uint16(least), np.float32(factor))
        run_all(activate, [(_words(y), bias.detach().numpy(), *drawn, *span) for span in _spans(len(y), y.numel())])
        ctx.save_for_backward(x, low, y)
        ctx.factor = drawn[-1]
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor, Tensor, None, None]:
        x, low, y = ctx.saved_tensors
        pulled, of_bias = torch.empty_like(y), torch.zeros(y.shape[1])
        shared = (_words(grad.contiguous()), _words(y), ctx.factor, _words(pulled), of_bias.numpy())
        run_all(pull_back_activation, [(*shared, *span) for span in _spans(y.shape[1], y.numel())])
        of_x = rounded_product(pulled, low) if ctx.needs_input_grad[0] else None
        return of_x, rounded_product(pulled.T, x).float(), of_bias, None, None


def _words(x: Tensor) -> npt.NDArray[np.uint16]:
    """The 16 bits of each number, in the same place."""
    return x.view(torch.int16).numpy().view(np.uint16)


def _spans(length: int, numbers: int) -> list[tuple[int, int]]:
    return spans(length, num_threads() if numbers > SINGLE_THREADED else 1)
