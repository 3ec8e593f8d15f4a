"""The whole report: one file that asks for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.markup import element
from hlgnn.report.page import whole_page, write_page
from hlgnn.report.sections import SECTIONS, heading
from hlgnn.report.values import mapping, text

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.report.values import Document

NOTHING = "This study holds nothing to show yet."


def render_report(document: Document) -> str:
    """A study as one page of HTML, without scripts and without anything from elsewhere.

    Equal documents give equal pages. What is missing is left out.

    Args:
        document: The study, as read from JSON.

    Example:
        >>> page = render_report({"title": "Who <knows> whom"})
        >>> page.startswith("<!DOCTYPE html>"), "Who &lt;knows&gt; whom" in page
        (True, True)
    """
    found = mapping(document)
    sections = [part for make in SECTIONS if (part := make(found)) is not None]
    body = sections or [element("p", NOTHING)]
    return whole_page(text(found.get("title")) or "Link prediction report", heading(found), *body)


def write_report(document: Document, path: Path) -> None:
    """Write the page; the file is complete or not there.

    Args:
        document: The study, as read from JSON.
        path: Where to.

    Raises:
        OutputError: If it cannot be written.
    """
    write_page(render_report(document), path)
