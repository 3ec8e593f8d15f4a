"""How many of the best candidates are real, and whether such chances can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import Column, beside, figure, folded, paragraph, row, section, stack, table
from hlgnn.report.charts import interval_bar, reliability_chart
from hlgnn.report.markup import element, join
from hlgnn.report.numbers import amount, count, percent, significant
from hlgnn.report.values import Interval, interval, mapping, number, rows, text

if TYPE_CHECKING:
    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Document

EXPECTED = (
    Column("Best", "number"),
    Column("Expected to be real", "bar-cell"),
    Column("Share", "number"),
)
BINS = (
    Column("Predicted", "number"),
    Column("Came true", "number"),
    Column("Interval", "number"),
    Column("Candidates", "number"),
)


def calibration(document: Document) -> Markup | None:
    """The section, or none if nothing was calibrated."""
    found = mapping(document.get("calibration"))
    missing = number(found.get("missing"))
    assumption = text(found.get("assumption"))
    if not assumption and missing is not None:
        assumption = f"About {count(missing)} links are assumed to be missing."
    return section(
        "calibration",
        "How many of the best are real?",
        paragraph(text(found.get("statement"))),
        paragraph(text(found.get("note"))),
        beside(
            stack(_expected(rows(found.get("table"))), paragraph(assumption, "quiet")),
            stack(*_reliability(rows(found.get("reliability")))),
        ),
    )


def _expected(found: list[Document]) -> Markup | None:
    body = [_expected_row(number(each.get("k")), interval(each, centre="expected")) for each in found]
    kept = [each for each in body if each]
    return (
        table("How many of the k best candidates are real. Bars run from none to all.", EXPECTED, kept)
        if kept
        else None
    )


def _expected_row(k: float | None, expected: Interval | None) -> Markup | None:
    if k is None or k <= 0 or expected is None:
        return None
    share = Interval(*(each / k for each in expected))
    bar = interval_bar(share, 1.0, f"{amount(expected.value)} of the best {count(k)}", learned=True)
    shown = element("span", element("strong", amount(expected.value)), bar, class_="with-bar")
    return row(EXPECTED, [count(k), join(shown, _ends(expected)), percent(share.value)])


def _ends(found: Interval) -> Markup | None:
    ends = f"{amount(found.low)} to {amount(found.high)}"
    return element("small", ends) if found.high > found.low else None


def _reliability(found: list[Document]) -> tuple[Markup | None, Markup | None]:
    """The chart, and its numbers for those who want them."""
    bins = []
    for each in found:
        predicted, observed = number(each.get("predicted")), interval(each, centre="observed")
        if predicted is not None and observed is not None:
            bins.append((predicted, observed, number(each.get("count"))))
    if not bins:
        return None, None
    pairs = [(predicted, observed) for predicted, observed, _ in bins]
    title = f"Predicted chances beside the shares that came true, in {len(bins)} bins of candidates"
    caption = "Dots on the dashed line mean that chances can be taken at their word; below it they promise too much."
    body = [
        row(BINS, [significant(predicted, 3), significant(observed.value, 3), _span(observed), count(size)])
        for predicted, observed, size in bins
    ]
    numbers = table("Predicted chances and what came true.", BINS, body)
    return figure(reliability_chart(pairs, title), caption), folded("The numbers of this chart", numbers)


def _span(found: Interval) -> str:
    return f"{significant(found.low, 3)} to {significant(found.high, 3)}"
