"""Layers one after the other: (layer, ReLU, dropout) × (L − 1), and a last layer that is left linear."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn

from hlgnn.models.dense_product import matrix_product
from hlgnn.models.dropout import Dropout
from hlgnn.models.rows import take_rows

if TYPE_CHECKING:
    from hlgnn.baselines.node_input import Product


LayerKind = Callable[[int, int, torch.Generator], nn.Module]
"""How a layer is made: (inputs, outputs, generator) -> a module that is called with a ``Product`` and messages."""


class ConvolutionStack(nn.Module):
    """A stack of layers of one kind.

    Args:
        kind: Which layers.
        widths: The widths in between, that of the input first and that of the output last.
        dropout: The share of hidden units that are dropped in training.
        generator: Where first weights come from.
        noise: Where dropout draws from.
    """

    def __init__(
        self, kind: LayerKind, widths: list[int], dropout: float, generator: torch.Generator, noise: torch.Generator
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(kind(inputs, outputs, generator) for inputs, outputs in pairwise(widths))
        self.dropout = Dropout(dropout, noise)

    def forward(self, product: Product, messages: Any, nodes: Tensor | None = None) -> Tensor:
        """Representations of all nodes; of some, if they are given, by a last layer with a method ``at``.  (N, H)"""
        hidden: Tensor = self.layers[0](product, messages)
        others: list[Any] = list(self.layers)[1:]
        for layer in others:
            hidden = self.dropout(torch.relu(hidden))
            if nodes is not None and layer is others[-1]:
                return cast("Tensor", layer.at(nodes, hidden, messages))
            hidden = layer(partial(matrix_product, hidden), messages)
        return hidden if nodes is None else take_rows(hidden, nodes)
