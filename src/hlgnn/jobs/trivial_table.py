"""What predictors that learn nothing reach under each protocol, over several seeds."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from hlgnn.data import PROTOCOLS, make_split
from hlgnn.evaluation import TRIVIAL, metric, score_links
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.data import Dataset


@dataclass(frozen=True)
class TrivialCell:
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
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over seeds."""
        return fmean(self.values)

    @property
    def deviation(self) -> float:
        """The standard deviation over seeds, zero for one seed."""
        return stdev(self.values) if len(self.values) > 1 else 0.0


def trivial_table(
    dataset: Dataset, protocols: Sequence[str], seeds: Sequence[int], *, progress: Progress = silent
) -> list[TrivialCell]:
    """Score every trivial predictor on the test links of a fresh split for each protocol and seed."""
    measure, total = metric(dataset.metric), len(protocols) * len(seeds)
    values: dict[tuple[str, str], list[float]] = {}
    progress("Scoring", 0, total)
    for number, (name, seed) in enumerate((name, seed) for name in protocols for seed in seeds):
        split = make_split(dataset, PROTOCOLS[name], seed)
        for predictor in TRIVIAL:
            if predictor == "feature-cosine" and dataset.graph.features is None:
                continue
            scores = score_links(TRIVIAL[predictor], split.test_graph, split.test)
            values.setdefault((predictor, name), []).append(measure(*scores))
        progress("Scoring", number + 1, total)
    return [TrivialCell(predictor, name, measure.name, tuple(found)) for (predictor, name), found in values.items()]
