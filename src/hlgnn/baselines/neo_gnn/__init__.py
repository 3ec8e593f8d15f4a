"""Neo-GNN: a learned generalisation of common neighbours beside a graph convolution."""

from hlgnn.baselines.neo_gnn.model import CARD, NeoGNN, NeoGNNSettings

__all__ = ["CARD", "NeoGNN", "NeoGNNSettings"]
