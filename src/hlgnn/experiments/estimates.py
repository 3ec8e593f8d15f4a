"""What missing results would need, each reckoned from a few steps in a process of its own; nothing is trained."""

from __future__ import annotations

import multiprocessing
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import make_folder
from hlgnn.experiments.coverage import known_seconds
from hlgnn.experiments.runner import holds, no_cell, process_kind
from hlgnn.experiments.tasks import TRAINING
from hlgnn.experiments.worker import foresee
from hlgnn.progress import Progress, silent
from hlgnn.report.numbers import duration

if TYPE_CHECKING:
    from collections.abc import Iterable
    from multiprocessing.connection import Connection

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.experiment import Experiment, Scale
    from hlgnn.experiments.outcomes import CellOutcome
    from hlgnn.experiments.store import ResultStore

WATCHED = 20.0
PATIENCE = 15.0
"""How many times the watched seconds a cell may take to prepare, make its steps and be evaluated."""

SECONDS_BETWEEN_LOOKS, INTERRUPTED = 0.2, "interrupted"


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

    Raises:
        SettingsError: If no cell holds the text of ``only``.
        OutputError: If the store cannot be written to.
    """
    asked = {cell.folder: cell for each in experiments for cell in each.cells(scale) if holds(cell, only)}
    if only and not asked:
        raise no_cell(only)
    missing = [outcome for cell in asked.values() if (outcome := store.outcome(cell)).missing]
    if missing:
        make_folder(store.folder)
    found: list[Need] = []
    ended = threading.Event()
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        try:
            for need in pool.map(lambda outcome: _need(outcome, store, watched, jobs, ended), missing):
                found.append(need)
                progress("Estimates", len(found), len(missing))
        except BaseException:
            ended.set()
            raise
    return found


def _need(outcome: CellOutcome, store: ResultStore, watched: float, jobs: int, ended: threading.Event) -> Need:
    cell = outcome.cell
    place = f"{cell.part} {cell.row}, {cell.column}".strip()
    known, source = known_seconds(outcome, store)
    if known is not None:
        return Need(place, len(outcome.missing), known, source)
    if cell.task != TRAINING.name:
        return Need(place, len(outcome.missing), None, "only training is reckoned")
    seconds, problem = _measured(cell, watched, jobs, ended)
    if not problem:
        store.skip(cell, {"reason": _reason(seconds, PATIENCE * watched), "budget": 0.0, "seconds": seconds})
    return Need(place, len(outcome.missing), seconds, problem or "a few steps")


def _measured(cell: Cell, watched: float, jobs: int, ended: threading.Event) -> tuple[float | None, str]:
    """Seconds, or ``None`` where a process has not come to an answer in time; and what went wrong."""
    if ended.is_set():
        return None, INTERRUPTED
    context = process_kind()
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = context.Process(target=foresee, args=(cell, watched, jobs, theirs))
    process.start()
    theirs.close()
    with ours:
        told = _answer(ours, time.monotonic() + PATIENCE * watched, ended)
    process.kill()
    process.join()
    return told.get("seconds"), told.get("failed", "")


def _answer(pipe: Connection, until: float, ended: threading.Event) -> dict[str, Any]:
    """What the process tells, or nothing if its time is over."""
    while not pipe.poll(SECONDS_BETWEEN_LOOKS):
        if ended.is_set():
            return {"failed": INTERRUPTED}
        if time.monotonic() > until:
            return {}
    try:
        told: dict[str, Any] = pipe.recv()
    except EOFError:
        return {"failed": "The process ended without an answer."}
    return told


def _reason(seconds: float | None, waited: float) -> str:
    if seconds is None:
        return f"not run: to prepare it and a few steps take more than {duration(waited)}"
    return f"not run: would need up to about {duration(seconds)} for each seed, reckoned from a few steps"
