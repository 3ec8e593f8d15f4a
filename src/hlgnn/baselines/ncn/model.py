"""NCN: the model and its card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor, nn

from hlgnn.baselines.common_neighbors import common_neighbors
from hlgnn.baselines.ncn.encoder import Encoder
from hlgnn.baselines.ncn.head import NCNHead
from hlgnn.baselines.ncn.settings import NCNSettings
from hlgnn.baselines.neighbor_sums import NeighborSums, plain_sums, symmetric_sums
from hlgnn.baselines.node_input import NodeInput
from hlgnn.models.card import ModelCard
from hlgnn.models.link_model import LinkModel
from hlgnn.models.rows import take_rows
from hlgnn.models.sparse_product import sparse_product

if TYPE_CHECKING:
    from hlgnn.graph import Adjacency, Features, Graph


@dataclass(frozen=True, eq=False)
class Prepared:
    """A message graph, ready to be encoded: features (N, F), sums over neighbours, and the graph."""

    features: Features | None
    messages: NeighborSums
    graph: Graph


@dataclass(frozen=True, eq=False)
class State:
    """What pairs are scored from.

    Attributes:
        x: Representations of nodes.  (N, H)
        added: What each node adds as a common neighbour.  (N, H)
        adjacency: Who is a neighbour of whom.
    """

    x: Tensor
    added: Tensor
    adjacency: Adjacency


class NCN(LinkModel[Prepared, State]):
    """A perceptron of x_i ⊙ x_j and of the sum of what common neighbours are (Wang, Yang and Zhang, 2024).

    The links of a batch are hidden from the propagation and from the sets of neighbours alike, by ``train.hide``. The
    encoder learns with ``train.beta_rate``, the head with ``train.learning_rate``.
    """

    def __init__(self, graph: Graph, settings: NCNSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.settings = settings
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        self.input = NodeInput(graph, settings.input, generator, self.noise)
        self.encoder = Encoder(self.input.width, settings, generator, self.noise)
        self.head = NCNHead(settings, generator, self.noise)

    def slow_parameters(self) -> list[nn.Parameter]:
        """Those of the encoder, which have a rate of their own."""
        return [*self.input.parameters(), *self.encoder.parameters()]

    def prepare(self, graph: Graph) -> Prepared:
        """The features, and how neighbours are summed up."""
        sums = symmetric_sums if self.settings.operator == "sym" else plain_sums
        return Prepared(self.input.prepare(graph), sums(graph), graph)

    def encode(self, prepared: Prepared) -> State:
        """Representations of nodes; in training some links are left out of the sets of neighbours."""
        x: Tensor = self.encoder(self.input(prepared.features), prepared.messages)
        return State(x, self.head.neighbors(x), self._neighbors(prepared.graph))

    def encoded(self, state: State) -> tuple[Tensor, ...]:
        """What ends and what common neighbours bring."""
        return state.x, state.added

    def with_encoded(self, state: State, tensors: tuple[Tensor, ...]) -> State:
        """The same neighbours with others."""
        x, added = tensors
        return State(x, added, state.adjacency)

    def score(self, state: State, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        return self.read(state, pairs, common_rows(state.adjacency, pairs))

    def read(self, state: State, pairs: Tensor, weights: csr_array) -> Tensor:
        """The logit of every pair, given how much each node counts as its common neighbour.  (P, 2), (P, N) -> (P,)"""
        common = sparse_product(weights, state.added)  # (P, H)
        left, right = take_rows(state.x, pairs[:, 0]), take_rows(state.x, pairs[:, 1])
        score: Tensor = self.head(left, right, common)
        return score

    def _neighbors(self, graph: Graph) -> Adjacency:
        share = self.settings.link_dropout
        if not self.training or share == 0.0:
            return graph.adjacency
        kept = torch.rand(graph.num_links, generator=self.noise) >= share
        return graph.keep_links(kept).adjacency


def common_rows(adjacency: Adjacency, pairs: Tensor) -> csr_array:
    """One where a node is a neighbour of both ends.  (P, 2) -> (P, N)"""
    neighbor = adjacency.neighbor.numpy()
    found = common_neighbors(adjacency.offset.numpy(), neighbor, pairs.numpy())
    ones = np.ones(len(found.left), dtype=np.float32)
    return csr_array((ones, neighbor[found.left], found.offset), shape=(len(pairs), adjacency.num_nodes))


NCN_CARD = ModelCard(
    name="ncn", title="NCN", settings=NCNSettings, build=NCN, citation="Wang, Yang and Zhang, ICLR 2024"
)
