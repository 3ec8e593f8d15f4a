"""The top of the page: what it is about, and what was found, in one or two sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import paragraph
from hlgnn.report.markup import Markup, element
from hlgnn.report.values import mapping, text

if TYPE_CHECKING:
    from hlgnn.report.values import Document

UNTITLED = "Link prediction report"


def heading(document: Document) -> Markup:
    """The title, when it was made, the verdict on the model, and what a review is worth."""
    created = text(document.get("created"))
    sentence = text(mapping(document.get("gate")).get("sentence"))
    statement = text(mapping(document.get("calibration")).get("statement"))
    findings = [part for part in (paragraph(sentence), paragraph(statement, "lead")) if part]
    return element(
        "header",
        paragraph("Link prediction study" + (f" · {created}" if created else ""), "kicker"),
        element("h1", text(document.get("title")) or UNTITLED),
        element("div", *findings, class_="verdict") if findings else None,
    )
