"""The whole page: one file that asks for nothing else."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from hlgnn.atomic import atomic_path
from hlgnn.report.markup import Markup, element, join
from hlgnn.report.sections import SECTIONS, heading
from hlgnn.report.values import mapping, text

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.report.values import Document

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
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
    main = element("main", heading(found), *body)
    title = text(found.get("title")) or "Link prediction report"
    page = element("html", _head(title), "\n", element("body", main), "\n", lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def write_report(document: Document, path: Path) -> None:
    """Write the page; the file is complete or not there.

    Args:
        document: The study, as read from JSON.
        path: Where to.

    Raises:
        OutputError: If it cannot be written.
    """
    page = render_report(document)
    with atomic_path(path) as temporary:
        temporary.write_bytes(page.encode("utf-8"))


def _head(title: str) -> Markup:
    style = Markup(resources.files("hlgnn.report").joinpath("style.css").read_text(encoding="utf-8"))
    parts = (
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", style),
    )
    return element("head", join(*parts, between="\n"))
