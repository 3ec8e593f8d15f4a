"""A sheet of a small scale says so, and compares its numbers with nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hlgnn.experiments.sheet import Entry, Grid, Sheet

TITLE = "small scale"
LEAD = (
    "These are numbers of a small scale: a few steps on little data, to see that everything works. They mean nothing."
)


def small_sheet(sheet: Sheet) -> Sheet:
    """The same with a title and a first sentence that warn, and without marks."""
    lead = f"{LEAD} {sheet.lead}".strip()
    return replace(sheet, title=f"{sheet.title} ({TITLE})", lead=lead, grids=tuple(map(_unmarked, sheet.grids)))


def _unmarked(grid: Grid) -> Grid:
    return replace(grid, rows=tuple((name, tuple(map(_plain, row))) for name, row in grid.rows))


def _plain(entry: Entry) -> Entry:
    return replace(entry, mark="") if entry.mark in ("above", "below", "best") else entry
