"""HL-GNN without training: the cosine of Z = H X with a fixed, slowly falling β."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import torch
from pydantic import Field
from torch import Tensor
from torch.nn.functional import normalize as unit_rows

from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import SYM
from hlgnn.formulation.propagation import nest
from hlgnn.models.card import ModelCard
from hlgnn.models.features import FeaturePreparation
from hlgnn.models.link_model import LinkModel
from hlgnn.models.product_form import ProductForm
from hlgnn.models.rows import take_rows
from hlgnn.models.settings import InputSettings, Width
from hlgnn.settings import Settings

if TYPE_CHECKING:
    from hlgnn.graph import Graph

Decay = Annotated[float, Field(gt=0.0, le=1.0)]


class ZeroSettings(Settings):
    """What is fixed beforehand.

    Attributes:
        depth: L.
        decays: γ of β_l = γ^l; of several the best on the validation links is kept.
        tf_idf: Whether features that many nodes have count less.
        normalize: Whether rows of features have length one.
        svd: The width that features are reduced to; 0 leaves them as they are.
        signatures: Random columns that stand for features where there are none: inner products of what is propagated
            from them estimate how many weighted walks join two nodes.
    """

    depth: Annotated[int, Field(ge=0, le=1000)] = 20
    decays: Annotated[tuple[Decay, ...], Field(min_length=1)] = (0.9,)
    tf_idf: bool = True
    normalize: bool = True
    svd: Annotated[int, Field(ge=0, le=65_536)] = 0
    signatures: Width = 512


class HLGNNZero(LinkModel[Tensor, Tensor]):
    """cos(z_i, z_j) of Z = Σ γ^l Ã_sym^l X, centred (Eq. 2 with a β that nothing has learned)."""

    chosen: Tensor
    drawn: Tensor | None

    def __init__(self, graph: Graph, settings: ZeroSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.settings = settings
        self.register_buffer("chosen", torch.tensor(0))
        self.preparation: FeaturePreparation | None = None
        if graph.features is not None and graph.num_features:
            chosen = settings.model_dump(include={"tf_idf", "normalize", "svd"})
            self.preparation = FeaturePreparation(graph.features, InputSettings.model_validate(chosen))
        drawn = torch.randn(graph.num_nodes, settings.signatures, generator=generator)
        self.register_buffer("drawn", drawn if self.preparation is None else None)  # (N, signatures)

    @property
    def choices(self) -> int:
        """How many decays there are to choose from."""
        return len(self.settings.decays)

    def choose(self, number: int) -> None:
        """Use one of them."""
        self.chosen.fill_(number)

    @torch.no_grad()
    def prepare(self, graph: Graph) -> Tensor:
        """Unit vectors in the directions of centred rows of H X, for every decay.  (D, N, F)"""
        x = self._inputs(graph)  # (N, F)
        normalized = normalize(graph.adjacency, dtype=x.dtype)
        operators = torch.tensor(SYM, dtype=x.dtype).expand(self.settings.depth, 4)
        orders = torch.arange(self.settings.depth + 1)
        found = []
        for decay in self.settings.decays:
            z = nest(normalized, operators, torch.tensor(decay, dtype=x.dtype) ** orders, x)
            found.append(unit_rows(z - z.mean(dim=0), dim=1))
        return torch.stack(found)

    def encode(self, prepared: Tensor) -> Tensor:
        """Those of the decay that is used.  (N, F)"""
        return prepared[int(self.chosen)]

    def score(self, state: Tensor, pairs: Tensor) -> Tensor:
        """The cosine of every pair.  (P, 2) -> (P,)"""
        return (take_rows(state, pairs[:, 0]) * take_rows(state, pairs[:, 1])).sum(dim=1)

    def product_form(self, state: Tensor) -> ProductForm:
        """All cosines as one matrix product."""
        return ProductForm(state, state, torch.zeros(()))

    def _inputs(self, graph: Graph) -> Tensor:
        if self.preparation is None or graph.features is None:
            assert self.drawn is not None  # noqa: S101 - drawn where there are no features
            return self.drawn
        rows = self.preparation(graph.features)
        return rows if isinstance(rows, Tensor) else torch.from_numpy(rows.toarray()).float()


CARD = ModelCard(
    name="hlgnn-zero",
    title="HL-GNN, untrained",
    settings=ZeroSettings,
    build=HLGNNZero,
    citation="Zhang et al., KDD 2024, with a fixed β",
    learns=False,
)
