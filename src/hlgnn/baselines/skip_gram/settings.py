"""What can be chosen about vectors from random walks, and about what is made of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from hlgnn.baselines.skip_gram.skip_gram import SkipGramRule
from hlgnn.baselines.skip_gram.walks import WalkRule
from hlgnn.models.settings import HeadSettings, Share, Width
from hlgnn.settings import Settings

Count = Annotated[int, Field(ge=1)]


class SkipGramSettings(Settings):
    """Uniform walks, skip-gram, and a head.

    Attributes:
        width: How long vectors are.
        walk_length: How many nodes a walk has.
        walks_per_node: How many walks start at each node in an epoch.
        epochs: How often that is repeated, with fresh walks.
        window: The largest distance in a walk between two nodes that belong together.
        negatives: Noise nodes for each place of a walk.
        noise_power: Noise nodes are drawn with how often walks visit them to this power.
        rate: The rate of the first step of skip-gram; it falls linearly to nought.
        features: Whether the encoder reads node features beside the vectors.
        encoder_layers: Linear layers between the vectors and the head; 0 gives the vectors to the head.
        encoder_width: How wide they are.
        encoder_dropout: The share of hidden units that are dropped between them in training.
        head: The score of a pair.
    """

    width: Width = 128
    walk_length: Annotated[int, Field(ge=2, le=10_000)] = 20
    walks_per_node: Count = 10
    epochs: Count = 1
    window: Count = 5
    negatives: Count = 5
    noise_power: float = 0.75
    rate: Annotated[float, Field(gt=0)] = 0.025
    features: bool = False
    encoder_layers: Annotated[int, Field(ge=0, le=16)] = 0
    encoder_width: Width = 256
    encoder_dropout: Share = 0.0
    head: HeadSettings = HeadSettings(kind="cosine")

    @model_validator(mode="after")
    def _features_are_encoded(self) -> SkipGramSettings:
        if self.features and self.encoder_layers == 0:
            raise ValueError("features are read by the encoder: set encoder_layers to one or more")
        return self

    @property
    def walk_rule(self) -> WalkRule:
        """How walks go."""
        return WalkRule(self.walk_length)

    @property
    def skip_gram_rule(self) -> SkipGramRule:
        """How vectors are learned from them."""
        turns = self.walks_per_node * self.epochs
        return SkipGramRule(self.width, self.window, self.negatives, self.noise_power, turns, self.rate)
