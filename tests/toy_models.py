"""Small graphs with features, splits of them, and models on them."""

from typing import Any

import torch

from hlgnn.data import PROTOCOLS, Dataset, Split, make_split
from hlgnn.graph import Graph, karate_club
from hlgnn.models import HLGNN, HLGNNSettings

GROUPS, GROUP_SIZE = 4, 12


def karate_with_features(width: int = 5) -> Graph:
    """The karate club with drawn features, about half of them zero."""
    generator = torch.Generator().manual_seed(7)
    features = torch.relu(torch.randn(34, width, generator=generator))
    return Graph.from_edges(34, karate_club().links, features=features)


def communities(seed: int = 0) -> Graph:
    """Four groups of twelve nodes, many links inside and few between; features tell the groups apart, with noise."""
    generator = torch.Generator().manual_seed(seed)
    nodes = torch.arange(GROUPS * GROUP_SIZE)
    same = nodes[:, None] // GROUP_SIZE == nodes // GROUP_SIZE
    links = torch.rand(same.shape, generator=generator) < torch.where(same, 0.5, 0.02)
    hint = torch.nn.functional.one_hot(nodes // GROUP_SIZE, GROUPS).float()
    features = hint + 0.5 * torch.randn(hint.shape, generator=generator)
    return Graph.from_edges(len(nodes), links.triu(1).nonzero(), features=features)


def community_split(seed: int = 0) -> Split:
    """The communities under the protocol of the paper."""
    return make_split(Dataset("communities", communities(), "auc"), PROTOCOLS["paper"], seed)


def build(graph: Graph, seed: int = 0, **chosen: Any) -> HLGNN:
    """A model by its settings; the same seed gives the same first weights."""
    return HLGNN(graph, HLGNNSettings.model_validate(chosen), torch.Generator().manual_seed(seed))


def all_scores(model: HLGNN, graph: Graph, pairs: torch.Tensor) -> torch.Tensor:
    """Logits with gradients, through prepare, encode and score."""
    return model.score(model.encode(model.prepare(graph)), pairs)
