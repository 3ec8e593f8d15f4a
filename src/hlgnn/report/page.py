"""The frame of every page: one file of HTML without scripts and without anything from elsewhere."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from hlgnn.atomic import atomic_path
from hlgnn.report.markup import Markup, element, join

if TYPE_CHECKING:
    from pathlib import Path

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a page may load: its own style, and nothing else."""


def whole_page(title: str, *content: str | None) -> str:
    """A page with its head, whose main part holds the content.

    Args:
        title: What the window is called.
        content: Markup, or text, which is escaped.

    Example:
        >>> page = whole_page("Who <knows> whom", "1 < 2")
        >>> page.startswith("<!DOCTYPE html>"), "<main>1 &lt; 2</main>" in page
        (True, True)
    """
    page = element("html", _head(title), "\n", element("body", element("main", *content)), "\n", lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def write_page(page: str, path: Path) -> None:
    """Write a page; the file is complete or not there.

    Raises:
        OutputError: If it cannot be written.
    """
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
