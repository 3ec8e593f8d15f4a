"""Sheets in every format: text to paste, and files to open."""

from __future__ import annotations

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
    """Write a file for each sheet, and for HTML a page that lists them; each file is complete or not there.

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
        files[folder / INDEX] = index_page(sheets)
    for path, text in files.items():
        with atomic_path(path) as temporary:
            temporary.write_bytes(text.encode("utf-8"))
    if pages:
        return folder / INDEX
    return next(iter(files)) if len(files) == 1 else folder
