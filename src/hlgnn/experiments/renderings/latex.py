r"""A sheet as LaTeX, to be put into a document that uses ``booktabs`` and nothing else.

The printed numbers stand in a smaller line below ours, so that a table of five data sets fits a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.renderings.latex_letters import latex_letters
from hlgnn.experiments.renderings.points import points_grid
from hlgnn.experiments.renderings.signs import (
    NOTHING,
    SIGNS,
    is_long_column,
    is_number_column,
    legend,
    numbered_notes,
)

if TYPE_CHECKING:
    from hlgnn.experiments.sheet import Entry, Grid, Sheet

BELOW = "below ours"
END = r" \\"


def latex_text(sheet: Sheet) -> str:
    """The whole sheet; it ends in the end of a line."""
    grids = [_grid(grid) for grid in (*sheet.grids, *map(points_grid, sheet.charts))]
    blocks = [f"\\subsection*{{{latex_letters(sheet.title)}}}", latex_letters(sheet.lead), *grids, _items(sheet.notes)]
    found = [block for block in blocks if block]
    return "\n\n".join(found if len(found) > 1 else [*found, NOTHING]) + "\n"


def _grid(grid: Grid) -> str:
    notes = numbered_notes(grid)
    below = [latex_letters(" ".join(legend(grid, BELOW)))]
    below += [f"{_raised(number)} {latex_letters(note)}" for note, number in notes.items()]
    lines = [
        r"\begin{table}[htbp]",
        r"\centering",
        r"\small",
        r"\setlength{\tabcolsep}{4pt}",
        f"\\caption{{{latex_letters(grid.title)}}}",
        *(_table(grid, notes) if grid.rows else [NOTHING]),
        *(f"\\par\\smallskip{{\\footnotesize {line}\\par}}" for line in below if line),
        r"\end{table}",
    ]
    return "\n".join(lines)


def _table(grid: Grid, notes: dict[str, int]) -> list[str]:
    kinds = "".join(_kind(grid, place) for place in range(len(grid.columns) - 1))
    head = " & ".join(latex_letters(title) for title in grid.columns) + END
    body = [line for name, row in grid.rows for line in _row(name, row, notes)]
    return [f"\\begin{{tabular}}{{l{kinds}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]


def _kind(grid: Grid, place: int) -> str:
    if is_long_column(grid, place):
        return r"p{0.35\linewidth}"
    return "r" if is_number_column(grid, place) else "l"


def _row(name: str, row: tuple[Entry, ...], notes: dict[str, int]) -> list[str]:
    lines = [" & ".join([latex_letters(name), *(_ours(entry, notes) for entry in row)]) + END]
    if any(entry.published for entry in row):
        lines.append(" & ".join(["", *(_printed(entry) for entry in row)]) + END)
    return lines


def _ours(entry: Entry, notes: dict[str, int]) -> str:
    text = latex_letters(entry.text)
    ours = f"\\textbf{{{text}}}" if entry.mark == "best" else text
    sign = f" {latex_letters(SIGNS[entry.mark])}" if entry.mark in SIGNS else ""
    return f"{ours}{sign}{_raised(notes[entry.note]) if entry.note else ''}"


def _printed(entry: Entry) -> str:
    return f"{{\\scriptsize {latex_letters(entry.published)}}}" if entry.published else ""


def _raised(number: int) -> str:
    return f"$^{{{number}}}$"


def _items(notes: tuple[str, ...]) -> str:
    if not notes:
        return ""
    return "\n".join([r"\begin{itemize}", *(f"\\item {latex_letters(note)}" for note in notes), r"\end{itemize}"])
