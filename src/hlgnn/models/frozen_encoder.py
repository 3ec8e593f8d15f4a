"""A head on a fixed formulation: only the predictor learns (Tables 7 and 11)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.errors import SettingsError
from hlgnn.formulation import Formulation, load_formulation, parse
from hlgnn.models.card import ModelCard
from hlgnn.models.features import FeaturePreparation
from hlgnn.models.head import MLPHead, ResidualHead, build_head
from hlgnn.models.initialization import embedding
from hlgnn.models.link_model import LinkModel
from hlgnn.models.pair_reader import count_numbers
from hlgnn.models.rows import take_rows
from hlgnn.models.settings import HeadSettings, InputSettings
from hlgnn.settings import Settings

if TYPE_CHECKING:
    from hlgnn.graph import Graph
    from hlgnn.models.product_form import ProductForm


class FrozenSettings(Settings):
    """A head on H X.

    Attributes:
        formulation: H: a heuristic such as ``rwr:alpha=0.8,order=20``, or a TOML file such as the ``formulation.toml``
            of a finished run.
        input: X; a linear layer and dropout have no place here.
        centre: Whether Z gets the mean zero over all nodes.
        head: What learns.
    """

    formulation: str = "rwr:order=20"
    input: InputSettings = InputSettings(hidden=0)
    centre: bool = False
    head: HeadSettings = HeadSettings()


class FrozenEncoder(LinkModel[Tensor, Tensor]):
    """Scores with a fixed Z = H X (Sect. 5.4); the encoder is one product, computed once."""

    def __init__(self, graph: Graph, settings: FrozenSettings, generator: torch.Generator) -> None:
        super().__init__()
        if count_numbers(settings.head):
            raise SettingsError(
                "A frozen encoder reads representations only.", where="head.pair_features, head.order_matrix"
            )
        if settings.input.hidden or settings.input.dropout:
            raise SettingsError("A frozen encoder has no linear layer and no dropout.", where="input.hidden")
        self.settings, self.formulation = settings, find_formulation(settings.formulation)
        self.noise = torch.Generator().manual_seed(int(torch.randint(1 << 62, (1,), generator=generator)))
        self.preparation: FeaturePreparation | None = None
        self.vectors: nn.Parameter | None = None
        width = 0
        if settings.input.source != "embedding":
            if graph.features is None:
                raise SettingsError("The graph has no node features.", where="input.source")
            self.preparation = FeaturePreparation(graph.features, settings.input)
            width += self.preparation.width
        if settings.input.source != "features":
            rows = embedding(graph.num_nodes, settings.input.embedding_width, settings.input.embedding_init, generator)
            self.vectors = nn.Parameter(rows, requires_grad=False)
            width += settings.input.embedding_width
        self.head = build_head(width, settings.head, generator, self.noise)

    @torch.no_grad()
    def prepare(self, graph: Graph) -> Tensor:
        """Z = H X.  (N, F)"""
        parts: list[Tensor] = [] if self.vectors is None else [self.vectors]
        if self.preparation is not None and graph.features is not None:
            rows = self.preparation(graph.features)
            parts.insert(0, rows if isinstance(rows, Tensor) else torch.from_numpy(rows.toarray()))
        z = self.formulation.apply(graph, torch.cat(parts, dim=1))
        return z - z.mean(dim=0) if self.settings.centre else z

    def encode(self, prepared: Tensor) -> Tensor:
        """Nothing is left to do."""
        return prepared

    def product_form(self, state: Tensor) -> ProductForm | None:
        """All scores as one matrix product, for the heads ``dot``, ``cosine`` and ``diagonal``."""
        return None if isinstance(self.head, MLPHead | ResidualHead) else self.head.product_form(state)

    def score(self, state: Tensor, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        score: Tensor = self.head(take_rows(state, pairs[:, 0]), take_rows(state, pairs[:, 1]))
        return score


def find_formulation(text: str) -> Formulation:
    """A heuristic by its request, or a formulation from a TOML file.

    Raises:
        SettingsError: If the heuristic is not of the form H = Σ β_l A_1 ⋯ A_l.
    """
    found = load_formulation(Path(text)) if text.endswith(".toml") else parse(text)
    if not isinstance(found, Formulation):
        raise SettingsError(
            f"{text} is no formulation with a fixed number of layers.",
            where="model.formulation",
            hint="Give an order, such as 'rwr:order=20', or a heuristic of Table 2.",
        )
    return found


CARD = ModelCard(
    name="frozen",
    title="Head on a fixed formulation",
    settings=FrozenSettings,
    build=FrozenEncoder,
    citation="Zhang et al., KDD 2024, Tables 7 and 11",
)
