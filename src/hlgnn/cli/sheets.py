"""Sheets in the terminal: tables with the printed numbers beside ours, and their notes below."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Group
from rich.table import Table
from rich.text import Text

from hlgnn.experiments.renderings.points import points_grid
from hlgnn.experiments.renderings.signs import NOTHING, SIGNS, is_number_column, legend, numbered_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult

    from hlgnn.experiments.sheet import Entry, Grid, Sheet

COLOURS = {"above": "green", "below": "red", "best": "bold", "missing": "dim"}
BETWEEN_COLUMNS = 3


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

    Words may be broken into lines, numbers never.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        every = range(len(self.grid.columns) - 1)
        beside = _columns(self.grid, every, " ")
        if sum(column.natural for column in beside) <= _room(beside, options.max_width):
            yield _table(beside, options.max_width)
            return

        def fits(part: range) -> bool:
            below = _columns(self.grid, part, "\n")
            return sum(column.least for column in below) <= _room(below, options.max_width)

        for part in _parts(every, fits):
            yield _table(_columns(self.grid, part, "\n"), options.max_width)


class _Column(NamedTuple):
    """A head, what stands below it, and whether that is numbers."""

    head: Text
    cells: list[Text]
    number: bool

    @property
    def natural(self) -> int:
        """How wide it is when no line is broken."""
        return max(_longest(each.plain.splitlines()) for each in (self.head, *self.cells))

    @property
    def least(self) -> int:
        """How wide it has to be so that no word is broken, and no number."""
        words = [word for each in (self.head, *(() if self.number else self.cells)) for word in each.plain.split()]
        lines = [line for each in self.cells for line in each.plain.splitlines()] if self.number else []
        return _longest([*words, *lines])


def _columns(grid: Grid, places: range, between: str) -> list[_Column]:
    """The names of the rows, and the columns at these places."""
    notes = numbered_notes(grid)
    columns = [_Column(Text(grid.columns[0]), [Text(name) for name, _ in grid.rows], number=False)]
    for place in places:
        cells = [_cell(row[place], notes, between) for _, row in grid.rows]
        columns.append(_Column(Text(grid.columns[place + 1]), cells, is_number_column(grid, place)))
    return columns


def _parts(columns: range, fits: Callable[[range], bool]) -> Iterator[range]:
    """Columns in groups that are as large as they may be, from the left; one column is a group in any case."""
    while columns:
        sizes = range(len(columns), 1, -1)
        size = next((size for size in sizes if fits(columns[:size])), 1)
        yield columns[:size]
        columns = columns[size:]


def _table(columns: list[_Column], max_width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, width in zip(columns, _widths(columns, _room(columns, max_width)), strict=True):
        justify: JustifyMethod = "right" if column.number else "left"
        table.add_column(column.head, justify=justify, width=width)
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*row)
    return table


def _room(columns: list[_Column], max_width: int) -> int:
    """What is left of a line for the columns themselves."""
    return max_width - BETWEEN_COLUMNS * len(columns)


def _widths(columns: list[_Column], room: int) -> list[int]:
    """At least what each column needs; what is left goes where most is missing, a character at a time."""
    widths = [column.least for column in columns]
    for _ in range(room - sum(widths)):
        missing = [column.natural - width for column, width in zip(columns, widths, strict=True)]
        if max(missing) <= 0:
            break
        widths[missing.index(max(missing))] += 1
    return widths


def _longest(parts: Iterable[str]) -> int:
    return max(map(cell_len, parts), default=1)


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
