"""Sheets in the terminal: nothing of them is lost, however narrow the screen is."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from experiments.sheets import SHEET, SKIPPED, TABLE
from hlgnn.cli.sheets import sheet_renderable
from hlgnn.experiments.renderings.points import points_grid
from hlgnn.experiments.sheet import Chart, Entry, Grid, Series, Sheet


def shown(sheet: Sheet, width: int = 200, *, colours: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file, width=width, highlight=False, force_terminal=colours, color_system="standard" if colours else None
    )
    console.print(sheet_renderable(sheet))
    return file.getvalue()


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("width", [60, 80, 120, 300])
def test_every_text_is_found(width: int) -> None:
    found = words(shown(SHEET, width))
    plain = found.replace(" ", "")
    assert words(SHEET.lead) in found
    assert SKIPPED in found
    for grid in (*SHEET.grids[:1], *map(points_grid, SHEET.charts)):
        for name, row in grid.rows:
            assert words(name) in found
            for entry in row:
                assert words(entry.text).replace(" ", "") in plain
                assert words(entry.published).replace(" ", "") in plain
    assert all(note in found for note in SHEET.notes)


@pytest.mark.parametrize("width", [60, 80, 120, 300])
def test_lines_are_not_longer_than_the_screen(width: int) -> None:
    assert max(len(line) for line in shown(SHEET, width).splitlines()) <= width


def test_printed_numbers_are_beside_ours_where_there_is_room_and_below_elsewhere() -> None:
    sheet = Sheet(
        "t", grids=(Grid("g", ("method", "Cora"), (("GCN", (Entry("90.8 ± 0.5", "94.22 ± 1.64", "below"),)),)),)
    )
    assert "90.8 ± 0.5 ▼ (94.22 ± 1.64)" in shown(sheet)
    assert "90.8 ± 0.5 ▼\n" in re.sub(r" +\n", "\n", shown(sheet, 30))
    assert "(94.22 ± 1.64)" in shown(sheet, 30)


def test_a_wide_table_is_shown_in_several() -> None:
    headings = [
        line for line in shown(Sheet("t", grids=(TABLE,)), 80).splitlines() if line.strip().startswith("method")
    ]
    assert len(headings) == 2
    assert "Cora" in headings[0]
    assert "Computers" in headings[1]


def test_text_in_brackets_is_not_read_as_a_style() -> None:
    grid = Grid("[red]g[/red]", ("[a]", "[/b]"), (("[bold]", (Entry("[x]", "[y]", "above", "[z]"),)),))
    found = shown(Sheet("[t]", "[lead]", (grid,), notes=("[/note]",)))
    for text in ("[red]g[/red]", "[a]", "[/b]", "[bold]", "[x]", "([y])", "[z]", "[t]", "[lead]", "[/note]"):
        assert text in found


def test_marks_are_shapes_and_colours_are_only_added() -> None:
    plain, coloured = shown(SHEET), shown(SHEET, colours=True)
    assert "\x1b" not in plain
    assert "\x1b" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert {"▲", "★"} <= set(plain)


@pytest.mark.parametrize(
    "sheet",
    [
        Sheet("Empty"),
        Sheet("t", grids=(Grid("g", ("a",), ()),)),
        Sheet("t", charts=(Chart("c", "x", "y", (Series("s", ()),)),)),
    ],
)
def test_an_empty_sheet_says_so(sheet: Sheet) -> None:
    assert "nothing to show" in shown(sheet)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_numbers_are_whole_also_beside_columns_of_words(width: int) -> None:
    heads = ("data set", "score", "best other method", "difference", "AUC", "MRR", "why")
    row = (
        "97.23 ± 0.52",
        "Common neighbours",
        "+2.39 [+0.88, +3.90]",
        "97.53 ± 0.30",
        "49.67 ± 7.04",
        "a few words more",
    )
    grid = Grid("g", heads, tuple((name, tuple(map(Entry, row))) for name in ("Amazon Computers", "Cora")))
    lines = shown(Sheet("t", grids=(grid,)), width).splitlines()
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
    for number in (row[0], *row[2:5]):
        assert sum(number in line for line in lines) == 2
    for head in heads:
        assert all(any(re.search(rf"\b{word}\b", line) for line in lines) for word in head.split())
