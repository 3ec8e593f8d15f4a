"""One cell and seed in a process of its own, so that its peak memory is its own and that it can be given up.

It tells through a pipe how far it is, and last how it went; the result goes to the store, atomically.
"""

from __future__ import annotations

import datetime
import os
import select
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.errors import AbsentDataError, HlgnnError
from hlgnn.experiments.tasks import TASKS
from hlgnn.experiments.tasks.foreseen import seconds_of_training
from hlgnn.jobs.allocator import keep_freed_memory
from hlgnn.jobs.versions import versions

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.store import ResultStore
    from hlgnn.progress import Progress

SECONDS_BETWEEN_LINES, SECONDS_BETWEEN_LOOKS = 0.5, 1.0


def work(cell: Cell, seed: int, store: ResultStore, jobs: int, pipe: Connection) -> None:
    """Run a cell, and say how it went: what a process is started for."""
    settle(jobs, pipe)
    try:
        with store.claim(cell, seed) as mine:
            free = mine and not store.holds(cell, seed)
            if free:
                run_cell(cell, seed, store, Lines(pipe))
    except AbsentDataError as error:
        tell(pipe, {"absent": str(error)})
    except HlgnnError as error:
        tell(pipe, {"failed": str(error)})
    except Exception as error:  # whatever it is, it belongs into the report and not on the screen
        tell(pipe, {"failed": f"{type(error).__name__}: {error}"})
    else:
        tell(pipe, {"stored": free})


def foresee(cell: Cell, watched: float, jobs: int, pipe: Connection) -> None:
    """Say what a cell that trains would need, from steps of so many seconds: what a process is started for."""
    settle(jobs, pipe)
    try:
        seconds = seconds_of_training(cell.settings, cell.seeds[0], watched)
    except AbsentDataError:
        tell(pipe, {"failed": "the files of the data set are not there"})
    except Exception as error:  # it belongs into the table and not on the screen
        tell(pipe, {"failed": str(error) if isinstance(error, HlgnnError) else f"{type(error).__name__}: {error}"})
    else:
        tell(pipe, {"seconds": seconds})


def settle(jobs: int, pipe: Connection) -> None:
    """What every process begins with; it has its share of the processors, unless ``OMP_NUM_THREADS`` says otherwise."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted run ends its processes itself, without a traceback
    follow(pipe)
    keep_freed_memory()
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(max(1, (os.cpu_count() or 1) // jobs))


def run_cell(cell: Cell, seed: int, store: ResultStore, progress: Progress) -> None:
    """Do the work and store the result with all that it was made with."""
    task, start = TASKS[cell.task], time.perf_counter()
    result = task.run(cell.settings, seed, progress)
    document: dict[str, Any] = {
        "task": cell.task,
        "settings": dict(cell.settings),
        "data": task.data(cell.settings),
        "seed": seed,
        "result": result,
        "seconds": time.perf_counter() - start,
        "made": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "code": {"revision": task.revision},
        "versions": versions(),
    }
    store.write(cell, seed, document)


class Lines:
    """How far the work is, told not more often than a reader can follow.

    Args:
        pipe: To whom.
    """

    def __init__(self, pipe: Connection) -> None:
        self.pipe, self.last = pipe, 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Tell it, unless something was told just now."""
        now = time.monotonic()
        if now - self.last >= SECONDS_BETWEEN_LINES or done == total:
            self.last = now
            tell(self.pipe, {"what": what, "done": done, "total": total})


def tell(pipe: Connection, message: dict[str, Any]) -> None:
    """Say it, or end this process if nobody listens any more."""
    try:
        pipe.send(message)
    except OSError:
        os._exit(1)


def follow(pipe: Connection) -> None:
    """End this process when the one that it tells has ended, also in the middle of a step that takes hours.

    Its parent is a server that does not end before it, so that the closed end of the pipe is the only sign.
    """
    closed = select.poll()
    closed.register(pipe.fileno(), 0)  # an end that is closed is told whatever is asked for

    def watch() -> None:
        while not closed.poll(SECONDS_BETWEEN_LOOKS * 1000):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
