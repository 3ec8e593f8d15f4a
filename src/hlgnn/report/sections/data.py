"""The data: its size and shape, and what is worth knowing about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import bullets, section, tiles
from hlgnn.report.markup import element
from hlgnn.report.numbers import count, percent
from hlgnn.report.values import mapping, number, texts

if TYPE_CHECKING:
    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Document


SIZES = {"nodes": "nodes", "links": "links", "features": "features"}
SHAPE = {
    "mean_degree": "mean degree",
    "median_degree": "median degree",
    "max_degree": "largest degree",
    "isolated": "isolated nodes",
    "components": "components",
}


def data(document: Document) -> Markup | None:
    """The section, or none if nothing is known."""
    findings = mapping(document.get("findings"))
    notes = bullets(texts(findings.get("notes")))
    return section(
        "data",
        "The data",
        tiles(_tiles(mapping(findings.get("summary")))),
        bullets(texts(findings.get("sentences"))),
        element("div", element("h3", "Worth knowing"), notes, class_="notes") if notes else None,
    )


def _tiles(summary: Document) -> list[tuple[str, str]]:
    """Names and values of what is known."""
    pairs = _numbers(summary, SIZES)
    if isinstance(weighted := summary.get("weighted"), bool):
        pairs.append(("weighted", "yes" if weighted else "no"))
    pairs += _numbers(summary, SHAPE)
    largest, nodes = number(summary.get("largest_component")), number(summary.get("nodes"))
    if largest is not None:
        pairs.append(("in the largest component", percent(largest / nodes) if nodes else count(largest)))
    return pairs


def _numbers(summary: Document, names: dict[str, str]) -> list[tuple[str, str]]:
    known = ((name, number(summary.get(key))) for key, name in names.items())
    return [(name, _short(value)) for name, value in known if value is not None]


def _short(value: float) -> str:
    return count(value) if value == int(value) else f"{value:.1f}"
