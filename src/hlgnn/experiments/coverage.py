"""How much of an experiment is stored, and what the rest would need as far as that is known."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hlgnn.experiments.experiment import Experiment, Scale
    from hlgnn.experiments.outcomes import CellOutcome
    from hlgnn.experiments.store import ResultStore

ABSENT = "not run: the files of the data set are not there"
"""Why the cells of a data set are left out that nobody has put into the data folder."""


@dataclass(frozen=True)
class Coverage:
    """The cells of an experiment, each counted once, and what they hold.

    Attributes:
        cells: All of them; what is not in one of the next four has neither a result nor a reason.
        complete: With every seed.
        begun: With some seeds.
        skipped: Without a result, and with a reason that is not the next one.
        absent: Without a result, since the files of their data set are not there.
        results: Results that there would be.
        stored: Results that there are.
        seconds: What the missing ones would need on one thread, of those for which it is known.
    """

    cells: int = 0
    complete: int = 0
    begun: int = 0
    skipped: int = 0
    absent: int = 0
    results: int = 0
    stored: int = 0
    seconds: float = 0.0


def coverage_of(experiment: Experiment, store: ResultStore, scale: Scale) -> Coverage:
    """What the store holds of an experiment."""
    outcomes = list(store.outcomes(experiment, scale))
    unfinished = [each for each in outcomes if each.missing]
    empty = [each for each in unfinished if not each.results]
    absent = sum(each.skipped == ABSENT for each in empty)
    return Coverage(
        cells=len(outcomes),
        complete=len(outcomes) - len(unfinished),
        begun=len(unfinished) - len(empty),
        skipped=sum(bool(each.skipped) for each in empty) - absent,
        absent=absent,
        results=sum(len(each.cell.seeds) for each in outcomes),
        stored=sum(len(each.results) for each in outcomes),
        seconds=sum(len(each.missing) * (known_seconds(each, store)[0] or 0.0) for each in unfinished),
    )


def known_seconds(outcome: CellOutcome, store: ResultStore) -> tuple[float | None, str]:
    """What a seed of a cell would need on one thread, and where that is known from; ``None`` if it is not."""
    stored = [each["seconds"] for each in outcome.documents.values() if each.get("seconds")]
    if stored:
        return statistics.mean(stored), "stored seeds"
    kept = (store.skipped(outcome.cell) or {}).get("seconds")
    return (kept, "an earlier run or estimate") if kept else (None, "")
