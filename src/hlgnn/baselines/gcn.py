"""GCN: every layer takes the mean over neighbours and the node itself, weighted by degrees, of linear maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from torch import Tensor, nn

from hlgnn.baselines.neighbor_sums import NeighborSums, symmetric_sums
from hlgnn.baselines.pyg_layer import pyg_layer
from hlgnn.baselines.stack_model import StackModel, StackSettings
from hlgnn.models.card import ModelCard

if TYPE_CHECKING:
    import torch

    from hlgnn.baselines.node_input import Product
    from hlgnn.graph import Graph


class GCNLayer(nn.Module):
    """D̃^-½ (A + I) D̃^-½ X W + b."""

    def __init__(self, inputs: int, outputs: int, generator: torch.Generator) -> None:
        super().__init__()
        self.layer = pyg_layer("GCNConv", inputs, outputs, generator, normalize=False)

    def forward(self, product: Product, messages: NeighborSums) -> Tensor:
        """X W first, because it has fewer columns than the features, and is sparse where they are.  (N, H)"""
        hidden = product(self.layer.lin.weight.T)  # (N, H)
        out: Tensor = messages(hidden) + self.layer.bias
        return out


@final
class GCN(StackModel):
    """f(z_i ⊙ z_j) on graph convolutions (Kipf and Welling, 2017)."""

    kind = GCNLayer

    def messages(self, graph: Graph) -> NeighborSums:
        """Sums by the normalised matrix."""
        return symmetric_sums(graph)


CARD = ModelCard(name="gcn", title="GCN", settings=StackSettings, build=GCN, citation="Kipf and Welling, ICLR 2017")
