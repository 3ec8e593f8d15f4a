"""MF: a free vector for each node, and a perceptron on the product of two; the graph is seen as training links only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.baselines.vector_model import VectorModel, require_nodes, vector_head
from hlgnn.models.card import ModelCard
from hlgnn.models.settings import HeadSettings, Width
from hlgnn.settings import Settings

if TYPE_CHECKING:
    from hlgnn.graph import Graph


class MatrixFactorizationSettings(Settings):
    """Free vectors.

    Attributes:
        width: How long they are.
        scale: The standard deviation that they start with.
        head: The score of a pair.
    """

    width: Width = 256
    scale: float = 1.0
    head: HeadSettings = HeadSettings(layers=3, dropout=0.5)


class MatrixFactorization(VectorModel[None]):
    """f(x_i ⊙ x_j) with a learned x for each node (Menon and Elkan, 2011); features are ignored."""

    def __init__(self, graph: Graph, settings: MatrixFactorizationSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        start = torch.randn(graph.num_nodes, settings.width, generator=generator)
        self.vectors = nn.Parameter(settings.scale * start)  # (N, F)
        self.head = vector_head(settings.width, settings.head, generator, self.noise)

    def prepare(self, graph: Graph) -> None:
        """Nothing: the graph is not read.

        Raises:
            SettingsError: If it has other nodes than the model.
        """
        require_nodes(graph, len(self.vectors))

    def encode(self, prepared: None) -> Tensor:
        """All vectors.  (N, F)"""
        del prepared
        return self.vectors


CARD = ModelCard(
    name="mf",
    title="Matrix factorization",
    settings=MatrixFactorizationSettings,
    build=MatrixFactorization,
    citation="Menon and Elkan, ECML PKDD 2011",
    hides_target=True,
    by_place=True,
)
