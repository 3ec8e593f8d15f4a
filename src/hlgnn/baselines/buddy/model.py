"""BUDDY: sketched counts of the nodes around a pair, beside propagated features (Chamberlain et al., ICLR 2023)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.baselines.buddy.branches import BatchNorm, Block, NodeBranch, StructureBlock
from hlgnn.baselines.buddy.inputs import FeatureInputs, feature_inputs
from hlgnn.baselines.buddy.pair_counts import PairCounts, count_columns, mirror_columns, pair_counts
from hlgnn.baselines.buddy.settings import BuddySettings
from hlgnn.errors import SettingsError
from hlgnn.formulation.normalization import Normalized, normalize
from hlgnn.formulation.operators import SYM
from hlgnn.formulation.propagation import multiply
from hlgnn.models.card import ModelCard
from hlgnn.models.dense_product import matrix_product
from hlgnn.models.features import FeaturePreparation
from hlgnn.models.initialization import embedding, linear
from hlgnn.models.link_model import LinkModel
from hlgnn.models.low_perceptron import low_products
from hlgnn.models.rows import take_rows
from hlgnn.models.settings import InputSettings

if TYPE_CHECKING:
    from hlgnn.graph import Graph

# The representations of so many nodes are made at once where all are needed.
BLOCK = 1 << 14


@dataclass(frozen=True, eq=False)
class BuddyState:
    """A message graph as pairs are scored on it.

    Attributes:
        counts: Where the numbers of a pair come from.
        inputs: Where propagated features come from, or ``None``.
        normalized: What learned vectors are propagated on, or ``None``.
        nodes: What is read of the features of each node (N, H); ``None`` in training, where it is made for the pairs.
        vectors: What is read of its learned vector, and its neighbours'.  (N, H)
    """

    counts: PairCounts
    inputs: FeatureInputs | None = None
    normalized: Normalized | None = None
    nodes: Tensor | None = None
    vectors: Tensor | None = None


class Buddy(LinkModel[BuddyState, BuddyState]):
    """A linear layer over what was read of counts, of features and, if asked for, of learned vectors.

    Only the order of counts depends on which end of a pair comes first; see ``BuddySettings.both_orders``.
    """

    def __init__(self, graph: Graph, settings: BuddySettings, generator: torch.Generator) -> None:
        super().__init__()
        self.settings, hidden = settings, settings.hidden
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        self.preparation = _preparation(graph, settings)
        self.width = 0 if self.preparation is None else self.preparation.width
        dropout, random = settings.feature_dropout, (generator, self.noise)
        sign = (hidden, settings.sign_k, settings.steps, settings.sign_dropout, *random)
        self.structure = StructureBlock(
            mirror_columns(settings), settings.structure_dropout, *random, both=settings.both_orders
        )
        self.nodes = NodeBranch(self.width, *sign) if self.width else None
        self.node_pairs = Block(hidden, hidden, dropout, *random) if self.width else None
        start = (graph.num_nodes, settings.embedding_width, "xavier", generator)
        self.table = nn.Parameter(embedding(*start)) if settings.embedding else None  # (N, W)
        self.vectors = NodeBranch(settings.embedding_width, *sign) if settings.embedding else None
        self.vector_pairs = Block(hidden, hidden, dropout, *random) if settings.embedding else None
        self.allocation = BatchNorm(1) if settings.resource_allocation else None
        inputs = count_columns(settings) + hidden * ((self.width > 0) + settings.embedding)
        self.last = linear(inputs + settings.resource_allocation, 1, generator)

    def prepare(self, graph: Graph) -> BuddyState:
        """The sketches of all neighbourhoods, and the operator that propagates features."""
        settings, inputs, normalized = self.settings, None, None
        if self.preparation is not None:
            if graph.features is None:
                raise SettingsError(
                    f"The model was made for {self.preparation.inputs} features, but the graph has 0.",
                    hint="Give the features that it was trained with, in the same order.",
                )
            inputs = feature_inputs(graph, self.preparation(graph.features), self._largest_order)
        if self.table is not None:
            normalized = normalize(graph.adjacency, dtype=torch.float32)
        return BuddyState(pair_counts(graph, settings), inputs, normalized)

    def encode(self, prepared: BuddyState) -> BuddyState:
        """Learned vectors of all nodes; those of features too, except in training."""
        nodes = None
        if prepared.inputs is not None and not self.training:
            blocks = torch.arange(prepared.inputs.propagation.shape[0]).split(BLOCK)
            nodes = torch.cat([self._read_features(prepared.inputs, rows) for rows in blocks])
        return replace(prepared, nodes=nodes, vectors=self._read_vectors(prepared.normalized))

    def score(self, state: BuddyState, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        pairs = pairs.long().sort(dim=1).values
        precision = self.last.weight.dtype
        parts = [self.structure(state.counts.numbers(pairs).to(precision))]
        if self.node_pairs is not None:
            parts.append(self.node_pairs(self._feature_product(state, pairs)))
        if self.vector_pairs is not None and state.vectors is not None:
            parts.append(self.vector_pairs(self._product(state.vectors, pairs)))
        if self.allocation is not None:
            parts.append(self.allocation(state.counts.allocation(pairs).to(precision)))
        logits: Tensor = self.last(torch.cat(parts, dim=1)).squeeze(1)
        return logits

    def _feature_product(self, state: BuddyState, pairs: Tensor) -> Tensor:
        """The product of what is read of both ends.  (P, 2) -> (P, H)"""
        table, place = state.nodes, pairs
        if table is None and state.inputs is not None:
            nodes, place = pairs.unique(return_inverse=True)
            table = self._read_features(state.inputs, nodes)
        assert table is not None  # noqa: S101
        return self._product(table, place)

    def _product(self, table: Tensor, pairs: Tensor) -> Tensor:
        """(N, H), (P, 2) -> (P, H)"""
        low = self.training and self.settings.products == "bfloat16"
        if low and table.dtype == torch.float32 and table.device.type == "cpu":
            return low_products(table, pairs)
        return take_rows(table, pairs[:, 0]) * take_rows(table, pairs[:, 1])

    def _read_features(self, inputs: FeatureInputs, rows: Tensor) -> Tensor:
        assert self.nodes is not None  # noqa: S101
        table: Tensor = self.nodes(lambda order, weight: inputs.product(self._order(order), weight, rows))
        return table

    def _read_vectors(self, normalized: Normalized | None) -> Tensor | None:
        if normalized is None or self.table is None or self.vectors is None:
            return None
        step = partial(multiply, normalized, torch.tensor(SYM))
        orders: list[Tensor] = [self.table]
        for _ in range(self._largest_order):
            orders.append(step(orders[-1]))
        table: Tensor = self.vectors(lambda order, weight: matrix_product(orders[self._order(order)], weight))
        return table

    @property
    def _largest_order(self) -> int:
        return self._order(self.settings.sign_k or self.settings.steps)

    def _order(self, order: int) -> int:
        """The power of A that stands for an order; in the published form never more than one."""
        return min(order, 1) if self.settings.form == "published" else order


def _preparation(graph: Graph, settings: BuddySettings) -> FeaturePreparation | None:
    """What is done to features before they are propagated, or ``None`` if none are read."""
    if graph.features is None or not settings.features or not graph.num_features:
        return None
    chosen = settings.model_dump(include={"tf_idf", "normalize", "centre", "svd"})
    return FeaturePreparation(graph.features, InputSettings.model_validate(chosen))


CARD = ModelCard(
    name="buddy",
    title="BUDDY",
    settings=BuddySettings,
    build=Buddy,
    citation="Chamberlain et al., ICLR 2023",
)
