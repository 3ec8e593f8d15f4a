"""Neo-GNN: the model, its settings and its card."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, final

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import log_softmax, logsigmoid

from hlgnn.baselines.convolution_stack import ConvolutionStack
from hlgnn.baselines.gcn import GCNLayer
from hlgnn.baselines.neighbor_sums import symmetric_sums
from hlgnn.baselines.neo_gnn.structure import NodeStructure, Structure, number_perceptron
from hlgnn.baselines.neo_gnn.walks import Walks, count_walks
from hlgnn.baselines.node_input import NodeInput
from hlgnn.baselines.stack_model import PreparedStack, StackSettings
from hlgnn.models.card import ModelCard
from hlgnn.models.head import build_head, pair_logits
from hlgnn.models.link_model import LinkModel
from hlgnn.models.settings import Width  # noqa: TC001 - pydantic reads it

if TYPE_CHECKING:
    from hlgnn.graph import Graph


class NeoGNNSettings(StackSettings):
    """A stack of graph convolutions, and a structural part beside it.

    Attributes:
        order: The longest walks that S counts.
        decay: β: what a walk of one step more is worth.
        edge_hidden: The hidden units of f_edge.
        node_hidden: Those of f_node.
        pair_hidden: Those of g, which makes a logit of o_ij.
        even_sums: Whether sums into f_node and g are taken over their size on the graph; for dense graphs.
    """

    order: Annotated[int, Field(ge=1, le=4)] = 2
    decay: Annotated[float, Field(ge=0.0, le=1.0)] = 0.1
    edge_hidden: Width = 8
    node_hidden: Width = 128
    pair_hidden: Width = 128
    even_sums: bool = False


@dataclass(frozen=True, eq=False)
class State:
    """Representations of nodes (N, H), and what o_ij is computed from."""

    z: Tensor
    structure: Structure


@final
class NeoGNN(LinkModel[tuple[PreparedStack, Walks], State]):
    """P(link) = a_0 σ(g(o_ij)) + a_1 σ(f(z_i ⊙ z_j)) with (a_0, a_1) = softmax(α) (Yun et al., 2021).

    Scores are the logits of this probability. Training makes the loss of it and of both parts small, all with the same
    weight. Unlike in the authors' program, the link that is predicted is hidden from S too.
    """

    def __init__(self, graph: Graph, settings: NeoGNNSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.order, self.decay = settings.order, settings.decay
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        self.input = NodeInput(graph, settings.input, generator, self.noise)
        widths = [self.input.width] + settings.layers * [settings.hidden]
        self.stack = ConvolutionStack(GCNLayer, widths, settings.dropout, generator, self.noise)
        self.head = build_head(settings.hidden, settings.head, generator, self.noise)
        self.nodes = NodeStructure(settings.edge_hidden, settings.node_hidden, generator, even=settings.even_sums)
        self.of_overlap = number_perceptron(settings.pair_hidden, generator)
        self.alpha = nn.Parameter(torch.zeros(2))

    def prepare(self, graph: Graph) -> tuple[PreparedStack, Walks]:
        """The features, sums by the normalised matrix, and S."""
        stack = PreparedStack(self.input.prepare(graph), symmetric_sums(graph))
        return stack, count_walks(graph, self.order, self.decay)

    def encode(self, prepared: tuple[PreparedStack, Walks]) -> State:
        """Z, and the worth of each node as a common neighbour."""
        stack, walks = prepared
        return State(self.stack(self.input(stack.features), stack.messages), self.nodes(walks))

    def encoded(self, state: State) -> tuple[Tensor, ...]:
        """Z, and what nodes are worth."""
        return state.z, state.structure.worth

    def with_encoded(self, state: State, tensors: tuple[Tensor, ...]) -> State:
        """The same structure with others."""
        z, worth = tensors
        return State(z, replace(state.structure, worth=worth))

    def score(self, state: State, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        return self.trained_scores(state, pairs)[0]

    def trained_scores(self, state: State, pairs: Tensor) -> tuple[Tensor, ...]:
        """The logits of the whole, of the structural part and of the convolutions.  (P, 2) -> 3 × (P,)"""
        structural: Tensor = self.of_overlap(state.structure.overlap(pairs)[:, None]).squeeze(1)
        by_nodes = pair_logits(self.head, state.z, pairs)
        return mixed_logit(self.alpha, structural, by_nodes), structural, by_nodes


def mixed_logit(alpha: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """The logit of a_0 σ(s) + a_1 σ(t), in logarithms throughout so that it never saturates.  (2,), (P,), (P,) -> (P,)

    Example:
        >>> two = torch.tensor([2.0, -300.0])
        >>> mixed_logit(torch.zeros(2), two, two).tolist()
        [2.0, -300.0]
    """
    share = log_softmax(alpha, dim=0)
    yes = torch.logaddexp(share[0] + logsigmoid(first), share[1] + logsigmoid(second))
    no = torch.logaddexp(share[0] + logsigmoid(-first), share[1] + logsigmoid(-second))
    return yes - no


CARD = ModelCard(
    name="neo-gnn", title="Neo-GNN", settings=NeoGNNSettings, build=NeoGNN, citation="Yun et al., NeurIPS 2021"
)
