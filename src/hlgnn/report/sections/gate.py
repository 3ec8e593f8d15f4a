"""Whether the learned model is better than the best heuristic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import beside, figure, paragraph, section
from hlgnn.report.charts import difference_chart
from hlgnn.report.markup import Markup, element, join
from hlgnn.report.numbers import signed
from hlgnn.report.values import Interval, interval, mapping, rows, text

if TYPE_CHECKING:
    from hlgnn.report.values import Document

METHOD = (
    "Both are measured on the same test links, drawn again and again, so that most of the noise is common to them. The "
    "heuristic is the one that is best on the validation links."
)
NOT_COMPARED = "No learned model was compared with a heuristic."


def gate(document: Document) -> Markup | None:
    """The section, or none if no method was run."""
    found = mapping(document.get("gate"))
    title = "Does the model earn its keep?"
    if not found:
        return section("gate", title, paragraph(NOT_COMPARED)) if rows(document.get("methods")) else None
    difference = interval(found.get("difference"))
    return section(
        "gate",
        title,
        paragraph(_verdict(text(found.get("verdict")), text(found.get("sentence")))),
        _comparison(difference, _title(document, text(found.get("best_heuristic")))) if difference else None,
    )


def _verdict(verdict: str, sentence: str) -> Markup:
    badge = element("span", verdict, class_="badge strong") if verdict else None
    return join(*(part for part in (badge, sentence) if part), between=" ")


def _comparison(difference: Interval, heuristic: str) -> Markup | None:
    return beside(_figure(difference, heuristic), paragraph(METHOD, "quiet"))


def _figure(difference: Interval, heuristic: str) -> Markup:
    digits = 3 if max(abs(each) for each in difference) >= 0.01 else 5
    low, value, high = (signed(each, digits) for each in difference)
    words = f"The learned model less {heuristic or 'the best heuristic'}: {value} ({low} to {high})"
    beyond = difference.low > 0 or difference.high < 0
    reading = "The interval leaves out zero." if beyond else "The interval holds zero: the difference may be noise."
    return figure(difference_chart(difference, words, value), f"{words}. {reading}")


def _title(document: Document, name: str) -> str:
    """The title of the heuristic with that name."""
    titles = {text(method.get("name")): text(method.get("title")) for method in rows(document.get("methods"))}
    return titles.get(name) or name
