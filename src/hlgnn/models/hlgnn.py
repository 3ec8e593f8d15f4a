"""HL-GNN (Sect. 4): a linear layer, L linear propagations with learned weights, and a head."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize as unit_rows

from hlgnn.errors import SettingsError
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.stacked import stack_orders, weighted_rows
from hlgnn.models.card import ModelCard
from hlgnn.models.crowding import crowding
from hlgnn.models.dropout import Dropout
from hlgnn.models.features import FeaturePreparation
from hlgnn.models.head import CosineHead, MLPHead, ResidualHead, build_head
from hlgnn.models.initialization import embedding, linear
from hlgnn.models.layered import LayeredPropagation
from hlgnn.models.link_model import LinkModel
from hlgnn.models.order_matrix import order_units
from hlgnn.models.pair_features import neighborhoods
from hlgnn.models.pair_reader import PairReader, PairView, count_numbers
from hlgnn.models.paths import Path, choose_path, eigenvectors, spectral_filter
from hlgnn.models.propagation import Messages, Propagation
from hlgnn.models.rows import take_rows
from hlgnn.models.settings import HLGNNSettings
from hlgnn.models.similar import with_similar
from hlgnn.models.sparse_product import sparse_product
from hlgnn.models.walks import walks

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from hlgnn.formulation.normalization import Normalized
    from hlgnn.graph import Graph
    from hlgnn.models.product_form import ProductForm


@dataclass(frozen=True, eq=False)
class Prepared:
    """A message graph, ready to be encoded many times.

    Attributes:
        messages: The graph as propagation sees it.
        features: Prepared features, or ``None`` if the model does not read any.  (N, F)
        path: How Z is computed.
        stack: A^l [X, 1] for all orders, on the path ``once``.  (N, L + 1, F + 1)
        basis: Eigenvectors (N, N) and eigenvalues (N,) of the operator, on the path ``spectral``.
        low_basis: The same with eigenvectors of low precision, for training, if asked for.
        view: What numbers of pairs are computed from, if the head reads them.
    """

    messages: Messages
    features: Tensor | csr_array | None
    path: Path
    stack: Tensor | None = None
    basis: tuple[Tensor, Tensor] | None = None
    low_basis: tuple[Tensor, Tensor] | None = None
    view: PairView | None = None


class HLGNN(LinkModel[Prepared, "Encoded"]):
    """Z = Σ_l β_l Z_l, Z_0 = X W, Z_l = A_l Z_(l-1) (Eqs. 2 and 3), and a head on the rows of a pair.

    Args:
        graph: The graph to learn on: its features are fitted, or its nodes get learned vectors.
        settings: Input, propagation, head.
        generator: Where first weights come from, and the seed of dropout.
    """

    def __init__(self, graph: Graph, settings: HLGNNSettings, generator: torch.Generator) -> None:
        super().__init__()
        chosen = settings.input
        source = chosen.source
        if source == "auto":
            source = "embedding" if graph.features is None else "features"
        self.settings = settings
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        self.preparation = _preparation(graph, settings, source)
        width = 0 if self.preparation is None else self.preparation.width
        self.embedding: nn.Parameter | None = None
        if source != "features":
            vectors = embedding(graph.num_nodes, chosen.embedding_width, chosen.embedding_init, generator)
            self.embedding = nn.Parameter(vectors)
            width += chosen.embedding_width
        self.dropout = Dropout(chosen.dropout, self.noise)
        self.z_dropout = Dropout(settings.propagation.dropout, self.noise)
        self.linear = linear(width, chosen.hidden, generator) if chosen.hidden else None
        self.input_width, self.width = width, chosen.hidden or width
        self.propagation: Propagation | LayeredPropagation = (
            LayeredPropagation(settings.propagation, self.width, generator)
            if settings.propagation.transformation or settings.propagation.activation != "none"
            else Propagation(settings.propagation, generator)
        )
        view = self._view(graph, messages=None)
        self.pair_reader = None if view is None else PairReader(graph, view, generator)
        self.head = build_head(self.width, settings.head, generator, self.noise)

    def slow_parameters(self) -> list[nn.Parameter]:
        """β, and α if operators are learned."""
        named = (self.propagation.beta, self.propagation.alpha)
        return [each for each in named if each is not None and each.requires_grad]

    def prepare(self, graph: Graph) -> Prepared:
        """Features, degrees, and what the chosen path keeps.

        Raises:
            SettingsError: If the graph does not fit what was learned.
        """
        self.check(graph)
        messages = self.propagation.messages(normalize(graph.adjacency, dtype=torch.float32))
        features = None
        if self.preparation is not None and graph.features is not None:
            features = self.preparation(graph.features)
        stored = 0 if features is None else int(features.numel() if isinstance(features, Tensor) else features.nnz)
        path = choose_path(self, graph.num_nodes, graph.adjacency.num_edges, stored)
        view = self._view(graph, messages)
        if path == "once" and features is not None:
            return Prepared(messages, None, path, stack=self._stack(messages, features), view=view)
        basis = eigenvectors(messages.normalized) if path == "spectral" else None
        low = None
        if basis is not None and self.settings.precision == "bfloat16":
            low = (basis[0].to(torch.bfloat16), basis[1])
        return Prepared(messages, features, path, basis=basis, low_basis=low, view=view)

    def encode(self, prepared: Prepared) -> Encoded:
        """Z of every node; on the path ``once`` rows are computed when they are asked for."""
        if prepared.stack is not None:
            return Encoded(self, None, prepared.stack, prepared.view)
        z = self._propagated(prepared)
        if self.settings.propagation.centre:
            z = z - z.mean(dim=0)
        return Encoded(self, self.z_dropout(z), None, prepared.view)

    def product_form(self, state: Encoded) -> ProductForm | None:
        """All scores as one matrix product, for the heads ``dot``, ``cosine`` and ``diagonal``."""
        if isinstance(self.head, MLPHead | ResidualHead):
            return None
        form = self.head.product_form(state.whole())
        return replace(form, low=self.training and self.settings.precision == "bfloat16")

    def score(self, state: Encoded, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        numbers = None
        if self.pair_reader is not None and state.view is not None:
            numbers = self.pair_reader(state.view, pairs)  # (P, C)
        return self.logits(state, pairs, numbers)

    def logits(self, state: Encoded, pairs: Tensor, numbers: Tensor | None) -> Tensor:
        """The same from numbers of the pairs that are known.  (P, 2), (P, C) -> (P,)"""
        if isinstance(self.head, CosineHead | ResidualHead):
            return self.head.of_units(*state.ends(pairs, unit=True), numbers)
        score: Tensor = self.head(*state.ends(pairs), numbers)
        return score

    def inputs(self, prepared: Prepared) -> Tensor | csr_array:
        """X before the linear layer; dropout applies to what is dense and to stored entries of what is sparse."""
        features = prepared.features
        if features is not None and not isinstance(features, Tensor):
            if self.training and self.dropout.share:
                features = features.copy()
                features.data = self.dropout(torch.from_numpy(features.data)).numpy()
            if self.embedding is None:
                return features
            features = torch.from_numpy(features.toarray())
            return torch.cat([features, self.dropout(self.embedding)], dim=1)
        parts = [part for part in (features, self.embedding) if part is not None]
        dropped: Tensor = self.dropout(parts[0] if len(parts) == 1 else torch.cat(parts, dim=1))
        return dropped

    def hidden(self, x: Tensor | csr_array) -> Tensor:
        """X W + b, or X itself without a linear layer.  (N, F) -> (N, H)"""
        if isinstance(x, Tensor):
            return x if self.linear is None else cast("Tensor", self.linear(x))
        if self.linear is None:
            return torch.from_numpy(x.toarray())
        return sparse_product(x, self.linear.weight.T) + self.linear.bias

    def _propagated(self, prepared: Prepared) -> Tensor:
        x = self.inputs(prepared)
        if isinstance(x, Tensor) and self._narrow_first(x.shape[1]):
            # H (X W + 1 bᵀ) = [H X, H 1] [W; bᵀ]: the narrower side is propagated.
            ones = torch.ones(len(x), 1, dtype=x.dtype)
            z = self._filtered(prepared, torch.cat([x, ones], dim=1))
            return self._after(z)
        return self._filtered(prepared, self.hidden(x))

    def _filtered(self, prepared: Prepared, x: Tensor) -> Tensor:
        basis = prepared.low_basis if self.training and prepared.low_basis is not None else prepared.basis
        if basis is not None:
            return spectral_filter(basis, self.propagation.used_beta, x)
        if self.training and self.settings.precision == "bfloat16" and isinstance(self.propagation, Propagation):
            low: Tensor = self.propagation(prepared.messages, x, storage=torch.bfloat16)
            return low
        z: Tensor = self.propagation(prepared.messages, x)
        return z

    def _narrow_first(self, width: int) -> bool:
        linear_layers = self.linear is not None and isinstance(self.propagation, Propagation)
        return linear_layers and width + 1 < self.width

    def _after(self, z: Tensor) -> Tensor:
        """[H X, H 1] [W; bᵀ], or H X without a linear layer.  (R, F + 1) -> (R, H)"""
        if self.linear is None:
            return z[:, :-1]
        return z[:, :-1] @ self.linear.weight.T + z[:, -1:] * self.linear.bias

    def _stack(self, messages: Messages, x: Tensor | csr_array) -> Tensor:
        dense = x if isinstance(x, Tensor) else torch.from_numpy(x.toarray())
        rows = torch.cat([dense, torch.ones(len(dense), 1, dtype=dense.dtype)], dim=1)  # (N, F + 1)
        operator = cast("Tensor", self.propagation.fixed_operator)  # without one the path is another
        stack = stack_orders(messages.normalized, operator, self.settings.propagation.depth, rows)
        return stack - stack.mean(dim=0) if self.settings.propagation.centre else stack

    def _view(self, graph: Graph, messages: Messages | None) -> PairView | None:
        """What numbers of pairs are computed from, if the head reads any."""
        chosen = self.settings.head
        if not chosen.reads_numbers or count_numbers(chosen) == 0:
            return None
        normalized = normalize(graph.adjacency, dtype=torch.float32) if messages is None else messages.normalized
        near, crowded = neighborhoods(graph), None
        if chosen.crowding:
            crowded = crowding(near.pattern, self.order_units(graph, chosen.crowding, normalized))
        return PairView(
            neighborhoods=near if chosen.pair_features else None,
            units=self.order_units(graph, chosen.order_matrix, normalized) if chosen.order_matrix else None,
            crowded=crowded,
            similar=self.similar_units(graph) if chosen.similar else None,
            walks=walks(normalized, chosen.walks) if chosen.walks else None,
        )

    def similar_units(self, graph: Graph) -> Tensor:
        """The same over the graph joined with its most alike nodes.  -> (N, K, F)"""
        chosen = self.settings.head
        if self.preparation is None or graph.features is None:
            return self.order_units(graph, chosen.similar)  # says what is wrong
        joined = with_similar(graph, self.preparation.rows(graph.features), chosen.similar_count)
        return self.order_units(joined, chosen.similar)

    def order_units(self, graph: Graph, orders: tuple[int, ...], normalized: Normalized | None = None) -> Tensor:
        """A^l X of the given orders, centred, in rows of length one, as the head reads them.  -> (N, K, F)

        Raises:
            SettingsError: If the input or the operator are learned.
        """
        operator = self.propagation.fixed_operator
        if self.embedding is not None or self.preparation is None or graph.features is None or operator is None:
            raise SettingsError(
                "Cosines between orders need features and an operator that are not learned.",
                where="head.order_matrix, head.crowding, head.similar",
                hint="Set input.source = 'features' and propagation.operators = 'sym', or all of them to [].",
            )
        rows = self.preparation(graph.features)
        dense = rows if isinstance(rows, Tensor) else torch.from_numpy(rows.toarray())
        seen = normalize(graph.adjacency, dtype=torch.float32) if normalized is None else normalized
        return order_units(seen, operator, orders, dense)

    def check(self, graph: Graph) -> None:
        """Refuse a graph that the model was not made for."""
        if self.embedding is not None and graph.num_nodes != len(self.embedding):
            raise SettingsError(
                f"The model has learned vectors for {len(self.embedding)} nodes, but the graph has {graph.num_nodes}.",
                hint="Use it on the graph that it was trained on, or train with input.source = 'features'.",
            )
        if self.preparation is not None and graph.features is None:
            raise SettingsError("The model reads node features, and the graph has none.", hint="Give a features file.")


@dataclass(frozen=True, eq=False)
class Encoded:
    """Z, or what its rows are computed from.

    Attributes:
        model: Whose β and linear layer apply.
        z: Z of every node (N, F), or ``None``.
        stack: A^l [X, 1] (N, L + 1, F + 1), or ``None``.
        view: What numbers of pairs are computed from, or ``None``.
    """

    model: HLGNN
    z: Tensor | None
    stack: Tensor | None
    view: PairView | None = None

    def ends(self, pairs: Tensor, *, unit: bool = False) -> tuple[Tensor, Tensor]:
        """z_i and z_j of each pair, or both at length one.  (P, 2) -> (P, F), (P, F)"""
        if self.z is not None:
            z = self.units if unit else self.z
            return take_rows(z, pairs[:, 0]), take_rows(z, pairs[:, 1])
        nodes, place = torch.unique(pairs, return_inverse=True)
        rows = self.rows(nodes)
        z = unit_rows(rows, dim=1) if unit else rows
        return take_rows(z, place[:, 0]), take_rows(z, place[:, 1])

    @cached_property
    def units(self) -> Tensor:
        """Rows of Z at length one: a node is scaled once, however many pairs it is in.  (N, F)"""
        return unit_rows(self.whole(), dim=1)

    def whole(self) -> Tensor:
        """Z of every node.  (N, F)"""
        if self.stack is None:
            return cast("Tensor", self.z)  # one of the two is there
        return self.rows(torch.arange(len(self.stack)))

    def rows(self, nodes: Tensor) -> Tensor:
        """Rows of Z.  (R,) -> (R, F)"""
        if self.stack is None:
            return cast("Tensor", self.z)[nodes]  # one of the two is there
        weighted = weighted_rows(self.stack, self.model.propagation.used_beta, nodes)
        return self.model._after(weighted)


def _preparation(graph: Graph, settings: HLGNNSettings, source: str) -> FeaturePreparation | None:
    if source == "embedding":
        return None
    if graph.features is None:
        raise SettingsError(
            "The graph has no node features.",
            where="input.source",
            hint="Set input.source = 'embedding', or give a features file.",
        )
    return FeaturePreparation(graph.features, settings.input)


CARD = ModelCard(
    name="hlgnn",
    title="HL-GNN",
    settings=HLGNNSettings,
    build=HLGNN,
    citation="Zhang et al., KDD 2024",
)
