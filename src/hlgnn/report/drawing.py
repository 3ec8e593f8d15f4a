"""Drawings that are put into the page: parsed, and written again with shapes, words and plain attributes only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from hlgnn.report.markup import ILLEGAL, Markup, element, escape, join

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

TAGS = frozenset(
    {"circle", "desc", "ellipse", "g", "line", "path", "polygon", "polyline", "rect", "text", "title", "tspan"}
)
PLACES = frozenset({"cx", "cy", "dx", "dy", "transform", "x", "x1", "x2", "y", "y1", "y2"})
SIZES = frozenset({"d", "height", "points", "r", "rx", "ry", "width"})
FILLS = frozenset({"fill", "fill-opacity", "opacity"})
STROKES = frozenset(
    {"stroke", *(f"stroke-{part}" for part in ("dasharray", "linecap", "linejoin", "opacity", "width"))}
)
LETTERS = frozenset({"font-family", "font-size", "font-style", "font-weight", "text-anchor"})
ATTRIBUTES = PLACES | SIZES | FILLS | STROKES | LETTERS
OF_THE_PICTURE = ATTRIBUTES - {"height", "width", "x", "y", "transform"} | {"viewBox"}
PLAIN = re.compile(r"[#\w\s.,()%+\-]*")
FORBIDDEN = re.compile(r"url|src|image|\\|<!", re.IGNORECASE)
DEEPEST = 20


def clean_drawing(source: str, title: str) -> Markup | None:
    """The drawing without scripts, styles, links, names and whatever else is not on the list; none if it is not SVG.

    Args:
        source: The SVG.
        title: What it shows, in words.

    Example:
        >>> clean_drawing('<svg onload="x()"><script>x()</script><circle r="3" href="#a"/></svg>', "A dot")
        '<svg role="img" aria-label="A dot"><title>A dot</title><circle r="3"></circle></svg>'
    """
    root = _parsed(source)
    if root is None or _name(root.tag) != "svg":
        return None
    children = join(element("title", title), *_children(root, 1))
    attributes = {"role": "img", "aria-label": title, **_kept(root, OF_THE_PICTURE)}
    return _written("svg", attributes, children)


def _parsed(source: str) -> Element | None:
    """The tree; documents that declare entities are refused unread."""
    if "<!" in source:
        return None
    try:
        return ElementTree.fromstring(ILLEGAL.sub("\ufffd", source))  # noqa: S314 - no entities, see above
    except (ElementTree.ParseError, ValueError):
        return None


def _children(parent: Element, depth: int) -> list[Markup]:
    if depth > DEEPEST:
        return []
    return [_child(child, depth) for child in parent if _name(child.tag) in TAGS]


def _child(found: Element, depth: int) -> Markup:
    tag = _name(found.tag)
    words = escape(found.text or "") if tag in {"desc", "text", "title", "tspan"} else Markup("")
    return _written(tag, _kept(found, ATTRIBUTES), join(words, *_children(found, depth + 1)))


def _kept(found: Element, allowed: frozenset[str]) -> dict[str, str]:
    """Attributes on the list with values that name nothing outside the drawing, in the order of their names."""
    return {
        name: value
        for name, value in sorted(found.attrib.items())
        if name in allowed and PLAIN.fullmatch(value) and not FORBIDDEN.search(value)
    }


def _written(tag: str, attributes: dict[str, str], content: Markup) -> Markup:
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return Markup(f"<{tag}{written}>{content}</{tag}>")


def _name(tag: object) -> str:
    """The name without its namespace; comments have none."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
