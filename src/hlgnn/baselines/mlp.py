"""MLP: a perceptron on the features of each node; the graph is seen as training links only."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from torch import Tensor, nn

from hlgnn.baselines.stack_model import StackModel, StackSettings
from hlgnn.models.card import ModelCard
from hlgnn.models.initialization import linear

if TYPE_CHECKING:
    import torch

    from hlgnn.baselines.node_input import Product
    from hlgnn.baselines.stack_model import PreparedStack
    from hlgnn.graph import Graph


class LinearLayer(nn.Module):
    """X W + b."""

    def __init__(self, inputs: int, outputs: int, generator: torch.Generator) -> None:
        super().__init__()
        self.layer = linear(inputs, outputs, generator)

    def forward(self, product: Product, messages: None) -> Tensor:
        """(N, H)"""
        del messages
        return product(self.layer.weight.T) + self.layer.bias


@final
class MLP(StackModel):
    """f(z_i ⊙ z_j), where z is a perceptron of the features of a node, or of a learned vector."""

    kind = LinearLayer
    encodes_few = True

    def messages(self, graph: Graph) -> None:
        """The graph is not read."""
        del graph

    def encode_few(self, prepared: PreparedStack, nodes: Tensor) -> Tensor:
        """Z of some nodes, which no other node is read for.  (R,) -> (R, H)"""
        z: Tensor = self.stack(self.input(prepared.features, nodes), prepared.messages)
        return z


CARD = ModelCard(
    name="mlp",
    title="MLP",
    settings=StackSettings,
    build=MLP,
    citation="A perceptron on node features",
    hides_target=True,
)
