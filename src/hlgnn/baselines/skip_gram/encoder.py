"""A perceptron of a node's vector, and of its features if asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.models.dense_product import matrix_product
from hlgnn.models.dropout import Dropout
from hlgnn.models.initialization import linear
from hlgnn.models.sparse_product import sparse_product

if TYPE_CHECKING:
    from hlgnn.baselines.skip_gram.settings import SkipGramSettings
    from hlgnn.graph import Features


class VectorEncoder(nn.Module):
    """Linear layers on [X, U] with ReLU and dropout in between, the first one in two parts so that X stays sparse.

    Args:
        num_features: Columns of X; 0 without features.
        settings: Widths, layers and dropout.
        generator: Where first weights come from.
        noise: Where dropout draws from.
    """

    def __init__(
        self, num_features: int, settings: SkipGramSettings, generator: torch.Generator, noise: torch.Generator
    ) -> None:
        super().__init__()
        width, inputs = settings.encoder_width, num_features + settings.width
        first = linear(inputs, width, generator)
        self.of_features = nn.Parameter(first.weight.detach()[:, :num_features].T.clone())  # (F, H)
        self.of_vectors = nn.Parameter(first.weight.detach()[:, num_features:].T.clone())  # (W, H)
        self.bias = nn.Parameter(first.bias.detach().clone())  # (H,)
        self.layers = nn.ModuleList(linear(width, width, generator) for _ in range(settings.encoder_layers - 1))
        self.dropout = Dropout(settings.encoder_dropout, noise)

    def forward(self, vectors: Tensor, features: Features | None) -> Tensor:
        """(N, W), (N, F) -> (N, H)"""
        z = matrix_product(vectors, self.of_vectors) + self.bias
        if isinstance(features, Tensor):
            z = z + matrix_product(features, self.of_features)
        elif features is not None:
            z = z + sparse_product(features, self.of_features)
        for layer in self.layers:
            z = layer(self.dropout(torch.relu(z)))
        return z
