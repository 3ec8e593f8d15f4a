"""DGCNN: convolutions over a subgraph, sorted nodes, and a one-dimensional network on them (Zhang et al. 2018)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from scipy.sparse import csr_array
from torch import Tensor, nn

from hlgnn.baselines.seal.convolution import propagate
from hlgnn.baselines.seal.sort_pooling import largest, pool
from hlgnn.models.dense_product import matrix_product
from hlgnn.models.dropout import Dropout
from hlgnn.models.initialization import linear
from hlgnn.models.rows import take_rows
from hlgnn.models.sparse_product import sparse_product

if TYPE_CHECKING:
    from hlgnn.baselines.seal.settings import SealSettings
    from hlgnn.baselines.seal.subgraphs import Subgraphs
    from hlgnn.graph import Features

CHANNELS, WIDE_CHANNELS, KERNEL, DENSE = 16, 32, 5, 128


class Convolutions(nn.Module):
    """GCN layers with tanh; the first reads vectors of labels beside features, the last has width one.

    Features and labels are multiplied by the first matrix once for each node and each label, and not once for each of
    the many copies of a node.
    """

    def __init__(self, settings: SealSettings, features: int, generator: torch.Generator) -> None:
        super().__init__()
        hidden = settings.hidden
        self.vectors = nn.Parameter(torch.randn(settings.labels, hidden, generator=generator))  # (labels, H)
        widths = [hidden + features, *[hidden] * settings.layers, 1]
        self.weights = nn.ParameterList(
            nn.init.xavier_uniform_(torch.empty(widths[level], widths[level + 1]), generator=generator)
            for level in range(settings.layers + 1)
        )
        self.biases = nn.ParameterList(torch.zeros(width) for width in widths[1:])

    def of_features(self, features: Features) -> Tensor:
        """The part of the first product that features have.  (N, F) -> (N, H)"""
        weight = self.weights[0][len(self.vectors[0]) :]
        return sparse_product(features, weight) if isinstance(features, csr_array) else matrix_product(features, weight)

    def forward(self, graph: Subgraphs, known: Tensor | None) -> list[Tensor]:
        """The outputs of all layers.  (N, H) -> [(S, H), …, (S, 1)]"""
        hidden = self.vectors.shape[1]
        label = torch.from_numpy(graph.label).clamp(max=len(self.vectors) - 1)
        most = int(label.max()) + 1 if len(label) else 1
        x = take_rows(self.vectors[:most] @ self.weights[0][:hidden], label)
        if known is not None:
            x = x + take_rows(known, torch.from_numpy(graph.node))
        root = graph.root
        outputs: list[Tensor] = []
        for level, bias in enumerate(self.biases):
            if level:
                x = matrix_product(outputs[-1], self.weights[level])
            outputs.append(torch.tanh(propagate(graph, root, x) + bias))
        return outputs


class SortedReadout(nn.Module):
    """From the outputs of all layers to a logit of each subgraph, through its first ``count`` sorted nodes."""

    def __init__(self, settings: SealSettings, count: int, generator: torch.Generator, noise: torch.Generator) -> None:
        super().__init__()
        self.count, self.ends = count, settings.ends
        width = settings.hidden * settings.layers + 1
        self.each = linear(width, CHANNELS, generator)  # a convolution whose kernel is one node
        window = linear(KERNEL * CHANNELS, WIDE_CHANNELS, generator)
        self.window_weight = nn.Parameter(window.weight.detach().view(WIDE_CHANNELS, CHANNELS, KERNEL))
        self.window_bias = nn.Parameter(window.bias.detach())
        inputs = (count // 2 - KERNEL + 1) * WIDE_CHANNELS + settings.ends * width
        self.dense = linear(inputs, DENSE, generator)
        self.last = linear(DENSE, 1, generator)
        self.dropout = Dropout(settings.dropout, noise)

    def forward(self, graph: Subgraphs, outputs: list[Tensor]) -> Tensor:
        """[(S, H), …, (S, 1)] -> (P,)"""
        chosen = largest(graph.first, outputs[-1][:, 0], self.count)  # (P, K)
        rows = torch.cat([pool(each, chosen) for each in outputs], dim=-1)  # (P, K, H L + 1)
        x = torch.relu(self.each(rows)).transpose(1, 2)  # (P, 16, K)
        x = nn.functional.max_pool1d(x, 2, 2)  # (P, 16, K // 2)
        x = torch.relu(nn.functional.conv1d(x, self.window_weight, self.window_bias))  # (P, 32, K // 2 − 4)
        x = x.flatten(1)
        if self.ends:
            x = torch.cat([x, *(left * right for left, right in _of_ends(graph, outputs))], dim=1)
        x = self.dropout(torch.relu(self.dense(x)))
        score: Tensor = self.last(x).squeeze(-1)
        return score


def _of_ends(graph: Subgraphs, outputs: list[Tensor]) -> list[tuple[Tensor, Tensor]]:
    """The outputs at both ends of each pair; a pair of a node with itself has one copy of it.  [(P, H), (P, H)]"""
    left = torch.from_numpy(graph.first[:-1])
    second = torch.minimum(left + 1, torch.from_numpy(graph.first[1:]) - 1)
    right = torch.where(torch.from_numpy(graph.two_ends), second, left)
    return [(take_rows(each, left), take_rows(each, right)) for each in outputs]
