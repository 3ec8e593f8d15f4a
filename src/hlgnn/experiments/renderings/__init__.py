"""Sheets in every format: text to paste, and files to open."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.experiments.renderings.csv_text import csv_text
from hlgnn.experiments.renderings.html_page import html_page, index_page
from hlgnn.experiments.renderings.latex import latex_text
from hlgnn.experiments.renderings.markdown import markdown_text
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hlgnn.experiments.sheet import Sheet

STYLES: Registry[Callable[[Sheet], str]] = Registry(
    "format", {"markdown": markdown_text, "latex": latex_text, "csv": csv_text, "html": html_page}
)
"""What writes a sheet, by the name of the format."""

ENDINGS = {"markdown": "md", "latex": "tex", "csv": "csv", "html": "html"}
INDEX = "index.html"
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)

__all__ = ["STYLES", "render_text", "write_sheets"]


def render_text(sheet: Sheet, style: str) -> str:
    r"""A sheet as text; equal sheets give equal texts.

    Args:
        sheet: What it shows.
        style: ``markdown``, ``latex``, ``csv`` or ``html``.

    Raises:
        UnknownNameError: If there is no such format.

    Example:
        >>> from hlgnn.experiments.sheet import Sheet
        >>> render_text(Sheet("Table 1", notes=("Exact.",)), "markdown")
        '# Table 1\n\n- Exact.\n'
    """
    return STYLES[style](sheet)


def write_sheets(sheets: Mapping[str, Sheet], folder: Path, style: str) -> Path:
    """Write a file for each sheet, and for HTML a page that lists them with those that were written there before.

    Each file is complete or not there.

    Args:
        sheets: By name, which is that of the file.
        folder: Where to; it is made if it is not there.
        style: ``markdown``, ``latex``, ``csv`` or ``html``.

    Returns:
        What a person opens: the list of pages, the only file, or the folder.

    Raises:
        OutputError: If it cannot be written.
        UnknownNameError: If there is no such format.
    """
    pages = style == "html"
    texts = {name: html_page(sheet, INDEX) if pages else render_text(sheet, style) for name, sheet in sheets.items()}
    make_folder(folder)
    files = {folder / f"{name}.{ENDINGS[style]}": text for name, text in texts.items()}
    if pages:
        files[folder / INDEX] = index_page(sheets, _other_titles(folder, sheets))
    for path, text in files.items():
        with atomic_path(path) as temporary:
            temporary.write_bytes(text.encode("utf-8"))
    if pages:
        return folder / INDEX
    return next(iter(files)) if len(files) == 1 else folder


def _other_titles(folder: Path, sheets: Mapping[str, Sheet]) -> dict[str, str]:
    """The titles of pages in the folder that are not written now, by their names."""
    titles = {}
    for path in sorted(folder.glob(f"*.{ENDINGS['html']}")):
        found = TITLE.search(path.read_text(encoding="utf-8", errors="replace"))
        if found and path.name != INDEX and path.stem not in sheets:
            titles[path.stem] = unescape(found[1])
    return titles
