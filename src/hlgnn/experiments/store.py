"""Results on disk: one JSON file for each cell and seed, complete or not there."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.errors import RunError
from hlgnn.experiments.outcomes import CellOutcome, Outcomes, is_older

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.experiment import Experiment, Scale

SKIPPED = "skipped.json"
RESULT, REASON = {"result", "code"}, {"reason", "budget"}
"""What a file holds at least, of a result and of a cell that is not run."""


@dataclass(frozen=True)
class ResultStore:
    """A folder of results.

    Attributes:
        folder: Where it is; it need not be there yet.
        renew: Whether results of an earlier revision of the program are to be made again; they stay until then.
    """

    folder: Path
    renew: bool = False

    def read(self, cell: Cell, seed: int) -> dict[str, Any] | None:
        """The stored file of a seed, or ``None``.

        Raises:
            RunError: If the file is damaged.
        """
        return _read(self._path(cell, seed))

    def holds(self, cell: Cell, seed: int) -> bool:
        """Whether a seed need not be run."""
        document = self.read(cell, seed)
        return document is not None and not (self.renew and is_older(cell, document))

    def write(self, cell: Cell, seed: int, document: dict[str, Any]) -> None:
        """Keep a result; it is no longer skipped."""
        path = self._path(cell, seed)
        make_folder(path.parent)
        _write(path, document)
        (path.parent / SKIPPED).unlink(missing_ok=True)

    @contextlib.contextmanager
    def claim(self, cell: Cell, seed: int) -> Iterator[bool]:
        """Whether this process may run the seed; not so while another one does, be it of another run.

        The claim of a process ends with it, however it ends.
        """
        path = self._path(cell, seed).with_suffix(".lock")
        make_folder(path.parent)
        lock = FileLock(path)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            with contextlib.suppress(OSError):  # where an open file cannot be removed, an empty one stays
                path.unlink()
            lock.release()

    def is_free(self, cell: Cell, seed: int) -> bool:
        """Whether no process is running the seed."""
        with self.claim(cell, seed) as free:
            return free

    def skip(self, cell: Cell, document: dict[str, Any]) -> None:
        """Keep why a cell is not run."""
        path = self.folder / cell.folder / SKIPPED
        make_folder(path.parent)
        _write(path, document)

    def skipped(self, cell: Cell) -> dict[str, Any] | None:
        """Why a cell is not run, if that was decided."""
        return _read(self.folder / cell.folder / SKIPPED)

    def outcome(self, cell: Cell) -> CellOutcome:
        """All that is known about a cell."""
        found = {seed: document for seed in cell.seeds if (document := self.read(cell, seed)) is not None}
        reason = self.skipped(cell) or {}
        results = {seed: document["result"] for seed, document in found.items()}
        return CellOutcome(cell, results, found, reason.get("reason", ""))

    def outcomes(self, experiment: Experiment, scale: Scale) -> Outcomes:
        """All that is known about the cells of an experiment."""
        return Outcomes(scale, tuple(self.outcome(cell) for cell in experiment.cells(scale)))

    def _path(self, cell: Cell, seed: int) -> Path:
        return self.folder / cell.folder / f"seed-{seed}.json"


def _read(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RunError(f"The stored result is damaged ({error}).", where=str(path), hint="Remove it.") from None
    wanted = REASON if path.name == SKIPPED else RESULT
    if not isinstance(document, dict) or not wanted <= document.keys():
        told = ", ".join(sorted(wanted))
        raise RunError(f"The stored result is damaged: it lacks one of {told}.", where=str(path), hint="Remove it.")
    return document


def _write(path: Path, document: dict[str, Any]) -> None:
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(document, indent=1, sort_keys=True, allow_nan=False) + "\n", encoding="utf-8")
