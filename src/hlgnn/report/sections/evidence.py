"""The evidence for one link: a drawing and its explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import folded, identifier, paragraph, section
from hlgnn.report.drawing import clean_drawing
from hlgnn.report.markup import Markup, element, join
from hlgnn.report.values import mapping, text

if TYPE_CHECKING:
    from hlgnn.report.values import Document

READING = (
    "Solid lines are links on strong paths, the wider the stronger; dotted lines stand for many walks. "
    "Orange nodes speak against the link."
)
UNREADABLE = "The drawing could not be read."


def evidence(document: Document) -> Markup | None:
    """The section, or none if no link was looked at."""
    found = mapping(document.get("evidence"))
    source, target, explained = (text(found.get(key)) for key in ("source", "target", "text"))
    drawing = text(found.get("svg"))
    ends = (
        join(*(element("strong", identifier(end or "?")) for end in (source, target)), between=" and ")
        if source or target
        else join("")
    )
    return section(
        "evidence",
        "Evidence of one link",
        paragraph(join("The link between ", ends, ".")) if ends and (drawing or explained) else None,
        _figure(drawing, f"Evidence for the link between {source} and {target}") if drawing else None,
        *_explained(explained),
    )


def _explained(words: str) -> list[Markup | None]:
    """The first paragraph, and the others folded behind it."""
    first, _, others = words.partition("\n\n")
    shown = element("div", first, class_="prose") if first else None
    return [shown, folded("More of the explanation", element("div", others, class_="prose")) if others else None]


def _figure(source: str, title: str) -> Markup | None:
    drawing = clean_drawing(source, title)
    if drawing is None:
        return paragraph(UNREADABLE, "quiet")
    box = element("div", drawing, class_="scroll", role="region", aria_label=title, tabindex=0)
    return element("figure", box, element("figcaption", READING), class_="drawing")
