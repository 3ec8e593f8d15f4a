"""The page is well-formed, asks for nothing, escapes everything, and never fails for what is missing."""

from __future__ import annotations

import copy
import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.errors import OutputError
from hlgnn.report import render_report, write_report
from report.pages import Page
from report.study import STUDY, study

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;</style></title></svg>]]>-->"
NASTY = st.sampled_from(
    [
        HOSTILE,
        "' onload='alert(1)",
        "javascript:alert(1)",
        "http://example.org/x.png",
        "</pre></details>",
        "\x00\x1b[31m\ud800",
        "\u202ereversed",
        "{{7*7}}${x}",
    ]
)
HEAD = {"html", "head", "meta", "title", "style", "body", "main", "header", "section", "h1", "h2", "h3"}
TEXT = {"div", "p", "ul", "li", "dl", "dt", "dd", "span", "small", "strong", "bdi", "code", "pre", "details", "summary"}
TABLE = {"table", "caption", "thead", "tbody", "tr", "th", "td"}
PICTURE = {"figure", "figcaption", "svg", "g", "line", "rect", "circle", "text", "polyline", "path"}
TAGS = HEAD | TEXT | TABLE | PICTURE
FIRST = ["asked", "data", "protocol", "methods", "gate", "calibration", "learned", "links", "evidence", "curve"]
LAST = ["settings", "versions", "reproduce"]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where strings are in a document; the first two entries of long lists stand for all."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, (*path, key))
    elif isinstance(value, list):
        for position, child in enumerate(value[:2]):
            yield from places(child, (*path, position))


def replaced(path: tuple[Any, ...], new: object) -> dict[str, Any]:
    found = study()
    inner: Any = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return found


def with_strings(value: Any, new: str) -> Any:
    """The same with every string, and every key of the versions, replaced."""
    if isinstance(value, str):
        return new
    if isinstance(value, dict):
        return {key: with_strings(child, new) for key, child in value.items()}
    return [with_strings(child, new) for child in value] if isinstance(value, list) else value


def assert_safe(page: str) -> Page:
    found = Page(page)
    assert {each.tag for each in found.elements} <= TAGS
    for tag, attributes in found.elements:
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        assert not {"src", "href", "xlink:href", "style", "action", "background", "srcset"} & attributes.keys()
        loads = [value for name, value in attributes.items() if name != "aria-label" and value]
        assert not any("http:" in value or "https:" in value or "url(" in value for value in loads)
    assert "url(" not in found.style
    assert "@import" not in found.style
    assert "http" not in found.style
    return found


def test_a_whole_study_is_well_formed_and_asks_for_nothing() -> None:
    page = assert_safe(render_report(study()))
    policy = [each["content"] for each in page.all("meta") if each.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


def test_sections_come_in_their_order() -> None:
    page = Page(render_report(study()))
    assert [section["id"] for section in page.all("section")] == FIRST + LAST
    assert page.words.index(STUDY["gate"]["sentence"]) < page.words.index("What was asked")
    assert page.words.index(STUDY["calibration"]["statement"]) < page.words.index("What was asked")


@pytest.mark.parametrize("path", list(places(STUDY)), ids=lambda path: ".".join(map(str, path)))
def test_a_hostile_string_in_any_field_is_shown_as_text(path: tuple[Any, ...]) -> None:
    page = assert_safe(render_report(replaced(path, HOSTILE)))
    assert "<script" not in render_report(replaced(path, HOSTILE)).lower()
    hidden = {"svg", "metric", "kind", "name", "best_heuristic", "recommended"}  # not printed, or not as they are
    if not hidden & set(path):
        assert HOSTILE in page.words or HOSTILE in html.unescape(page.words)


@settings(deadline=None, max_examples=40)
@given(NASTY | st.text(max_size=30))
def test_hostile_strings_in_every_field_at_once(hostile: str) -> None:
    document = with_strings(STUDY, hostile)
    document["versions"] = {hostile: hostile}
    render_report(document).encode("utf-8")
    assert_safe(render_report(document))


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=20))
def test_ids_of_any_kind_are_read_back(name: str) -> None:
    page = Page(render_report({"links": [{"rank": 1, "source": name, "target": 7, "score": 1.0}]}))
    printable = all(ord(letter) >= 32 and not 0xD800 <= ord(letter) < 0xE000 for letter in name)
    if printable and "\ufffe" not in name and "\uffff" not in name:
        assert name.strip() in page.words


def pruned(value: Any, draw: st.DrawFn) -> Any:
    """A copy in which any key is missing, null or of another kind."""
    if isinstance(value, dict):
        kept = {key: pruned(child, draw) for key, child in value.items() if draw(st.integers(0, 5))}
        return draw(st.sampled_from([kept] * 8 + [None, {}]))
    if isinstance(value, list):
        return draw(st.sampled_from([[pruned(child, draw) for child in value[:2]]] * 8 + [None, [], [None]]))
    return draw(
        st.sampled_from([value] * 12 + [None, "", "x", 0, -1.5, float("nan"), float("inf"), 1e300, True, [], {}])
    )


@st.composite
def partial_studies(draw: st.DrawFn) -> Any:
    return pruned(STUDY, draw)


@settings(deadline=None, max_examples=150)
@given(partial_studies())
def test_whatever_is_missing_never_fails(document: Any) -> None:
    page = assert_safe(render_report(document))
    assert "None" not in page.words
    assert "nan" not in page.words


@pytest.mark.parametrize("key", list(STUDY))
def test_each_part_may_be_missing_or_be_alone(key: str) -> None:
    without = study()
    del without[key]
    for document in (without, {key: STUDY[key]}, {**study(), key: None}):
        assert_safe(render_report(document))


def test_an_empty_study_says_so() -> None:
    assert "nothing to show" in Page(render_report({})).words


def test_equal_studies_give_equal_bytes(tmp_path: Path) -> None:
    through_json = json.loads(json.dumps(study()))
    assert render_report(through_json) == render_report(copy.deepcopy(STUDY))
    for name in ("one.html", "two.html"):
        write_report(study(), tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert (tmp_path / "one.html").read_text(encoding="utf-8") == render_report(study())


def test_nothing_is_left_behind_where_it_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write_report(study(), tmp_path / "missing" / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_the_study_is_not_changed() -> None:
    document = study()
    render_report(document)
    assert document == STUDY
