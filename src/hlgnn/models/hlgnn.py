"""HL-GNN (Sect. 4): a linear layer, L linear propagations with learned weights, and a head."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import torch
from scipy.sparse import csr_array
from torch import Tensor, nn

from hlgnn.errors import SettingsError
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.stacked import stack_orders
from hlgnn.mapped import mapped_zeros
from hlgnn.models.card import ModelCard
from hlgnn.models.columns import ALONE, Columns
from hlgnn.models.dense_product import matrix_product
from hlgnn.models.dropout import Dropout
from hlgnn.models.encoded import Encoded
from hlgnn.models.features import FeaturePreparation
from hlgnn.models.head import CosineHead, MLPHead, ResidualHead, build_head, keep_columns
from hlgnn.models.initialization import embedding, linear
from hlgnn.models.layered import LayeredPropagation
from hlgnn.models.link_model import LinkModel
from hlgnn.models.pair_reader import PairReader
from hlgnn.models.pair_views import PairViews
from hlgnn.models.paths import Path, choose_path, eigenvectors, spectral_filter
from hlgnn.models.propagation import Messages, Propagation
from hlgnn.models.settings import HLGNNSettings
from hlgnn.models.sparse_product import sparse_product

if TYPE_CHECKING:
    from hlgnn.graph import Graph
    from hlgnn.models.pair_reader import PairView
    from hlgnn.models.product_form import ProductForm
    from hlgnn.processes import Group


@dataclass(frozen=True, eq=False)
class Prepared:
    """A message graph, ready to be encoded many times.

    Attributes:
        messages: The graph as propagation sees it.
        features: Prepared features, or ``None`` if the model does not read any; where each process propagates some of
            the input columns, those of this process.  (N, F)
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


class HLGNN(LinkModel[Prepared, Encoded]):
    """Z = Σ_l β_l Z_l, Z_0 = X W, Z_l = A_l Z_(l-1) (Eqs. 2 and 3), and a head on the rows of a pair.

    Args:
        graph: The graph to learn on: its features are fitted, or its nodes get learned vectors.
        settings: Input, propagation, head.
        generator: Where first weights come from, and the seed of dropout.
        group: The processes that each hold some columns of Z, with the weights that make them and those that read them;
            their weights are parts of those that one process would have.
        beside: A model of the same settings on the same graph, which keeps what is fitted to features and numbers for
            both; this one reads it there.
    """

    def __init__(
        self,
        graph: Graph,
        settings: HLGNNSettings,
        generator: torch.Generator,
        group: Group = ALONE,
        *,
        beside: HLGNN | None = None,
    ) -> None:
        super().__init__()
        chosen = settings.input
        source = chosen.source
        if source == "auto":
            source = "embedding" if graph.features is None else "features"
        self.settings = settings
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        fitted = _preparation(graph, settings, source) if beside is None else beside.preparation
        self.preparation: FeaturePreparation | None
        self._keep_or_borrow("preparation", fitted, beside)
        width = 0 if self.preparation is None else self.preparation.width
        self.feature_columns = Columns.split(group, width)
        self.vector_columns = Columns.split(group, 0 if source == "features" else chosen.embedding_width)
        self.input_columns = self.feature_columns.beside(self.vector_columns)
        self.z_columns = Columns.split(group, chosen.hidden) if chosen.hidden else self.input_columns
        self.embedding: nn.Parameter | None = None
        if source != "features":
            how, columns = chosen.embedding_init, self.vector_columns
            self.embedding = nn.Parameter(embedding(graph.num_nodes, columns.length, how, generator, columns))
        own_noise = self.noise if group.alone else _own_noise(self.noise, group)
        self.dropout = Dropout(chosen.dropout, self.noise)
        self.own_dropout = self.dropout if group.alone else Dropout(chosen.dropout, own_noise)
        self.z_dropout = Dropout(settings.propagation.dropout, own_noise)
        self.input_width, self.width = self.input_columns.length, self.z_columns.length
        self.linear: nn.Linear | None = None
        if chosen.hidden:
            self.linear = linear(self.input_width, chosen.hidden, generator)
            keep_columns(self.linear, self.z_columns, dim=0)
        self.propagation: Propagation | LayeredPropagation = (
            LayeredPropagation(settings.propagation, self.width, generator)
            if settings.propagation.transformation or settings.propagation.activation != "none"
            else Propagation(settings.propagation, generator)
        )
        fixed = self.preparation if self.embedding is None else None
        self.views: PairViews = (
            PairViews(graph, settings.head, fixed, self.propagation.fixed_operator) if beside is None else beside.views
        )
        view = self.views.first_view
        made = None if view is None or beside is not None else PairReader(graph, view, generator)
        self.pair_reader: PairReader | None
        self._keep_or_borrow("pair_reader", made if beside is None else beside.pair_reader, beside)
        self.head = build_head(self.width, settings.head, generator, self.noise, self.z_columns)
        self._check_columns()

    def _keep_or_borrow(self, name: str, module: nn.Module | None, lender: HLGNN | None) -> None:
        """Set a module; one that another model keeps is no part of the state of this one."""
        if lender is None:
            setattr(self, name, module)
        else:
            vars(self)[name] = module

    def slow_parameters(self) -> list[nn.Parameter]:
        """β, and α if operators are learned."""
        named = (self.propagation.beta, self.propagation.alpha)
        return [each for each in named if each is not None and each.requires_grad]

    def column_shares(self) -> dict[str, tuple[int, Columns]]:
        """Weights that processes hold parts of: those that make columns of Z, and the first that read them."""
        if self.z_columns.group.alone:
            return {}
        shares = {f"head.{name}": share for name, share in self.head.column_shares().items()}
        if self.embedding is not None:
            shares["embedding"] = (1, self.vector_columns)
        if self.linear is not None:
            shares |= {"linear.weight": (0, self.z_columns), "linear.bias": (0, self.z_columns)}
        return shares

    def parameters_of_columns(self) -> list[nn.Parameter]:
        """β and α act on all columns: each process has a part of their gradients; one has that of read numbers."""
        if self.z_columns.group.alone:
            return []
        regressed = self.head.regressed if isinstance(self.head, MLPHead) else None
        return [*self.propagation.parameters(), *([] if regressed is None else [regressed])]

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
        view = self.views.of(graph, messages.normalized)
        if features is not None and (path == "once" or self._own_inputs(features)):
            features = self._own_features(features)
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

    def remember(self, prepared: Prepared, most: int) -> None:
        """Numbers of pairs, which do not depend on what is learned."""
        if prepared.view is not None:
            prepared.view.known.most = most

    def product_form(self, state: Encoded) -> ProductForm | None:
        """All scores as one matrix product, for the heads ``dot``, ``cosine`` and ``diagonal``."""
        if isinstance(self.head, MLPHead | ResidualHead):
            return None
        form = self.head.product_form(state.whole())
        return replace(form, low=self.training and self.settings.precision == "bfloat16")

    def encoded(self, state: Encoded) -> tuple[Tensor, ...] | None:
        """Z, if there is one, and if the head does not bring all its rows to length one first."""
        whole = state.z is None or isinstance(self.head, CosineHead | ResidualHead)
        return None if whole else (cast("Tensor", state.z),)

    def with_encoded(self, state: Encoded, tensors: tuple[Tensor, ...]) -> Encoded:
        """The same numbers of pairs with another Z."""
        return replace(state, z=tensors[0])

    def score(self, state: Encoded, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        return self.logits(state, pairs, self.numbers(state, pairs))

    def numbers(self, state: Encoded, pairs: Tensor) -> Tensor | None:
        """What the head reads of every pair beside Z, if it does; the first of several processes has it.  -> (P, C)"""
        if self.pair_reader is None or state.view is None or self.z_columns.group.rank != 0:
            return None
        numbers: Tensor = self.pair_reader(state.view, pairs)
        return numbers

    def logits(self, state: Encoded, pairs: Tensor, numbers: Tensor | None) -> Tensor:
        """The same from numbers of the pairs that are known.  (P, 2), (P, C) -> (P,)"""
        if isinstance(self.head, CosineHead | ResidualHead):
            return self.head.of_units(*state.ends(pairs, unit=True), numbers)
        score: Tensor = self.head(*state.ends(pairs), numbers)
        return score

    def inputs(self, prepared: Prepared) -> Tensor | csr_array:
        """X before the linear layer; dropout applies to what is dense and to stored entries of what is sparse."""
        features, own = prepared.features, self._own_inputs(prepared.features)
        dropout = self.own_dropout if own else self.dropout
        if features is not None and not isinstance(features, Tensor):
            if self.training and dropout.share:
                features = features.copy()
                features.data = dropout(torch.from_numpy(features.data)).numpy()
            if self.embedding is None:
                return features
            return torch.cat([torch.from_numpy(features.toarray()), self._vectors(self.embedding, own=own)], dim=1)
        if features is not None and self.embedding is not None and not own and not self.z_columns.group.alone:
            return torch.cat([dropout(features), self._vectors(self.embedding, own=own)], dim=1)
        if features is None and self.embedding is not None:
            return self._vectors(self.embedding, own=own)
        parts = [part for part in (features, self.embedding) if part is not None]
        dropped: Tensor = dropout(parts[0] if len(parts) == 1 else torch.cat(parts, dim=1))
        return dropped

    def _vectors(self, embedding: Tensor, *, own: bool) -> Tensor:
        """Learned vectors as they are read: the columns of this process, or all of them.  (N, own) -> (N, F)"""
        dropped: Tensor = self.own_dropout(embedding)
        return dropped if own else self.vector_columns.gathered(dropped, "input")

    def _own_inputs(self, features: Tensor | csr_array | None) -> bool:
        """Whether a process reads its own columns of X only: without a linear layer, or where X is propagated."""
        dense = isinstance(features, Tensor) or self.embedding is not None
        return self.linear is None or (dense and self._narrow_first(self.input_width))

    def _own_features(self, features: Tensor | csr_array) -> Tensor | csr_array:
        """The columns of this process.  (N, F) -> (N, own)"""
        if self.z_columns.group.alone:
            return features
        if isinstance(features, Tensor):
            return self.feature_columns.keep(features, 1)
        return csr_array(features[:, self.feature_columns.own.numpy()])

    def hidden(self, x: Tensor | csr_array) -> Tensor:
        """X W + b, or X itself without a linear layer.  (N, F) -> (N, H)"""
        if isinstance(x, Tensor):
            return x if self.linear is None else cast("Tensor", self.linear(x))
        if self.linear is None:
            return torch.from_numpy(x.toarray())
        return sparse_product(x, self.linear.weight.T) + self.linear.bias

    def _propagated(self, prepared: Prepared) -> Tensor:
        x = self.inputs(prepared)
        if isinstance(x, Tensor) and self._narrow_first(self.input_width):
            # H (X W + 1 bᵀ) = [H X, H 1] [W; bᵀ]: the narrower side is propagated.
            ones = torch.ones(len(x), 1, dtype=x.dtype)
            z = self._filtered(prepared, torch.cat([x, ones], dim=1))
            return self.transformed(z)
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
        """Whether an X of that width is narrower than what the linear layer makes of it."""
        linear_layers = self.linear is not None and isinstance(self.propagation, Propagation)
        return linear_layers and width + 1 < self.width

    def transformed(self, z: Tensor) -> Tensor:
        """[H X, H 1] [W; bᵀ], or H X without a linear layer.  (R, F + 1) -> (R, H)

        Every column of X W reads all columns of H X: processes that hold some of them gather the others.
        """
        if self.linear is None:
            return z[:, :-1]
        hx = self.input_columns.gathered(z[:, :-1], "input")  # (R, F)
        return matrix_product(hx, self.linear.weight.T) + z[:, -1:] * self.linear.bias

    def _stack(self, messages: Messages, x: Tensor | csr_array) -> Tensor:
        dense = x if isinstance(x, Tensor) else torch.from_numpy(x.toarray())
        rows = torch.cat([dense, torch.ones(len(dense), 1, dtype=dense.dtype)], dim=1)  # (N, F + 1)
        operator = cast("Tensor", self.propagation.fixed_operator)  # without one the path is another
        depth, preparation = self.settings.propagation.depth, self.preparation
        room = None
        if preparation is not None and preparation.mapped:
            room = mapped_zeros((len(rows), depth + 1, rows.shape[1]), rows.dtype, preparation.folder)
        stack = stack_orders(messages.normalized, operator, depth, rows, room)
        return stack.sub_(stack.mean(dim=0)) if self.settings.propagation.centre else stack

    def _check_columns(self) -> None:
        """Refuse what cannot be computed column by column."""
        group = self.z_columns.group
        if group.size > self.width:
            raise SettingsError(
                f"{group.size} processes cannot share {self.width} columns.",
                where="--shard",
                hint="Use fewer processes, or --shard pairs.",
            )
        if not group.alone and self.settings.propagation.transformation:
            raise SettingsError(
                "A matrix in every layer mixes columns, so that processes cannot propagate them apart.",
                where="--shard",
                hint="Use --shard pairs, or set propagation.transformation = false.",
            )

    def check(self, graph: Graph) -> None:
        """Refuse a graph that the model was not made for."""
        if self.embedding is not None and graph.num_nodes != len(self.embedding):
            raise SettingsError(
                f"The model has learned vectors for {len(self.embedding)} nodes, but the graph has {graph.num_nodes}.",
                hint="Use it on the graph that it was trained on, or train with input.source = 'features'.",
            )
        if self.preparation is not None and graph.features is None:
            raise SettingsError("The model reads node features, and the graph has none.", hint="Give a features file.")


def _own_noise(noise: torch.Generator, group: Group) -> torch.Generator:
    """Where the dropout of own columns draws from: masks of other columns are other ones."""
    return torch.Generator().manual_seed(noise.initial_seed() + 1 + group.rank)


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
    columns=True,
)
