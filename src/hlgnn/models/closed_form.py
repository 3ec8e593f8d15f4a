"""Regression of the graph on itself as a method of its own: an operator learned in closed form, and no training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import torch
from pydantic import Field
from torch import Tensor

from hlgnn.models.card import ModelCard
from hlgnn.models.link_model import LinkModel
from hlgnn.models.pair_features import neighborhoods
from hlgnn.models.regression import GraphRegression, graph_regression
from hlgnn.settings import Settings

if TYPE_CHECKING:
    from hlgnn.graph import Graph

Penalty = Annotated[float, Field(gt=0.0)]


class ClosedFormSettings(Settings):
    """What is fixed beforehand.

    Attributes:
        penalties: λ; of several the best on the validation links is kept.
    """

    penalties: Annotated[tuple[Penalty, ...], Field(min_length=1)] = (
        0.5,
        0.7,
        1.0,
        1.4,
        2.0,
        2.8,
        4.0,
        8.0,
        16.0,
        32.0,
    )


class ClosedForm(LinkModel[GraphRegression, Tensor]):
    """(A B)_ij, where B predicts the links of each node from those of all others."""

    chosen: Tensor

    def __init__(self, graph: Graph, settings: ClosedFormSettings, generator: torch.Generator) -> None:
        super().__init__()
        del graph, generator  # nothing is learned from the one, nothing drawn from the other
        self.settings = settings
        self.register_buffer("chosen", torch.tensor(0))

    @property
    def choices(self) -> int:
        """How many penalties there are to choose from."""
        return len(self.settings.penalties)

    def choose(self, number: int) -> None:
        """Use one of them."""
        self.chosen.fill_(number)

    @torch.no_grad()
    def prepare(self, graph: Graph) -> GraphRegression:
        """What all penalties share."""
        return graph_regression(neighborhoods(graph).pattern, where="--model")

    @torch.no_grad()
    def encode(self, prepared: GraphRegression) -> Tensor:
        """The scores of all pairs with the penalty that is used.  (N, N)"""
        return prepared.explained(self.settings.penalties[int(self.chosen)])

    def score(self, state: Tensor, pairs: Tensor) -> Tensor:
        """Its entries.  (P, 2) -> (P,)"""
        return state[pairs[:, 0], pairs[:, 1]]


CARD = ModelCard(
    name="regression",
    title="Regression on the graph",
    settings=ClosedFormSettings,
    build=ClosedForm,
    citation="after Steck, WWW 2019, with penalties by degree",
    learns=False,
)
