"""A sheet as Markdown: pipe tables, the printed number in brackets behind ours, and notes below."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hlgnn.experiments.renderings.points import points_grid
from hlgnn.experiments.renderings.signs import NOTHING, SIGNS, is_number_column, legend, numbered_notes, one_line

if TYPE_CHECKING:
    from hlgnn.experiments.sheet import Entry, Grid, Sheet

ESCAPED = re.compile(r"[\\`*_\[\]|]")
ENTITIES = {"<": "&lt;", "~": "&#126;", "$": "&#36;"}
ENTITY = re.compile(r"&(?=#?\w+;)")
START = re.compile(r"(?:#{1,6}|[+\-]|\d+[.)])(?=\s|$)|>|[\-=]+$")
BRACKETS = "in brackets"


def markdown_text(sheet: Sheet) -> str:
    """The whole sheet; it ends in the end of a line."""
    grids = [_grid(grid) for grid in (*sheet.grids, *map(points_grid, sheet.charts))]
    notes = "\n".join(f"- {escape(note)}" for note in sheet.notes)
    blocks = [f"# {escape(sheet.title)}", escape(sheet.lead), *grids, notes]
    found = [block for block in blocks if block]
    return "\n\n".join(found if len(found) > 1 else [*found, NOTHING]) + "\n"


def escape(text: str) -> str:
    r"""A text in one line with nothing in it that Markdown would read.

    Example:
        >>> escape("a|b_c <d>"), escape("1. x")
        ('a\\|b\\_c &lt;d>', '1\\. x')
    """
    line = ENTITY.sub("&amp;", one_line(text))
    safe = "".join(ENTITIES.get(letter) or (f"\\{letter}" if ESCAPED.match(letter) else letter) for letter in line)
    start = START.match(safe)
    return f"{safe[: start.end() - 1]}\\{safe[start.end() - 1 :]}" if start else safe


def _grid(grid: Grid) -> str:
    notes = numbered_notes(grid)
    below = [
        escape(" ".join(legend(grid, BRACKETS))),
        "\n".join(f"- [{at}] {escape(note)}" for note, at in notes.items()),
    ]
    table = _table(grid, notes) if grid.rows else NOTHING
    return "\n\n".join(part for part in (f"## {escape(grid.title)}", table, *below) if part)


def _table(grid: Grid, notes: dict[str, int]) -> str:
    head = [escape(title) for title in grid.columns]
    body = [[escape(name), *(_cell(entry, notes) for entry in row)] for name, row in grid.rows]
    right = [False, *(is_number_column(grid, place) for place in range(len(head) - 1))]
    widths = [max(3, *(len(line[place]) for line in (head, *body))) for place in range(len(head))]
    rule = [f"{'-' * (width - 1)}:" if flush else "-" * width for width, flush in zip(widths, right, strict=True)]
    return "\n".join(_line(cells, widths, right) for cells in (head, rule, *body))


def _line(cells: list[str], widths: list[int], right: list[bool]) -> str:
    padded = [
        cell.rjust(width) if flush else cell.ljust(width)
        for cell, width, flush in zip(cells, widths, right, strict=True)
    ]
    return f"| {' | '.join(padded)} |"


def _cell(entry: Entry, notes: dict[str, int]) -> str:
    ours = f"**{escape(entry.text)}**" if entry.mark == "best" and entry.text else escape(entry.text)
    printed = f"({escape(entry.published)})" if entry.published else ""
    note = f"[{notes[entry.note]}]" if entry.note else ""
    return " ".join(part for part in (ours, SIGNS.get(entry.mark, ""), printed, note) if part)
