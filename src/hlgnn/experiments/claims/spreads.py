"""Scores over seeds, and when one is above another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.data import PROTOCOLS
from hlgnn.experiments.entries import LEAST_SEEDS
from hlgnn.experiments.methods import dataset_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hlgnn.experiments.claims.verdict import Finding
    from hlgnn.experiments.outcomes import CellOutcome, Outcomes, Spread

NOISE = 2.0
"""Standard errors of a difference that count as noise."""


def score(outcome: CellOutcome | None) -> Spread | None:
    """The metric of the data set of a cell, in percent, if there are enough seeds."""
    metric = None if outcome is None else outcome.first("metric")
    found = outcome.spread("test", metric, scale=100.0) if outcome is not None and metric else None
    return found if found is not None and len(found.values) >= LEAST_SEEDS else None


def scores(outcomes: Outcomes, dataset: str, protocol: str) -> dict[str, Spread]:
    """The score of every row of a data set under a protocol, in percent, of however many seeds."""
    metric = PROTOCOLS[protocol].metric_for(DATASETS[dataset].metric)
    cells = [each for each in outcomes if each.cell.part == protocol and each.cell.column == dataset_title(dataset)]
    spreads = {each.cell.row: each.spread("test", metric, scale=100.0) for each in cells}
    return {row: spread for row, spread in spreads.items() if spread is not None}


def number(outcome: CellOutcome | None, *path: str) -> float | None:
    """The mean of a number over the seeds, if there is one."""
    found = outcome.spread(*path) if outcome is not None else None
    return None if found is None else found.mean


def above(ours: Spread, other: Spread, least: float = NOISE) -> bool:
    """Whether ours is more than so many standard errors above; with a negative number, whether it is not below."""
    difference = ours.mean - other.mean
    bound = least * error_of_difference(ours, other)
    return difference > bound if least > 0 else difference >= bound


def error_of_difference(ours: Spread, other: Spread) -> float:
    """The standard error of the difference of two means."""
    found: float = (ours.error**2 + other.error**2) ** 0.5
    return found


def best(rivals: Mapping[str, Spread]) -> tuple[str, Spread]:
    """The one with the largest mean."""
    return max(rivals.items(), key=lambda each: each[1].mean)


def beside(where: str, ours: Spread | None, rivals: Mapping[str, Spread], least: float = -NOISE) -> Iterator[Finding]:
    """Whether ours is at least so many standard errors above the best other one; nothing if there is none."""
    if ours is not None and rivals:
        name, other = best(rivals)
        yield above(ours, other, least), f"{where} {ours.mean:.1f} beside {other.mean:.1f} ({name})"
