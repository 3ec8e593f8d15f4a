"""What it takes to do it again: settings, versions and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import Column, code, folded, row, section, table
from hlgnn.report.values import mapping, text, texts

if TYPE_CHECKING:
    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Document

COLUMNS = (Column("Package"), Column("Version"))


def settings(document: Document) -> Markup | None:
    """All settings in TOML, folded; none if they are not known."""
    listed = text(document.get("settings"))
    return section("settings", "Settings", folded("All settings (TOML)", code(listed, "Settings")))


def versions(document: Document) -> Markup | None:
    """What was installed; none if it is not known."""
    found = mapping(document.get("versions"))
    body = [row(COLUMNS, [text(name), text(version)]) for name, version in found.items()]
    return section("versions", "Versions", table("What this was made with.", COLUMNS, body, "narrow") if body else None)


def reproduce(document: Document) -> Markup | None:
    """The commands; none if they are not known."""
    commands = "\n".join(texts(document.get("reproduce")))
    return section("reproduce", "How to reproduce", code(commands, "Commands", wrapped=True))
