"""What was asked: the command, the file, and what it took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import code, facts, section
from hlgnn.report.numbers import duration, memory
from hlgnn.report.values import mapping, number, text

if TYPE_CHECKING:
    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Document


def asked(document: Document) -> Markup | None:
    """The section, or none if nothing is known."""
    request = mapping(document.get("asked"))
    seconds = number(request.get("seconds"))
    took = _cost(document.get("took")) or ("" if seconds is None else duration(seconds))
    pairs = [
        ("File", text(request.get("file"))),
        ("Estimated", _cost(document.get("estimate"))),
        ("Took", took),
    ]
    return section("asked", "What was asked", code(text(request.get("command")), "Command", wrapped=True), facts(pairs))


def _cost(value: object) -> str:
    found = mapping(value)
    seconds, gigabytes = number(found.get("seconds")), number(found.get("gigabytes"))
    parts = ["" if seconds is None else duration(seconds), "" if gigabytes is None else memory(gigabytes)]
    return " and ".join(part for part in parts if part)
