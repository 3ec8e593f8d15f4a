"""The parts that sections are made of: paragraphs, lists, tables, figures, tiles and code."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hlgnn.report.markup import Markup, element

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        title: What stands above it.
        kind: The class of its cells: ``number`` is set flush right, ``words`` may break, ``""`` is plain.
    """

    title: str
    kind: str = ""


def section(name: str, title: str, *parts: str | None) -> Markup | None:
    """A section with its heading; none if it has no parts."""
    found = [part for part in parts if part]
    if not found:
        return None
    heading = element("h2", title, id=f"{name}-title")
    return element("section", heading, *found, id=name, aria_labelledby=f"{name}-title")


def paragraph(content: str, kind: str | None = None) -> Markup | None:
    """A paragraph; none if it is empty."""
    return element("p", content, class_=kind) if content else None


def bullets(items: Sequence[str], kind: str | None = None) -> Markup | None:
    """A list; none if it is empty."""
    return element("ul", *(element("li", item) for item in items), class_=kind) if items else None


def tiles(pairs: Iterable[tuple[str, str]]) -> Markup | None:
    """Numbers with their names below them; none if there are none."""
    found = [element("div", element("dt", name), element("dd", value)) for name, value in pairs]
    return element("dl", *found, class_="tiles") if found else None


def facts(pairs: Iterable[tuple[str, str]]) -> Markup | None:
    """Names with what they stand for beside them; empty ones are left out."""
    found = [element("div", element("dt", name), element("dd", value)) for name, value in pairs if value]
    return element("dl", *found, class_="facts") if found else None


def table(
    caption: str, columns: Sequence[Column], body: Iterable[Markup], kind: str | None = None, name: str | None = None
) -> Markup:
    """A table that scrolls inside its own box where the page is narrow; without a caption it needs a name."""
    head = element("tr", *(element("th", column.title, scope="col", class_=column.kind or None) for column in columns))
    above = element("caption", element("span", caption)) if caption else None
    return _box(name or caption, element("table", above, element("thead", head), element("tbody", *body), class_=kind))


def row(columns: Sequence[Column], cells: Sequence[str], kind: str | None = None) -> Markup:
    """A row of a table; its first cell names it."""
    named = element("th", cells[0], scope="row", class_=columns[0].kind or None)
    others = zip(columns[1:], cells[1:], strict=False)
    return element(
        "tr", named, *(element("td", cell, class_=column.kind or None) for column, cell in others), class_=kind
    )


def figure(picture: Markup, caption: str, kind: str = "chart") -> Markup:
    """A picture with the sentence that says how to read it."""
    return element("figure", picture, element("figcaption", caption), class_=kind)


def stack(*parts: str | None) -> Markup | None:
    """Parts below one another that stay together; none if there are none."""
    found = [part for part in parts if part]
    return element("div", *found) if found else None


def beside(*parts: Markup | None) -> Markup | None:
    """Parts beside one another where there is room; none if there are none."""
    found = [part for part in parts if part]
    return element("div", *found, class_="beside") if found else None


def code(content: str, name: str, *, wrapped: bool = False) -> Markup | None:
    """Lines in a box, either broken where they are too long or scrolling; none if there are none."""
    if not content.strip():
        return None
    lines = element("pre", element("code", content), class_="wrapped" if wrapped else None)
    return lines if wrapped else _box(name, lines)


def folded(summary: str, *parts: str | None) -> Markup | None:
    """Parts that are shown when asked for; none if there are none."""
    found = [part for part in parts if part]
    return element("details", element("summary", summary), *found) if found else None


def identifier(name: str) -> Markup:
    """A name that was given by the user, kept apart from the direction in which the text around it is read."""
    return element("bdi", name)


def _box(name: str, content: Markup) -> Markup:
    return element("div", content, class_="scroll", role="region", aria_label=name, tabindex=0)
