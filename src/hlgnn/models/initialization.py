"""First weights that come from a generator."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from hlgnn.models.columns import ALONE, Columns
from hlgnn.models.dense_product import Linear

ROWS_AT_ONCE = 1 << 14


def linear(inputs: int, outputs: int, generator: torch.Generator, *, bias: bool = True) -> nn.Linear:
    """A linear layer with weights and bias uniform in ±1/√inputs, the default of torch."""
    layer = Linear(inputs, outputs, bias=bias, device="meta").to_empty(device="cpu")
    bound = 1 / math.sqrt(max(1, inputs))
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=generator)
        if bias:
            layer.bias.uniform_(-bound, bound, generator=generator)
    return layer


def embedding(rows: int, width: int, how: str, generator: torch.Generator, columns: Columns | None = None) -> Tensor:
    """Learned vectors as they start.  (rows, width)

    ``xavier`` is uniform in ±√(6 / (rows + width)); ``orthogonal`` has orthonormal columns, or rows if those are fewer.
    With ``columns`` those of this process are kept; the numbers are the same as if one process drew them.
    """
    if columns is None or columns.group.alone:
        columns = Columns.split(ALONE, width)
    if how != "xavier":
        return columns.keep(nn.init.orthogonal_(torch.empty(rows, width), generator=generator), 1)
    bound = math.sqrt(3.0) * math.sqrt(2.0 / (rows + width))
    kept = torch.empty(rows, len(columns.own))
    for block in kept.split(ROWS_AT_ONCE):  # no process needs room for the columns of the others
        block.copy_(columns.keep(torch.empty(len(block), width).uniform_(-bound, bound, generator=generator), 1))
    return kept
