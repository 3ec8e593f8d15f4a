"""GraphSAGE: every layer maps the mean over neighbours and the node itself by two matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from torch import Tensor, nn

from hlgnn.baselines.neighbor_sums import NeighborSums, means_at, neighbor_means
from hlgnn.baselines.pyg_layer import pyg_layer
from hlgnn.baselines.stack_model import StackModel, StackSettings
from hlgnn.models.card import ModelCard
from hlgnn.models.dense_product import linear_map
from hlgnn.models.rows import take_rows

if TYPE_CHECKING:
    import torch

    from hlgnn.baselines.node_input import Product
    from hlgnn.graph import Graph


class SAGELayer(nn.Module):
    """D^-1 A X W + b + X V."""

    def __init__(self, inputs: int, outputs: int, generator: torch.Generator) -> None:
        super().__init__()
        self.layer = pyg_layer("SAGEConv", inputs, outputs, generator)

    def forward(self, product: Product, messages: NeighborSums) -> Tensor:
        """X W first: a mean of maps is the map of the mean.  (N, H)"""
        hidden = product(self.layer.lin_l.weight.T)  # (N, H)
        out: Tensor = messages(hidden) + self.layer.lin_l.bias + product(self.layer.lin_r.weight.T)
        return out

    def at(self, nodes: Tensor, x: Tensor, messages: NeighborSums) -> Tensor:
        """The same for some nodes, the mean first: few rows are mapped.  (R,), (N, H) -> (R, H)"""
        left, right = self.layer.lin_l, self.layer.lin_r
        means = linear_map(means_at(nodes, messages, x), left.weight, left.bias)
        out: Tensor = means + linear_map(take_rows(x, nodes), right.weight, right.bias)
        return out


@final
class SAGE(StackModel):
    """f(z_i ⊙ z_j) on GraphSAGE with mean aggregation (Hamilton et al., 2017)."""

    kind = SAGELayer
    encodes_few = True

    def messages(self, graph: Graph) -> NeighborSums:
        """Means over neighbours."""
        return neighbor_means(graph)


CARD = ModelCard(
    name="sage",
    title="GraphSAGE",
    settings=StackSettings,
    build=SAGE,
    citation="Hamilton, Ying and Leskovec, NeurIPS 2017",
)
