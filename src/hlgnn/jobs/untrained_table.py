"""What predictors that learn nothing reach under each protocol, over several seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.data import PROTOCOLS, make_split
from hlgnn.evaluation import feature_cosine, metric, score_links
from hlgnn.formulation import parse, score_table
from hlgnn.jobs.seed_values import SeedValues
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from hlgnn.data import Dataset, Split


@dataclass(frozen=True)
class UntrainedCell:
    """One predictor under one protocol.

    Attributes:
        predictor: Its name.
        protocol: The name of the protocol.
        metric: What it is measured in.
        values: The value of each seed, from 0 to 1.
    """

    predictor: str
    protocol: str
    metric: str
    values: SeedValues


def untrained_table(
    dataset: Dataset,
    heuristics: Sequence[str],
    protocols: Sequence[str],
    seeds: Sequence[int],
    *,
    progress: Progress = silent,
) -> list[UntrainedCell]:
    """Score heuristics, and the cosine of features, on the test links of a fresh split for each protocol and seed."""
    total = len(protocols) * len(seeds)
    values: dict[tuple[str, str, str], list[float]] = {}
    progress("Scoring", 0, total)
    for number, (name, seed) in enumerate((name, seed) for name in protocols for seed in seeds):
        split = make_split(dataset, PROTOCOLS[name], seed)
        for predictor, scores in _scores(split, heuristics).items():
            measure = metric(PROTOCOLS[name].metric_for(dataset.metric))
            values.setdefault((predictor, name, measure.name), []).append(measure(*scores))
        progress("Scoring", number + 1, total)
    return [UntrainedCell(*place, SeedValues(found)) for place, found in values.items()]


def _scores(split: Split, heuristics: Sequence[str]) -> dict[str, tuple[Tensor, Tensor]]:
    """The scores of positives and negatives by each predictor; without self-loops, as networkx counts."""
    count, shape = len(split.test.positive), split.test.negative.shape[:-1]
    pairs = torch.cat([split.test.positive, split.test.negative.reshape(-1, 2)])
    parsed = {name: parse(name, self_loops=False) for name in heuristics}
    scores = score_table(split.test_graph, pairs, parsed)
    found = {name: (score[:count], score[count:].view(shape)) for name, score in scores.items()}
    if split.test_graph.features is not None:
        found["feature-cosine"] = score_links(feature_cosine, split.test_graph, split.test)
    return found
