"""Vectors from random walks, learned once and then fixed, and a head that learns to read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from hlgnn.baselines.skip_gram.encoder import VectorEncoder
from hlgnn.baselines.skip_gram.skip_gram import learn_vectors
from hlgnn.baselines.vector_model import VectorModel, require_nodes, vector_head
from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from hlgnn.baselines.skip_gram.settings import SkipGramSettings
    from hlgnn.graph import Features, Graph


class SkipGramModel(VectorModel["Features | None"]):
    """f(z_i, z_j) with a Z that is the vectors from walks, or a perceptron of them.

    Vectors are learned on the first graph that is prepared, which in training is the graph of the training links, and
    belong to the weights from then on: another graph does not change them, and weights that were loaded are kept. As in
    the published forms they have seen the training links that the head then learns from.

    Args:
        graph: The graph to learn on: how many nodes and features there are.
        settings: Walks, skip-gram, encoder and head.
        generator: Where the seed of the walks, first weights and the seed of dropout come from.
    """

    vectors: Tensor
    learned: Tensor

    def __init__(self, graph: Graph, settings: SkipGramSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.settings = settings
        self.num_features = _num_features(graph) if settings.features else 0
        self.seed, noise_seed = torch.randint(1 << 62, (2,), generator=generator).tolist()
        self.noise = torch.Generator().manual_seed(noise_seed)
        self.register_buffer("vectors", torch.zeros(graph.num_nodes, settings.width))  # (N, W)
        self.register_buffer("learned", torch.tensor(False))  # noqa: FBT003
        self.encoder: VectorEncoder | None = None
        if settings.encoder_layers:
            self.encoder = VectorEncoder(self.num_features, settings, generator, self.noise)
        width = settings.encoder_width if settings.encoder_layers else settings.width
        self.head = vector_head(width, settings.head, generator, self.noise)

    def prepare(self, graph: Graph) -> Features | None:
        """Node features if they are read; the first graph is what vectors are learned on.

        Raises:
            SettingsError: If the graph has other nodes or features than the model.
        """
        require_nodes(graph, len(self.vectors))
        if not self.learned:
            found = learn_vectors(graph, self.settings.walk_rule, self.settings.skip_gram_rule, self.seed)
            self.vectors.copy_(torch.from_numpy(found))
            self.learned.fill_(True)  # noqa: FBT003
        if not self.settings.features:
            return None
        if graph.num_features != self.num_features:
            raise SettingsError(
                f"The model was made for {self.num_features} features, but the graph has {graph.num_features}.",
                hint="Give the features that it was trained with, in the same order.",
            )
        return graph.features

    def encode(self, prepared: Features | None) -> Tensor:
        """The vectors, or what the encoder makes of them.  (N, W)"""
        if self.encoder is None:
            return self.vectors
        z: Tensor = self.encoder(self.vectors, prepared)
        return z


def _num_features(graph: Graph) -> int:
    if graph.features is None:
        raise SettingsError(
            "There are no node features to read.",
            where="model.features",
            hint="Set model.features to false, or give a table of features.",
        )
    return graph.num_features
