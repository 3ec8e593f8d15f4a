"""A sheet as one long table of comma-separated values: a line for each entry, point and sentence."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.experiments.sheet import Chart, Grid, Sheet

COLUMNS = (
    "kind",
    "grid",
    "row",
    "column",
    "text",
    "published",
    "mark",
    "note",
    "chart",
    "series",
    "x",
    "y",
    "low",
    "high",
)
"""``kind`` is title, lead, entry, point or note; the other columns are those of an entry, and those of a point."""


def csv_text(sheet: Sheet) -> str:
    """The whole sheet; numbers of points have all their digits."""
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(_lines(sheet))
    return file.getvalue()


def _lines(sheet: Sheet) -> Iterator[dict[str, str]]:
    yield {"kind": "title", "text": sheet.title}
    if sheet.lead:
        yield {"kind": "lead", "text": sheet.lead}
    for grid in sheet.grids:
        yield from _entries(grid)
    for chart in sheet.charts:
        yield from _points(chart)
    for note in sheet.notes:
        yield {"kind": "note", "text": note}


def _entries(grid: Grid) -> Iterator[dict[str, str]]:
    for name, row in grid.rows:
        for column, entry in zip(grid.columns[1:], row, strict=True):
            values = {"text": entry.text, "published": entry.published, "mark": entry.mark, "note": entry.note}
            yield {"kind": "entry", "grid": grid.title, "row": name, "column": column, **values}


def _points(chart: Chart) -> Iterator[dict[str, str]]:
    for series in chart.series:
        for point in series.points:
            numbers = {"x": point.x, "y": point.y, "low": point.low, "high": point.high}
            texts = {name: value if isinstance(value, str) else repr(value) for name, value in numbers.items()}
            yield {"kind": "point", "chart": chart.title, "series": series.name, **texts}
