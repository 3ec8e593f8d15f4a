"""First weights that come from a generator."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def linear(inputs: int, outputs: int, generator: torch.Generator, *, bias: bool = True) -> nn.Linear:
    """A linear layer with weights and bias uniform in ±1/√inputs, the default of torch."""
    layer = nn.Linear(inputs, outputs, bias=bias, device="meta").to_empty(device="cpu")
    bound = 1 / math.sqrt(max(1, inputs))
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=generator)
        if bias:
            layer.bias.uniform_(-bound, bound, generator=generator)
    return layer


def embedding(rows: int, width: int, how: str, generator: torch.Generator) -> Tensor:
    """Learned vectors as they start.  (rows, width)

    ``xavier`` is uniform in ±√(6 / (rows + width)); ``orthogonal`` has orthonormal columns, or rows if those are fewer.
    """
    vectors = torch.empty(rows, width)
    if how == "xavier":
        return nn.init.xavier_uniform_(vectors, generator=generator)
    return nn.init.orthogonal_(vectors, generator=generator)
