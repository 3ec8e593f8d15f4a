"""Models whose links are explained: every weight is drawn, far from where training starts."""

from typing import Any

import torch

from hlgnn.graph import Graph, karate_club
from hlgnn.models import HLGNN, HLGNNSettings, LinkModel
from hlgnn.models.frozen_encoder import FrozenEncoder, FrozenSettings

FIRST, SECOND = 14, 2  # two members that are not linked
FEATURES = {"source": "features", "hidden": 4}
EMBEDDING = {"source": "embedding", "embedding_width": 6, "hidden": 0}
BOTH = {"source": "both", "embedding_width": 3, "hidden": 5, "tf_idf": True, "normalize": True, "centre": True}
HEADS: dict[str, dict[str, Any]] = {
    "dot": {"kind": "dot"},
    "cosine": {"kind": "cosine"},
    "diagonal": {"kind": "diagonal"},
    "mlp": {"kind": "mlp", "hidden": 8, "difference": True, "pair_features": True},
    "residual": {"kind": "residual", "hidden": 8, "pair_features": True},
}


def club(*, weighted: bool = False) -> Graph:
    """The karate club with drawn features, and with weights if asked for."""
    generator = torch.Generator().manual_seed(7)
    features = torch.relu(torch.randn(34, 7, generator=generator))
    links = karate_club().links
    weight = 0.5 + torch.rand(len(links), generator=generator) if weighted else None
    return Graph.from_edges(34, links, weight=weight, features=features)


def drawn_model(graph: Graph, seed: int = 1, **chosen: Any) -> HLGNN:
    """An HL-GNN with drawn weights; only its scale of the cosine is left as it starts."""
    generator = torch.Generator().manual_seed(seed)
    chosen.setdefault("propagation", {"depth": 4})
    model = HLGNN(graph, HLGNNSettings.model_validate(chosen), generator)
    _draw(model, generator)
    return model.eval()


def frozen_model(graph: Graph, seed: int = 1, **chosen: Any) -> FrozenEncoder:
    """A drawn head on a fixed formulation."""
    generator = torch.Generator().manual_seed(seed)
    model = FrozenEncoder(graph, FrozenSettings.model_validate(chosen), generator)
    _draw(model, generator)
    return model.eval()


def model_logit(model: LinkModel[Any, Any], graph: Graph, first: int = FIRST, second: int = SECOND) -> float:
    """The logit that the model itself gives."""
    with torch.no_grad():
        return float(model.score(model.encode(model.prepare(graph)), torch.tensor([[first, second]])))


def _draw(model: torch.nn.Module, generator: torch.Generator) -> None:
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 0:
                parameter.copy_(0.5 * torch.randn(parameter.shape, generator=generator))
