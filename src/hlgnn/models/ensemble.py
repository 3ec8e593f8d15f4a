"""Several HL-GNNs that read the same numbers: the mean of their logits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import torch
from pydantic import Field
from torch import Tensor, nn

from hlgnn.models.card import ModelCard
from hlgnn.models.encoded import Encoded
from hlgnn.models.hlgnn import HLGNN, Prepared
from hlgnn.models.link_model import LinkModel
from hlgnn.models.settings import HLGNNSettings

if TYPE_CHECKING:
    from hlgnn.graph import Graph


class EnsembleSettings(HLGNNSettings):
    """HL-GNN, several times.

    Attributes:
        members: How many.
    """

    members: Annotated[int, Field(ge=1, le=100)] = 5


class HLGNNEnsemble(LinkModel[Prepared, tuple[Encoded, ...]]):
    """The mean logit of members that differ in first weights and dropout, each of which learns from its own loss.

    What a message graph is prepared to, and what is read of a pair, depends on nothing that is learned: it is computed
    once for all members. Five of them take 2.4 times as long as one on Cora.

    Args:
        graph: The graph to learn on.
        settings: Those of every member, and how many there are.
        generator: Where first weights come from.
    """

    def __init__(self, graph: Graph, settings: EnsembleSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.settings = settings
        self.first = HLGNN(graph, settings, generator)
        others = range(settings.members - 1)
        self.others = nn.ModuleList(HLGNN(graph, settings, generator, beside=self.first) for _ in others)

    @property
    def members(self) -> list[HLGNN]:
        """All of them."""
        return [self.first, *(cast("HLGNN", each) for each in self.others)]

    def prepare(self, graph: Graph) -> Prepared:
        """What a member makes of a graph serves all of them."""
        return self.first.prepare(graph)

    def encode(self, prepared: Prepared) -> tuple[Encoded, ...]:
        """Z of every member, each with a β of its own."""
        return tuple(each.encode(prepared) for each in self.members)

    def score(self, state: tuple[Encoded, ...], pairs: Tensor) -> Tensor:
        """The mean of all logits.  (P, 2) -> (P,)"""
        return torch.stack(self.trained_scores(state, pairs)).mean(dim=0)

    def trained_scores(self, state: tuple[Encoded, ...], pairs: Tensor) -> tuple[Tensor, ...]:
        """The logits of each member, from the same numbers.  (P, 2) -> (P,), …"""
        numbers = self.first.numbers(state[0], pairs)  # (P, C)
        return tuple(each.logits(own, pairs, numbers) for each, own in zip(self.members, state, strict=True))

    def remember(self, prepared: Prepared, most: int) -> None:
        """Numbers of pairs, which are those of all members."""
        self.first.remember(prepared, most)

    def slow_parameters(self) -> list[nn.Parameter]:
        """β and α of every member."""
        return [parameter for each in self.members for parameter in each.slow_parameters()]


CARD = ModelCard(
    name="hlgnn-ensemble",
    title="HL-GNN, ensemble",
    settings=EnsembleSettings,
    build=HLGNNEnsemble,
    citation="Zhang et al., KDD 2024, several at once",
    presets_of="hlgnn",
)
