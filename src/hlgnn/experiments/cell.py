"""One entry of a table before it is run: what to do, with which settings, for which seeds."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.experiments.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Mapping

DIGITS = 16


@dataclass(frozen=True)
class Cell:
    """What stands in one row and column of a table, or at one place of a curve.

    Attributes:
        row: The name of the row.
        column: The name of the column.
        task: What is done, by its name in ``TASKS``.
        settings: All that the result depends on, as plain values of JSON; the seed and the data are not among them.
        seeds: Which seeds.
        part: Which table of the experiment it belongs to, if there are several.
    """

    row: str
    column: str
    task: str
    settings: Mapping[str, Any]
    seeds: tuple[int, ...] = (0,)
    part: str = ""

    @property
    def folder(self) -> str:
        """Where its results are kept: a name for people, and the key."""
        return f"{TASKS[self.task].label(self.settings)}-{cell_key(self)}"


def cell_key(cell: Cell) -> str:
    """A digest of task, settings and data: equal for cells of different experiments that are the same work.

    Example:
        >>> one = Cell("a", "b", "train", {"dataset": "cora", "depth": 3})
        >>> other = Cell("x", "y", "train", {"depth": 3, "dataset": "cora"})
        >>> cell_key(one) == cell_key(other), cell_key(one) == cell_key(Cell("a", "b", "train", {"dataset": "cora"}))
        (True, False)
    """
    task = TASKS[cell.task]
    content = {"task": cell.task, "settings": dict(cell.settings), "data": task.data(cell.settings)}
    written = json.dumps(content, sort_keys=True, allow_nan=False, ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()[:DIGITS]
