"""SEAL behind the contract of link predictors (Zhang and Chen 2018; Zhang et al. 2021)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor

from hlgnn.baselines.seal.dgcnn import Convolutions, SortedReadout
from hlgnn.baselines.seal.settings import SealSettings
from hlgnn.baselines.seal.store import SubgraphStore
from hlgnn.baselines.seal.subgraphs import extract
from hlgnn.errors import SettingsError
from hlgnn.models.card import ModelCard
from hlgnn.models.dropout import Dropout
from hlgnn.models.link_model import LinkModel

if TYPE_CHECKING:
    from hlgnn.graph import Features, Graph

SAMPLE, LEAST_POOLED = 1000, 10
PAIRS_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class SealState:
    """A message graph, and what the first layer makes of its features.  (N, H)"""

    store: SubgraphStore
    known: Tensor | None


@final
class Seal(LinkModel[SubgraphStore, SealState]):
    """DGCNN on the subgraph that encloses a pair; the link between its ends is never seen."""

    pooled: Tensor

    def __init__(self, graph: Graph, settings: SealSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.settings = settings
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        self.inputs = graph.num_features if settings.features == "auto" else 0
        count = pooled_nodes(graph, settings)
        self.register_buffer("pooled", torch.tensor(count))
        self.convolutions = Convolutions(settings, self.inputs, generator)
        self.feature_dropout = Dropout(settings.feature_dropout, self.noise)
        self.readout = SortedReadout(settings, count, generator, self.noise)

    def prepare(self, graph: Graph) -> SubgraphStore:
        """The graph, ready to be cut.

        Raises:
            SettingsError: If it does not have the features that the model was made for.
        """
        if self.inputs and graph.num_features != self.inputs:
            raise SettingsError(
                f"The model was made for {self.inputs} features, but the graph has {graph.num_features}.",
                hint="Give the features that it was trained with, in the same order.",
            )
        features = graph.features if self.inputs else None
        return SubgraphStore(graph.adjacency, features, self.settings.enclosing, self.settings.cache)

    def encode(self, prepared: SubgraphStore) -> SealState:
        """The first product with the features of all nodes."""
        if prepared.features is None:
            return SealState(prepared, None)
        return SealState(prepared, self.convolutions.of_features(self._thinned(prepared.features)))

    def score(self, state: SealState, pairs: Tensor) -> Tensor:
        """The logit of every pair, the same for both directions.  (P, 2) -> (P,)"""
        blocks = [pairs] if self.training else pairs.split(PAIRS_AT_ONCE)
        scores = [self._block(state, block) for block in blocks if len(block)]
        return torch.cat(scores) if scores else torch.zeros(0)

    def _thinned(self, features: Features) -> Features:
        """Features with some entries dropped, in training."""
        if isinstance(features, Tensor):
            dropped: Tensor = self.feature_dropout(features.float())
            return dropped
        values = self.feature_dropout(torch.from_numpy(features.data).float()).numpy()
        return csr_array((values, features.indices, features.indptr), shape=features.shape)

    def _block(self, state: SealState, pairs: Tensor) -> Tensor:
        graph = state.store.extract(pairs, keep=not self.training)
        score: Tensor = self.readout(graph, self.convolutions(graph, state.known))
        return score


def pooled_nodes(graph: Graph, settings: SealSettings) -> int:
    """How many sorted nodes are read: at least ten, and enough for ``settings.pooled`` of the subgraphs to fit.

    Sizes are those of up to 1000 links and as many pairs that are drawn from the graph alone.
    """
    if settings.pooled >= 1:
        return max(LEAST_POOLED, int(settings.pooled))
    draw = torch.Generator().manual_seed(settings.enclosing.seed)
    links = graph.links[torch.randperm(graph.num_links, generator=draw)[:SAMPLE]]
    others = torch.randint(max(1, graph.num_nodes), (len(links), 2), generator=draw)
    sizes = [
        size
        for block in torch.cat([links, others]).split(PAIRS_AT_ONCE)
        for size in np.diff(extract(graph.adjacency, block, settings.enclosing).first).tolist()
    ]
    place = math.ceil(settings.pooled * len(sizes)) - 1
    return max(LEAST_POOLED, sorted(sizes)[place]) if sizes else LEAST_POOLED


CARD = ModelCard(
    name="seal",
    title="SEAL",
    settings=SealSettings,
    build=Seal,
    citation="Zhang and Chen, NeurIPS 2018",
    hides_target=True,
)
