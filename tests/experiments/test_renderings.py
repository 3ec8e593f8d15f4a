"""Every text, printed number and note of a sheet is found in every format, and no letter of it is read as a command."""

from __future__ import annotations

import csv
import dataclasses
import html
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.sheets import OLDER, SHEET, SKIPPED, TABLE
from hlgnn.errors import OutputError, UnknownNameError
from hlgnn.experiments.renderings import STYLES, render_text, write_sheets
from hlgnn.experiments.renderings.html_page import html_page
from hlgnn.experiments.renderings.latex_letters import latex_letters
from hlgnn.experiments.renderings.markdown import escape
from hlgnn.experiments.renderings.points import points_grid
from hlgnn.experiments.renderings.signs import is_number_column, legend, numbered_notes
from hlgnn.experiments.sheet import Chart, Entry, Grid, Point, Series, Sheet
from report.pages import Page

HOSTILE = "<script>alert(1)</script>\"'>&amp;</style></title>|`*_[x](y)_ \\ # {~^} $a$ 50 %"
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20) | st.sampled_from([HOSTILE, "a\nb", "["])
ENTRY = st.builds(Entry, TEXT, TEXT, st.sampled_from(["", "above", "below", "best", "missing"]), TEXT)
NUMBER = st.floats(-1e9, 1e9)
POINT = st.builds(Point, NUMBER | TEXT, NUMBER, NUMBER, NUMBER)
SERIES = st.builds(Series, TEXT, st.lists(POINT, max_size=4).map(tuple), st.booleans())
CHART = st.builds(Chart, TEXT, TEXT, TEXT, st.lists(SERIES, max_size=3).map(tuple), st.booleans(), st.booleans())


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    columns = draw(st.integers(0, 3))
    row = st.tuples(TEXT, st.tuples(*[ENTRY] * columns))
    return Grid(draw(TEXT), draw(st.tuples(*[TEXT] * (columns + 1))), tuple(draw(st.lists(row, max_size=3))))


SHEETS = st.builds(
    Sheet,
    TEXT,
    TEXT,
    st.lists(grids(), max_size=2).map(tuple),
    st.lists(CHART, max_size=2).map(tuple),
    st.lists(TEXT, max_size=2).map(tuple),
)


def texts(sheet: Sheet) -> set[str]:
    """What a person should find, points included."""
    found = {sheet.title, sheet.lead, *sheet.notes}
    for grid in (*sheet.grids, *map(points_grid, sheet.charts)):
        found |= {grid.title, *grid.columns}
        for name, row in grid.rows:
            found |= {name}.union(*({entry.text, entry.published, entry.note} for entry in row))
    return found - {""}


def unescaped_markdown(text: str) -> str:
    return html.unescape(re.sub(r"\\(.)", r"\1", text))


def assert_balanced(text: str) -> None:
    """Braces, environments and signs of formulas come in pairs, and no special letter is bare."""
    bare = re.sub(r"\\[\\&%$#_{}]", "", text)
    depth = 0
    for letter in bare:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    assert not {"#", "%"} & set(bare)
    open_ones: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        open_ones.append(name) if kind == "begin" else open_ones.remove(name)
    assert open_ones == []


def test_everything_is_found_in_markdown_and_html() -> None:
    markdown = unescaped_markdown(render_text(SHEET, "markdown"))
    page = Page(render_text(SHEET, "html")).words
    assert [text for text in texts(SHEET) if text not in markdown] == []
    assert [text for text in texts(SHEET) if text not in page] == []


def test_everything_is_found_in_latex() -> None:
    found = render_text(SHEET, "latex")
    assert [text for text in texts(SHEET) if latex_letters(text) not in found] == []


def test_everything_is_read_back_from_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(render_text(SHEET, "csv"))))
    entries = [row for row in rows if row["kind"] == "entry"]
    wanted = [
        (grid.title, name, column, *dataclasses.astuple(entry))
        for grid in SHEET.grids
        for name, row in grid.rows
        for column, entry in zip(grid.columns[1:], row, strict=True)
    ]
    keys = ("grid", "row", "column", "text", "published", "mark", "note")
    assert [tuple(row[key] for key in keys) for row in entries] == wanted
    points = [row for row in rows if row["kind"] == "point"]
    assert [(row["series"], float(row["y"]), float(row["low"]), float(row["high"])) for row in points] == [
        (series.name, point.y, point.low, point.high)
        for chart in SHEET.charts
        for series in chart.series
        for point in series.points
    ]
    assert [row["text"] for row in rows if row["kind"] == "note"] == list(SHEET.notes)


@settings(deadline=None, max_examples=60)
@given(SHEETS)
def test_any_sheet_can_be_written(sheet: Sheet) -> None:
    for style in STYLES:
        assert render_text(sheet, style) == render_text(dataclasses.replace(sheet), style)
        render_text(sheet, style).encode("utf-8")
    assert_balanced(render_text(sheet, "latex"))
    page = Page(render_text(sheet, "html"))
    assert not {"script", "img", "iframe", "link"} & {each.tag for each in page.elements}
    rows = list(csv.reader(io.StringIO(render_text(sheet, "csv"), newline="")))
    assert {len(row) for row in rows} == {14}
    for line in render_text(sheet, "markdown").splitlines():
        if line.startswith("|"):
            assert line.endswith("|")


@settings(deadline=None, max_examples=60)
@given(grids())
def test_rows_of_markdown_have_as_many_cells_as_columns(grid: Grid) -> None:
    lines = [line for line in render_text(Sheet("t", grids=(grid,)), "markdown").split("\n") if line.startswith("| ")]
    bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines}
    assert bars <= {len(grid.columns) + 1}


@pytest.mark.parametrize("letter", list("&%_#{}~^\\$[]*<>|"))
def test_special_letters_are_safe_in_latex(letter: str) -> None:
    assert latex_letters(f"a{letter}b") != f"a{letter}b"
    assert_balanced(latex_letters(f"{letter}a{letter}{letter}"))


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("1 ± 2", r"1 $\pm$ 2"),
        ("β_0", r"$\beta$\_0"),
        ("λ Σ α", r"$\lambda$ $\Sigma$ $\alpha$"),
        ("– −1", "-- $-$1"),
        ("--budget", "-{}-budget"),
        ("10⁻³ x₂", "10$^{-}$$^{3}$ x$_{2}$"),
        ("é", "é"),
        ("中", r"\texttt{U+4E2D}"),
        ("12\u202f345", r"12\,345"),
    ],
)
def test_letters_beyond_ascii_in_latex(text: str, latex: str) -> None:
    assert latex_letters(text) == latex


@given(st.text(max_size=30))
def test_nothing_that_is_left_in_latex_needs_a_package(text: str) -> None:
    found = latex_letters(text)
    assert_balanced(found)
    assert all(letter <= "\u017f" for letter in found)
    assert "\n" not in found


def test_pipes_and_markup_are_escaped_in_markdown() -> None:
    assert escape("a|b") == r"a\|b"
    assert escape("<b>*x*</b>") == r"&lt;b>\*x\*&lt;/b>"
    assert escape("90.8 ± 0.5") == "90.8 ± 0.5"
    assert escape("- x") == r"\- x"
    assert escape("&lt;") == "&amp;lt;"


@given(TEXT)
def test_markdown_is_read_back(text: str) -> None:
    assert unescaped_markdown(escape(text)).split() == text.split()


def test_hostile_text_is_shown_and_not_run() -> None:
    grid = Grid(HOSTILE, (HOSTILE, HOSTILE), ((HOSTILE, (Entry(HOSTILE, HOSTILE, "above", HOSTILE),)),))
    chart = Chart(HOSTILE, HOSTILE, HOSTILE, (Series(HOSTILE, (Point(HOSTILE, 1, 0, 2),)),))
    page = render_text(Sheet(HOSTILE, HOSTILE, (grid,), (chart,), (HOSTILE,)), "html")
    assert "<script" not in page
    assert Page(page).words.count("alert(1)") >= 8


def test_the_page_asks_for_nothing() -> None:
    page = Page(html_page(SHEET, "index.html"))
    policy = [each["content"] for each in page.all("meta") if each.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    links = [each["href"] or "" for each in page.all("a")]
    assert all(link == "index.html" or link.startswith("#") for link in links)
    ids = [value for each in page.elements if (value := each.attributes.get("id"))]
    assert len(set(ids)) == len(ids)
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)


def test_signs_are_shapes_with_words_and_reasons_are_visible() -> None:
    page = Page(html_page(SHEET))
    signs = [each for each in page.all("span") if "sign" in (each.get("class") or "")]
    assert all(each.get("title") for each in signs)
    assert "▲" in page.words
    assert page.words.count(SKIPPED) == 1
    assert page.words.count(OLDER) == 1


def test_equal_notes_share_a_number() -> None:
    assert list(numbered_notes(TABLE).values()) == [1, 2, 3]
    assert numbered_notes(TABLE).keys() == {entry.note for _, row in TABLE.rows for entry in row if entry.note}


@pytest.mark.parametrize("style", ["markdown", "latex", "html"])
@pytest.mark.parametrize("sheet", [Sheet("Table 1"), Sheet("Table 1", grids=(Grid("g", ("a", "b"), ()),))])
def test_an_empty_sheet_says_so(style: str, sheet: Sheet) -> None:
    found = render_text(sheet, style)
    assert "Table 1" in found
    assert "nothing to show" in found


def test_points_that_share_no_place_have_a_row_each() -> None:
    series = tuple(Series(f"s{k}", tuple(Point(x + k / 7, x, x, x) for x in range(5))) for k in range(4))
    grid = points_grid(Chart("t", "seconds", "loss", series))
    assert (len(grid.rows), grid.columns) == (20, ("series", "seconds", "loss"))
    shared = tuple(Series(each.name, tuple(Point(k, 1, 1, 1) for k in range(5))) for each in series)
    assert len(points_grid(Chart("t", "seconds", "loss", shared)).rows) == 5


@pytest.mark.parametrize(("style", "ending"), [("markdown", "md"), ("latex", "tex"), ("csv", "csv")])
def test_files_are_named_after_their_experiments(style: str, ending: str, tmp_path: Path) -> None:
    only = write_sheets({"table4": SHEET}, tmp_path / "new" / "folder", style)
    assert only == tmp_path / "new" / "folder" / f"table4.{ending}"
    assert only.read_bytes() == render_text(SHEET, style).encode("utf-8")
    both = write_sheets({"table4": SHEET, "table1": Sheet("One")}, tmp_path / "both", style)
    assert both == tmp_path / "both"
    assert sorted(path.name for path in both.iterdir()) == [f"table1.{ending}", f"table4.{ending}"]


def test_a_sign_says_what_it_is_about() -> None:
    """A difference between two of our numbers is no difference to a printed one."""
    printed, difference = Entry("71.2", "70.0", "above"), Entry("+1.2", mark="above")
    alone = {each: legend(Grid("", ("", ""), (("a", (each,)),)), "below") for each in (printed, difference)}
    assert "printed number by more" in " ".join(alone[printed])
    assert "printed" not in " ".join(alone[difference])
    assert len(legend(Grid("", ("", "", ""), (("a", (printed, difference)),)), "below")) == 3


@pytest.mark.parametrize(
    ("text", "number"), [("97.38 ± 0.77", True), ("[+0.46, +2.81]", True), ("−1.75", True), ("NCN", False)]
)
def test_numbers_and_intervals_are_set_flush_right(text: str, number: bool) -> None:
    assert is_number_column(Grid("", ("", ""), (("a", (Entry(text),)),)), 0) == number


def test_pages_have_an_index(tmp_path: Path) -> None:
    index = write_sheets({"table4": SHEET, "table1": Sheet("One <two>")}, tmp_path, "html")
    page = Page(index.read_text(encoding="utf-8"))
    assert [each["href"] for each in page.all("a")] == ["table4.html", "table1.html"]
    assert SHEET.title in page.words
    assert "One <two>" in page.words
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.html", "table1.html", "table4.html"]


def test_the_index_keeps_pages_that_were_written_before(tmp_path: Path) -> None:
    write_sheets({"table1": Sheet("One <two> & three")}, tmp_path, "html")
    index = write_sheets({"table4": SHEET}, tmp_path, "html").read_text(encoding="utf-8")
    assert all(index.count(f'href="{name}.html"') == 1 for name in ("table1", "table4"))
    assert "One &lt;two&gt; &amp; three" in index


def test_another_format_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="markdown"):
        write_sheets({"table4": SHEET}, tmp_path / "none", "word")
    assert not (tmp_path / "none").exists()


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError):
        write_sheets({"table4": SHEET}, tmp_path / "file", "csv")
