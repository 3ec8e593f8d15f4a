"""Run the cells of an experiment that are not in the store yet, several at once, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import re
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import make_folder
from hlgnn.errors import SettingsError
from hlgnn.experiments.cell_limit import FAR_BEYOND, CellLimit
from hlgnn.experiments.coverage import ABSENT
from hlgnn.experiments.worker import work
from hlgnn.progress import Progress, silent
from hlgnn.report.numbers import duration

if TYPE_CHECKING:
    from collections.abc import Iterable
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.experiment import Experiment, Scale
    from hlgnn.experiments.store import ResultStore

SECONDS_BETWEEN_LOOKS = 2.0
LEAST_SHARE, LEAST_STEPS = 0.02, 3
"""A share of the work, or so many of its steps, from which the whole is reckoned."""


@dataclass(frozen=True)
class Failure:
    """A cell that ended without a result.

    Attributes:
        place: Row, column and seed.
        reason: What went wrong.
    """

    place: str
    reason: str


@dataclass
class RunReport:
    """What a run did.

    Attributes:
        kept: Results that were there already.
        made: Results that it made.
        skipped: Cells that do not fit into the budget, with the reason.
        failures: Cells that ended without a result.
    """

    kept: int = 0
    made: int = 0
    skipped: list[Failure] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def run_experiments(
    experiments: Iterable[Experiment],
    store: ResultStore,
    scale: Scale,
    *,
    jobs: int = 1,
    only: str = "",
    seeds: int | None = None,
    budget: float | None = None,
    progress: Progress = silent,
) -> RunReport:
    """Make what is missing; what is there is kept, so that a run that was ended goes on where it was.

    Args:
        experiments: Tables and figures; cells that they share are run once.
        store: Where results are kept.
        scale: How much to run.
        jobs: Processes at once; each has its share of the processors, unless ``OMP_NUM_THREADS`` says otherwise.
        only: Run those cells only whose part, row, column or folder has words that begin with those of this text, or
            whose part, row and column are those of ``part/row/column``.
        seeds: Run so many seeds of each cell, the first ones; all by default.
        budget: Seconds for a cell and seed; one that takes longer is given up and reported with what it would need,
            as soon as it is plain that it would need many times as much.
        progress: Told of seeds that are done, and of how far those under way are.

    Raises:
        SettingsError: If no cell holds the text of ``only``.
        OutputError: If the store cannot be written to.
    """
    report = RunReport()
    waiting = _pending((cell for each in experiments for cell in each.cells(scale)), store, only, seeds, report)
    if only and not waiting and not report.kept:
        raise no_cell(only)
    waiting = [each for each in waiting if not _too_large(each[0], store, budget, report)]
    if waiting:
        make_folder(store.folder)  # a folder that cannot be written to is no news to learn after hours of work
    _Crew(store, max(1, jobs), budget, report, progress).work(waiting)
    return report


def _pending(
    cells: Iterable[Cell], store: ResultStore, only: str, seeds: int | None, report: RunReport
) -> list[tuple[Cell, int]]:
    """Cells and seeds without a result, each once, one seed of every cell before the next."""
    asked: dict[tuple[str, int], tuple[Cell, int]] = {}
    for cell in cells:
        if holds(cell, only):
            for seed in cell.seeds[:seeds]:
                asked.setdefault((cell.folder, seed), (cell, seed))
    missing = [each for each in asked.values() if not store.holds(*each)]
    report.kept = len(asked) - len(missing)
    turns = [(cell.seeds.index(seed), cell, seed) for cell, seed in missing]
    return [(cell, seed) for _, cell, seed in sorted(turns, key=lambda each: each[0])]


def holds(cell: Cell, text: str) -> bool:
    """Whether for each word of the text one of the part, row, column or folder of the cell begins with it.

    A text with strokes, ``part/row/column``, names them whole; what is left empty may be anything.

    Example:
        >>> from hlgnn.experiments.experiment import Scale
        >>> from hlgnn.experiments.methods import training_cell
        >>> cell = training_cell("gcn", "cora", "ncn", Scale.FULL, part="ncn")
        >>> [holds(cell, text) for text in ("gcn-cora", "Cora", "GCN cora ncn", "gcn pubmed", "cn", "")]
        [True, True, True, False, False, True]
        >>> [holds(cell, text) for text in ("ncn/GCN/Cora", "/gcn/", "ncn/GC/Cora", "ncn/GCN")]
        [True, True, False, True]
    """
    if "/" in text:
        named = zip(text.split("/"), (cell.part, cell.row, cell.column), strict=False)
        return all(asked.strip().casefold() in ("", told.casefold()) for asked, told in named)
    told = " ".join((cell.part, cell.row, cell.column, cell.folder))
    return all(re.search(rf"(?<![^\W_]){re.escape(word)}", told, re.IGNORECASE) for word in text.split())


def no_cell(only: str) -> SettingsError:
    """What is said of a text that no cell holds."""
    return SettingsError(
        f"No cell holds {only!r}.",
        where="--only",
        hint='Name a protocol, a row or a column, or several of them: --only "GCN Cora", --only "ncn/GCN/Cora".',
    )


def _too_large(cell: Cell, store: ResultStore, budget: float | None, report: RunReport) -> bool:
    """Whether a run with at least this budget has given the cell up, or it is known to need many times as much."""
    found = store.skipped(cell)
    if found is None or budget is None:
        return False
    if found["budget"] < budget and (found.get("seconds") or 0.0) <= FAR_BEYOND * budget:
        return False
    told = Failure(f"{cell.part} {cell.row}, {cell.column}".strip(), found["reason"])
    report.skipped += [] if told in report.skipped else [told]
    return True


def process_kind() -> Any:
    """How processes are started: forked from one that has imported everything, which saves each several seconds."""
    context: Any = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
    context.set_forkserver_preload(["hlgnn.experiments.worker"])
    return context


class _Crew:
    """Some processes, and what is waiting for them."""

    def __init__(
        self, store: ResultStore, jobs: int, budget: float | None, report: RunReport, progress: Progress
    ) -> None:
        self.store, self.jobs, self.budget, self.report, self.progress = store, jobs, budget, report, progress
        self.given_up: set[str] = set()
        self.elsewhere: list[tuple[Cell, int]] = []
        self.lock = threading.Lock()
        self.started: list[BaseProcess] = []
        self.context = process_kind()

    def work(self, waiting: list[tuple[Cell, int]]) -> None:
        """Until nothing is waiting, last for what another run on the same store has under way."""
        while waiting:
            self._work_once(waiting)
            waiting, self.elsewhere = self.elsewhere, []
            if waiting:
                self.progress("Waiting for another run on this store", 0, len(waiting))
                time.sleep(SECONDS_BETWEEN_LOOKS)

    def _work_once(self, waiting: list[tuple[Cell, int]]) -> None:
        """Each once; whatever ends this, no process stays behind."""
        done, total = 0, len(waiting)
        with ThreadPoolExecutor(self.jobs) as pool:
            futures: set[Future[None]] = {pool.submit(self._run, cell, seed) for cell, seed in waiting}
            try:
                while futures:
                    finished, futures = wait(futures, return_when=FIRST_COMPLETED)
                    for each in finished:
                        each.result()
                    done += len(finished)
                    with self.lock:
                        self.progress("Results", done, total)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in self.started:
                    process.kill()
                raise

    def _run(self, cell: Cell, seed: int) -> None:
        if cell.folder in self.given_up:
            return
        if self.store.holds(cell, seed):  # another run has made it since this one began
            with self.lock:
                self.report.kept += 1
            return
        if not self.store.is_free(cell, seed):  # no process is started to look
            self.elsewhere.append((cell, seed))
            return
        start = time.monotonic()
        process, pipe = self._start(cell, seed)
        limit = CellLimit(process, self.budget)
        place = f"{cell.part} {cell.row}, {cell.column}, seed {seed}".strip()
        with pipe:
            last, needed = _follow(pipe, start, partial(self._tell, place, seed), limit)
        process.join()
        limit.cancel()
        self.store.is_free(cell, seed)  # the claim of a process that was ended is cleared away
        with self.lock:
            self.started.remove(process)
            if last.get("stored"):
                self.report.made += 1
            elif "stored" in last:
                self.elsewhere.append((cell, seed))
            elif "absent" in last:
                self._absent(cell, f"{place}: {last['absent']}")
            elif "failed" not in last and limit.reached and self.budget is not None:
                self._give_up(cell, place, self.budget, needed, _too_long(self.budget, needed))
            else:
                ended = f"The process ended with code {process.exitcode}."
                self.report.failures.append(Failure(place, last.get("failed") or ended))
        process.close()

    def _tell(self, place: str, seed: int, what: str, done: int, total: int) -> None:
        """How far one of the processes is; the place names its seed already."""
        with self.lock:
            self.progress(f"{place}: {what.removesuffix(f', seed {seed}')}", done, total)

    def _start(self, cell: Cell, seed: int) -> tuple[BaseProcess, Connection]:
        ours, theirs = self.context.Pipe(duplex=False)
        process = self.context.Process(target=work, args=(cell, seed, self.store, self.jobs, theirs))
        with self.lock:
            process.start()
            self.started.append(process)
        theirs.close()
        return process, ours

    def _absent(self, cell: Cell, place: str) -> None:
        """Files may be elsewhere: what a cell would need, where that is known, stays."""
        if self.store.skipped(cell) is None:
            self._give_up(cell, place, 0.0, None, ABSENT)
        else:
            self.given_up.add(cell.folder)
            self.report.skipped.append(Failure(place, ABSENT))

    def _give_up(self, cell: Cell, place: str, budget: float, needed: float | None, reason: str) -> None:
        self.given_up.add(cell.folder)
        self.store.skip(cell, {"reason": reason, "budget": budget, "seconds": needed})
        self.report.skipped.append(Failure(place, reason))


def _too_long(budget: float, needed: float | None) -> str:
    """Why a cell is given up; training may stop early, so what it would need is a limit."""
    if needed is None:
        return f"not run: would need more than {duration(budget)} for each seed"
    return f"not run: would need up to about {duration(needed)} for each seed, and had {duration(budget)}"


def _follow(
    pipe: Connection, start: float, progress: Progress, limit: CellLimit
) -> tuple[dict[str, Any], float | None]:
    """The last that a worker told, and the seconds that all would take, if the part under way tells how far it is.

    What it tells on the way is told on, and its limit judges it.
    """
    last: dict[str, Any] = {}
    part, first, begun, needed, told = "", 0, start, None, start
    while True:
        try:
            last = pipe.recv()
        except EOFError:
            return last, needed
        now = time.monotonic()
        if "what" in last:
            progress(last["what"], last["done"], last["total"])
        done, total = last.get("done", 0), last.get("total") or 0
        if last.get("what") != part:
            part, first, begun = last.get("what", ""), done, now
        steps, needed = done - first, None
        if 0 < done < total:  # the first word comes when a step is done, which took the time since the last one at most
            needed = now - start + (total - done) * ((now - begun) / steps if steps else (now - told) / done)
            if steps > LEAST_SHARE * total or steps >= LEAST_STEPS:
                limit.judge(now - start, needed)
        told = now
