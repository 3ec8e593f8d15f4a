"""What missing results would need, each reckoned from a few steps in a process of its own; nothing is trained."""

from __future__ import annotations

import multiprocessing
import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.experiments.runner import holds, process_kind
from hlgnn.experiments.tasks import TRAINING
from hlgnn.experiments.worker import foresee
from hlgnn.progress import Progress, silent
from hlgnn.report.numbers import duration

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.experiment import Experiment, Scale
    from hlgnn.experiments.outcomes import CellOutcome
    from hlgnn.experiments.store import ResultStore

WATCHED = 20.0
PATIENCE = 15.0
"""How many times the watched seconds a cell may take to prepare, make its steps and be evaluated."""


@dataclass(frozen=True)
class Need:
    """What a cell would need.

    Attributes:
        place: Protocol, row and column.
        seeds: How many of its seeds are missing.
        seconds: For each of them at most, if that is known.
        source: Where the figure comes from, or why there is none.
    """

    place: str
    seeds: int
    seconds: float | None
    source: str

    @property
    def total(self) -> float:
        """For all seeds that are missing, as far as known."""
        return self.seeds * (self.seconds or 0.0)


def estimate_experiments(
    experiments: Iterable[Experiment],
    store: ResultStore,
    scale: Scale,
    *,
    jobs: int = 1,
    only: str = "",
    watched: float = WATCHED,
    progress: Progress = silent,
) -> list[Need]:
    """What the seeds that are missing would need; a cell without any result is marked so in the store.

    Seconds come from seeds that are stored, from what an earlier run or estimate has kept, or from a few steps.

    Args:
        experiments: Tables and figures; cells that they share count once.
        store: Where results are kept.
        scale: Of which size.
        jobs: Processes at once.
        only: Of these cells only, as for a run.
        watched: Seconds in which steps are made.
        progress: Told of cells that are done.
    """
    asked = {cell.folder: cell for each in experiments for cell in each.cells(scale) if holds(cell, only)}
    missing = [outcome for cell in asked.values() if (outcome := store.outcome(cell)).missing]
    found: list[Need] = []
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        for need in pool.map(lambda outcome: _need(outcome, store, watched, jobs), missing):
            found.append(need)
            progress("Estimates", len(found), len(missing))
    return found


def _need(outcome: CellOutcome, store: ResultStore, watched: float, jobs: int) -> Need:
    cell = outcome.cell
    place = f"{cell.part} {cell.row}, {cell.column}".strip()
    stored = [each["seconds"] for each in outcome.documents.values() if each.get("seconds")]
    if stored:
        return Need(place, len(outcome.missing), statistics.mean(stored), "stored seeds")
    kept = (store.skipped(cell) or {}).get("seconds")
    if kept:
        return Need(place, len(outcome.missing), kept, "an earlier run or estimate")
    if cell.task != TRAINING.name:
        return Need(place, len(outcome.missing), None, "only training is reckoned")
    seconds, problem = _measured(cell, watched, jobs)
    if not problem:
        store.skip(cell, {"reason": _reason(seconds, PATIENCE * watched), "budget": 0.0, "seconds": seconds})
    return Need(place, len(outcome.missing), seconds, problem or "a few steps")


def _measured(cell: Cell, watched: float, jobs: int) -> tuple[float | None, str]:
    """Seconds, or ``None`` where a process has not come to an answer in time; and what went wrong."""
    context = process_kind()
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = context.Process(target=foresee, args=(cell, watched, jobs, theirs))
    process.start()
    theirs.close()
    told: dict[str, Any] = {}
    with ours:
        try:
            told = ours.recv() if ours.poll(PATIENCE * watched) else {"seconds": None}
        except EOFError:
            told = {"failed": "The process ended without an answer."}
    process.kill()
    process.join()
    return told.get("seconds"), told.get("failed", "")


def _reason(seconds: float | None, waited: float) -> str:
    if seconds is None:
        return f"not run: to prepare it and a few steps take more than {duration(waited)}"
    return f"not run: would need up to about {duration(seconds)} for each seed, reckoned from a few steps"
