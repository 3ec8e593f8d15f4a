"""A grid as a table of HTML: ours large, the printed number below it, signs with their meaning, notes by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.renderings.signs import (
    NOTHING,
    SIGNS,
    is_long_column,
    is_number_column,
    legend,
    meaning,
    numbered_notes,
)
from hlgnn.report.blocks import Column, paragraph, stack, table
from hlgnn.report.markup import Markup, element

if TYPE_CHECKING:
    from hlgnn.experiments.sheet import Entry, Grid

SMALL = "in small print"


def html_grid(grid: Grid, name: str) -> Markup | None:
    """The table, with its notes below.

    Args:
        grid: What it shows.
        name: What the identifiers of its notes begin with.
    """
    if not grid.rows:
        return paragraph(NOTHING)
    notes = numbered_notes(grid)
    columns = [Column(grid.columns[0]), *(_column(grid, place) for place in range(len(grid.columns) - 1))]
    body = [_row(title, row, columns, notes, name) for title, row in grid.rows]
    kind = "sheet" if notes else "sheet plain"
    return stack(table(" ".join(legend(grid, SMALL)), columns, body, kind, name=grid.title), _footnotes(notes, name))


def _column(grid: Grid, place: int) -> Column:
    if is_long_column(grid, place):
        return Column(grid.columns[place + 1], "words")
    return Column(grid.columns[place + 1], "number" if is_number_column(grid, place) else "")


def _row(title: str, row: tuple[Entry, ...], columns: list[Column], notes: dict[str, int], name: str) -> Markup:
    cells = (_cell(entry, column, notes, name) for entry, column in zip(row, columns[1:], strict=True))
    return element("tr", element("th", title, scope="row"), *cells)


def _cell(entry: Entry, column: Column, notes: dict[str, int], name: str) -> Markup:
    """The sign stands before the number and the note behind it in a place of its own, so that digits stay aligned."""
    kinds = [column.kind, entry.mark if entry.mark in ("best", "missing") else ""]
    said = meaning(entry)
    sign = element("span", SIGNS[entry.mark], class_=f"sign {entry.mark}", title=said) if said else None
    return element(
        "td",
        sign,
        " " if sign else None,
        element("span", entry.text, class_="ours"),
        _reference(entry.note, notes, name) if entry.note or (notes and column.kind == "number") else None,
        element("small", entry.published, title="printed in the paper") if entry.published else None,
        class_=" ".join(kind for kind in kinds if kind) or None,
    )


def _reference(note: str, notes: dict[str, int], name: str) -> Markup:
    link = element("a", str(notes[note]), href=f"#{name}-note-{notes[note]}", title=note) if note else None
    return element("span", link, class_="ref")


def _footnotes(notes: dict[str, int], name: str) -> Markup | None:
    items = [element("li", note, id=f"{name}-note-{number}") for note, number in notes.items()]
    return element("ol", *items, class_="footnotes") if items else None
