"""What GCN, GAT, GraphSAGE and the perceptron share: an input, a stack of layers, and a head on two rows."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import torch
from pydantic import Field
from torch import Tensor, nn

from hlgnn.baselines.convolution_stack import ConvolutionStack
from hlgnn.baselines.node_input import NodeInput, NodeInputSettings
from hlgnn.models.head import MLPHead, ResidualHead, build_head, pair_logits
from hlgnn.models.link_model import LinkModel
from hlgnn.models.settings import HeadSettings, Share, Width
from hlgnn.settings import Settings

if TYPE_CHECKING:
    from hlgnn.graph import Features, Graph
    from hlgnn.models.product_form import ProductForm

Layers = Annotated[int, Field(ge=1, le=64)]


class StackSettings(Settings):
    """A stack of layers.

    Attributes:
        input: X.
        layers: How many layers there are; a single one is linear.
        hidden: The width of each.
        dropout: The share of hidden units that are dropped in training, between layers.
        head: The score of a pair.
    """

    input: NodeInputSettings = NodeInputSettings()
    layers: Layers = 1
    hidden: Width = 256
    dropout: Share = 0.3
    head: HeadSettings = HeadSettings(layers=3, dropout=0.3)


@dataclass(frozen=True, eq=False)
class PreparedStack:
    """A message graph, ready to be encoded many times.

    Attributes:
        features: X, or ``None`` where vectors are learned.  (N, F)
        messages: What the layers read of the graph.
    """

    features: Features | None
    messages: Any


class StackModel(LinkModel[PreparedStack, "Tensor | PreparedStack"]):
    """f(z_i ⊙ z_j), where Z comes from a stack of layers on the message graph.

    Args:
        graph: The graph to learn on.
        settings: Input, layers, head.
        generator: Where first weights come from, and the seed of dropout.
    """

    kind: ClassVar[type[nn.Module]]
    encodes_few: ClassVar[bool] = False
    """Whether a step of training with few pairs encodes their nodes only, which ``encode_few`` does."""
    few_pairs: bool = False
    """Whether a step was said to have few."""

    def __init__(self, graph: Graph, settings: StackSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        self.input = NodeInput(graph, settings.input, generator, self.noise)
        widths = [self.input.width] + settings.layers * [settings.hidden]
        self.stack = ConvolutionStack(self.kind, widths, settings.dropout, generator, self.noise)
        self.head = build_head(settings.hidden, settings.head, generator, self.noise)

    @abstractmethod
    def messages(self, graph: Graph) -> Any:
        """What the layers read of a message graph."""

    def prepare(self, graph: Graph) -> PreparedStack:
        """The features and the matrix of messages."""
        return PreparedStack(self.input.prepare(graph), self.messages(graph))

    def expect(self, pairs: int) -> None:
        """Encode the nodes of so many pairs alone in training, if that spares half of them or more."""
        self.few_pairs = self.encodes_few and 4 * pairs <= self.input.num_nodes

    def encode(self, prepared: PreparedStack) -> Tensor | PreparedStack:
        """Z of every node; what was prepared, where each step encodes a few nodes only.  (N, H)"""
        if self.few_pairs and self.training and torch.is_grad_enabled():
            return prepared
        return self._encode_all(prepared)

    def encode_few(self, prepared: PreparedStack, nodes: Tensor) -> Tensor:
        """Z of some nodes.  (R,) -> (R, H)"""
        z: Tensor = self.stack(self.input(prepared.features), prepared.messages, nodes)
        return z

    def score(self, state: Tensor | PreparedStack, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        if isinstance(state, Tensor):
            return pair_logits(self.head, state, pairs)
        nodes, places = pairs.unique(return_inverse=True)
        return pair_logits(self.head, self.encode_few(state, nodes), places)

    def product_form(self, state: Tensor | PreparedStack) -> ProductForm | None:
        """All scores as one matrix product, for the heads ``dot``, ``cosine`` and ``diagonal``."""
        if isinstance(self.head, MLPHead | ResidualHead):
            return None
        return self.head.product_form(state if isinstance(state, Tensor) else self._encode_all(state))

    def _encode_all(self, prepared: PreparedStack) -> Tensor:
        z: Tensor = self.stack(self.input(prepared.features), prepared.messages)
        return z
