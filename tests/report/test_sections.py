"""Numbers are shown as they are, rows are in order, and tables and pictures say what they are."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.report import render_report
from hlgnn.report.numbers import count, decimal, duration, percent, signed
from hlgnn.report.sections.calibration import calibration
from hlgnn.report.sections.gate import gate
from hlgnn.report.sections.links import SHOWN, links
from hlgnn.report.sections.methods import methods
from hlgnn.report.sections.protocol import protocol
from report.pages import Page
from report.study import STUDY, study


def cells(part: str) -> list[list[str]]:
    """The words of each row of all tables."""
    tree = ElementTree.fromstring(f"<div>{part}</div>")
    return [["".join(_words(cell)) for cell in row] for row in tree.iter("tr")]


def _words(found: ElementTree.Element) -> list[str]:
    if found.tag == "svg":
        return []
    inner = [word for child in found for word in [*_words(child), child.tail or ""]]
    return [found.text or "", *inner]


def test_methods_are_sorted_and_those_not_run_are_last() -> None:
    rows = cells(str(methods(study())))
    assert [row[0].split("learned")[0].strip() for row in rows[1:3]] == ["HL-GNN", "Katz index"]
    assert rows[1][1:] == ["0.8930.872 to 0.914", "0.904", "0.9250.904 to 0.946", "0.2170.196 to 0.238", "1 min 21 s"]
    values = [float(row[1][:5]) for row in rows[1:-1]]
    assert values == sorted(values, reverse=True)
    assert rows[-1] == ["SimRank", "not run: its table would need 58 GB"]
    assert "Hits@100" in rows[0][1]


def test_the_learned_row_is_marked_in_words_too() -> None:
    tree = ElementTree.fromstring(str(methods(study())))
    marked = [row for row in tree.iter("tr") if row.get("class") == "learned"]
    assert len(marked) == 1
    assert {"learned", "recommended"} <= {span.text for span in marked[0].iter("span")}


def test_expected_numbers_are_shown() -> None:
    rows = cells(str(calibration(study())))
    assert rows[4] == ["100", "37.227 to 47", "37 %"]
    assert STUDY["calibration"]["assumption"] in Page(str(calibration(study()))).words


def test_a_missing_assumption_is_made_of_the_number_of_missing_links() -> None:
    part = str(calibration({"calibration": {"missing": 1055, "statement": "x"}}))
    assert "About 1\u202f055 links are assumed to be missing." in part


@pytest.mark.parametrize(("low", "says"), [(0.1, "leaves out zero"), (-0.1, "holds zero")])
def test_the_gate_says_whether_zero_is_possible(low: float, says: str) -> None:
    assert says in str(gate({"gate": {"difference": {"low": low, "value": 0.2, "high": 0.3}}}))


def test_without_a_learned_model_the_gate_says_so() -> None:
    assert "No learned model" in str(gate({"methods": STUDY["methods"]}))
    assert gate({}) is None


def test_metrics_are_explained() -> None:
    words = Page(str(protocol(study()))).words
    assert "fewer than 100 of the negatives" in words
    assert "coin toss" in words
    assert "1\u202f055 links were hidden" in words


@pytest.mark.parametrize("number", [0, 1, SHOWN, SHOWN + 3])
def test_long_lists_are_folded(number: int) -> None:
    part = str(links({"links": STUDY["links"][:number]}) or "")
    assert part.count('scope="row"') == number
    assert ("3 more" in part) == (number > SHOWN)


def test_what_ranked_the_links_is_named() -> None:
    assert "Ranked by: Katz index." in str(links({**study(), "used": "katz"}))
    assert "Ranked by" not in str(links(study()))


def test_tables_and_pictures_say_what_they_are() -> None:
    tree = ElementTree.fromstring(render_report(study()).split("</head>")[1].rsplit("</html>")[0])
    tables, pictures = list(tree.iter("table")), list(tree.iter("svg"))
    assert len(tables) == 6
    for table in tables:
        assert table[0].tag == "caption"
        assert all(head.get("scope") in {"row", "col"} for head in table.iter("th"))
    assert len(pictures) > 15
    for picture in pictures:
        assert picture.get("role") == "img"
        assert picture.get("viewBox")
        assert picture[0].tag == "title"
        assert picture[0].text == picture.get("aria-label")


@given(st.floats(-1e9, 1e9))
def test_numbers_read_back_to_their_digits(value: float) -> None:
    back = float(decimal(value).replace("−", "-"))
    assert math.isclose(back, value, abs_tol=0.0005000001, rel_tol=1e-12)
    assert float(signed(value).replace("−", "-")) == back
    assert int(count(value).replace("\u202f", "").replace("−", "-")) == round(value)


@given(st.floats(0, 1))
def test_shares_are_never_rounded_to_certainty(share: float) -> None:
    assert (percent(share) == "0 %") == (share == 0)
    assert (percent(share) == "100 %") == (share == 1)


@given(st.floats(0, 1e7), st.floats(0, 1e7))
def test_a_longer_time_is_not_shown_as_a_shorter_one(one: float, two: float) -> None:
    assert _seconds(duration(min(one, two))) <= _seconds(duration(max(one, two)))


def _seconds(shown: str) -> float:
    parts = shown.removeprefix("below ").split()
    units = {"h": 3600, "min": 60, "s": 1}
    return sum(float(value) * units[unit] for value, unit in zip(parts[::2], parts[1::2], strict=True))
