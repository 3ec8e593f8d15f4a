"""A drawing keeps its shapes and loses whatever could act or load."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from hlgnn.report.drawing import clean_drawing
from report.study import DRAWING

NAMESPACE = "{http://www.w3.org/2000/svg}"


def test_our_own_drawing_keeps_every_shape() -> None:
    before, after = ElementTree.fromstring(DRAWING), ElementTree.fromstring(str(clean_drawing(DRAWING, "x")))
    for tag in ("path", "circle", "text", "g"):
        one, two = list(before.iter(NAMESPACE + tag)), list(after.iter(tag))
        assert [dict(each.attrib) for each in one] == [dict(each.attrib) for each in two]
        assert [each.text for each in one] == [each.text for each in two]
    assert after.get("viewBox") == before.get("viewBox")


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<image href="http://example.org/a.png"/>',
        '<a href="javascript:alert(1)"><circle r="1"/></a>',
        '<use href="#x"/>',
        "<style>@import url(http://example.org)</style>",
        '<foreignObject><iframe src="x"/></foreignObject>',
        '<circle r="1" onclick="alert(1)"/>',
        '<circle r="1" style="fill:url(http://example.org)"/>',
        '<circle r="1" fill="url(http://example.org#a)"/>',
        '<circle r="1" fill="u\\72l(x)"/>',
        '<circle r="1" id="top" class="badge"/>',
        '<animate attributeName="href" to="javascript:alert(1)"/>',
        '<set attributeName="onload" to="alert(1)"/>',
    ],
)
def test_whatever_acts_or_loads_is_lost(inside: str) -> None:
    cleaned = clean_drawing(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>', "t")
    frame = '<svg role="img" aria-label="t"><title>t</title>{}</svg>'
    assert cleaned in {frame.format(""), frame.format('<circle r="1"></circle>')}


@pytest.mark.parametrize(
    "source",
    [
        "",
        "no markup",
        "<svg>",
        "<html></html>",
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>',
        "<svg>&unknown;</svg>",
        "<svg xlink:href='x'/>",
    ],
)
def test_what_is_no_drawing_is_none(source: str) -> None:
    assert clean_drawing(source, "t") is None


def test_words_are_escaped_again() -> None:
    cleaned = clean_drawing("<svg><text>&lt;script&gt;</text></svg>", "<b>")
    assert cleaned == '<svg role="img" aria-label="&lt;b&gt;"><title>&lt;b&gt;</title><text>&lt;script&gt;</text></svg>'


def test_depth_is_bounded() -> None:
    cleaned = clean_drawing("<svg>" + 5000 * "<g>" + 5000 * "</g>" + "</svg>", "t")
    assert cleaned is not None
    assert cleaned.count("<g>") <= 20
