"""Sheets in the terminal: tables with the printed numbers beside ours, and their notes below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from hlgnn.experiments.renderings.points import points_grid
from hlgnn.experiments.renderings.signs import NOTHING, SIGNS, is_number_column, legend, numbered_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult

    from hlgnn.experiments.sheet import Entry, Grid, Sheet

COLOURS = {"above": "green", "below": "red", "best": "bold", "missing": "dim"}
UNBOUNDED = 10_000


def sheet_renderable(sheet: Sheet) -> RenderableType:
    """The whole sheet."""
    grids = [_grid(grid) for grid in (*sheet.grids, *map(points_grid, sheet.charts))]
    notes = [_hanging("•", note) for note in sheet.notes]
    lead = [Text(sheet.lead), Text()] if sheet.lead else []
    body = [*lead, *grids, *notes] or [Text(NOTHING)]
    return Group(Text(sheet.title, style="bold"), *body, Text())


def _grid(grid: Grid) -> RenderableType:
    notes = numbered_notes(grid)
    below: list[RenderableType] = [Text(line, style="dim") for line in legend(grid, "in brackets")]
    below += [_hanging(f"[{number}]", note) for note, number in notes.items()]
    table = _Fitting(grid) if grid.rows else Text(NOTHING)
    return Group(Text(grid.title, style="bold"), table, *below, Text())


class _Fitting:
    """A grid as it fits the screen: printed numbers beside ours, or below them, or in several tables of few columns.

    Tables with columns of words are never taken apart, since words can be broken.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        def fits(columns: range, between: str) -> bool:
            unbounded = options.update(width=UNBOUNDED)
            return console.measure(_table(self.grid, columns, between), options=unbounded).maximum <= options.max_width

        every = range(len(self.grid.columns) - 1)
        if fits(every, " "):
            yield _table(self.grid, every, " ")
        elif all(is_number_column(self.grid, place) for place in every):
            yield from (_table(self.grid, columns, "\n") for columns in _parts(every, lambda part: fits(part, "\n")))
        else:
            yield _table(self.grid, every, "\n")


def _parts(columns: range, fits: Callable[[range], bool]) -> Iterator[range]:
    """Columns in groups that are as large as they may be, from the left; one column is a group in any case."""
    while columns:
        sizes = range(len(columns), 1, -1)
        size = next((size for size in sizes if fits(columns[:size])), 1)
        yield columns[:size]
        columns = columns[size:]


def _table(grid: Grid, columns: range, between: str) -> Table:
    notes = numbered_notes(grid)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(Text(grid.columns[0]))
    for place in columns:
        justify: JustifyMethod = "right" if is_number_column(grid, place) else "left"
        table.add_column(Text(grid.columns[place + 1]), justify=justify)
    for name, row in grid.rows:
        table.add_row(Text(name), *(_cell(row[place], notes, between) for place in columns))
    return table


def _cell(entry: Entry, notes: dict[str, int], between: str) -> Text:
    ours = Text(entry.text, style=COLOURS[entry.mark] if entry.mark in ("best", "missing") else "")
    if entry.mark in SIGNS:
        ours.append(f" {SIGNS[entry.mark]}", style=COLOURS[entry.mark])
    if entry.note:
        ours.append(f" [{notes[entry.note]}]")
    if entry.published:
        ours.append(f"{between}({entry.published})", style="dim")
    return ours


def _hanging(sign: str, words: str) -> RenderableType:
    """A sentence whose lines begin below one another, behind its sign."""
    table = Table.grid(padding=(0, 1))
    table.add_row(Text(sign), Text(words))
    return table
