"""DeepWalk: vectors from uniform random walks by skip-gram with negative sampling, fixed, and a head on them."""

from __future__ import annotations

from hlgnn.baselines.skip_gram.model import SkipGramModel
from hlgnn.baselines.skip_gram.settings import SkipGramSettings
from hlgnn.models.card import ModelCard

CARD = ModelCard(
    name="deepwalk",
    title="DeepWalk",
    settings=SkipGramSettings,
    build=SkipGramModel,
    citation="Perozzi et al., KDD 2014; negative sampling as Mikolov et al., NIPS 2013",
    by_place=True,
)
