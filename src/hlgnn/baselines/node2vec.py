"""Node2vec: vectors from second-order random walks by skip-gram with negative sampling, fixed, and a head on them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from hlgnn.baselines.skip_gram.model import SkipGramModel
from hlgnn.baselines.skip_gram.settings import SkipGramSettings
from hlgnn.baselines.skip_gram.walks import WalkRule
from hlgnn.models.card import ModelCard


class Node2vecSettings(SkipGramSettings):
    """The settings of DeepWalk and where walks lean to.

    Attributes:
        p: The larger, the less often a walk returns to where it came from.
        q: The larger, the more a walk stays near where it came from.
    """

    p: Annotated[float, Field(gt=0)] = 1.0
    q: Annotated[float, Field(gt=0)] = 1.0

    @property
    def walk_rule(self) -> WalkRule:
        """How walks go."""
        return WalkRule(self.walk_length, self.p, self.q)


CARD = ModelCard(
    name="node2vec",
    title="Node2vec",
    settings=Node2vecSettings,
    build=SkipGramModel,
    citation="Grover and Leskovec, KDD 2016",
    by_place=True,
)
