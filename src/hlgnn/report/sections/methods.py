"""All methods side by side, the best on the test links first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import Column, paragraph, row, section, table
from hlgnn.report.charts import interval_bar, nice_top
from hlgnn.report.markup import Markup, element, join
from hlgnn.report.metrics import metric_title
from hlgnn.report.numbers import MISSING, decimal, duration, span
from hlgnn.report.values import Interval, interval, number, rows, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.report.values import Document


def methods(document: Document) -> Markup | None:
    """The section, or none if no method is known."""
    found = sorted(rows(document.get("methods")), key=_order)
    if not found:
        return None
    columns = _columns(found)
    recommended = text(document.get("recommended"))
    top = _top(found)
    body = [_row(columns, method, top, recommended) for method in found]
    caption = f"All methods, the best on the test links first. Bars run from 0 to {top:g}, whiskers show intervals."
    return section("methods", "Methods", _advice(found, recommended), table(caption, columns, body, "methods"))


def _order(method: Document) -> tuple[bool, float]:
    """The largest test value first; methods without one last, as they came."""
    test = interval(method.get("test"))
    return (test is None, 0.0 if test is None else -test.value)


def _columns(found: Sequence[Document]) -> list[Column]:
    metrics = {text(method.get("metric")) for method in found if interval(method.get("test"))}
    shared = metric_title(metrics.pop()) if len(metrics) == 1 else ""
    return [
        Column("Method", "name"),
        Column(f"{shared} on test links" if shared else "Test links", "bar-cell"),
        Column("Validation", "number"),
        Column("AUC", "number"),
        Column("MRR, hard negatives", "number"),
        Column("Time", "number"),
    ]


def _top(found: Sequence[Document]) -> float:
    """The right end of all bars."""
    ends = [test.high for method in found if (test := interval(method.get("test")))]
    return min(1.0, nice_top(max(ends))) if ends and max(ends) <= 1 else nice_top(max(ends, default=1.0))


def _row(columns: Sequence[Column], method: Document, top: float, recommended: str) -> Markup:
    learned = method.get("kind") == "learned"
    test = interval(method.get("test"))
    name = _name(method, recommended)
    kind = "learned" if learned else None
    if test is None:
        reason = text(method.get("note"))
        words = f"not run: {reason}" if reason else "not run"
        cell = element("td", element("span", words), colspan=len(columns) - 1)
        return element("tr", element("th", name, scope="row", class_="name"), cell, class_="not-run")
    value = decimal(test.value)
    bar = interval_bar(test, top, f"{value}, interval {span(test)}", learned=learned)
    cells = [
        name,
        join(element("span", element("strong", value), bar, class_="with-bar"), _ends(test)),
        decimal(number(method.get("valid"))),
        _value(method.get("auc")),
        _value(method.get("hard")),
        duration(number(method.get("seconds"))),
    ]
    return row(columns, cells, kind)


def _name(method: Document, recommended: str) -> Markup:
    """The title, with what sets the row apart in words, and a remark."""
    name = text(method.get("name"))
    badges = [(word, kind) for word, kind, holds in _badges(method, recommended) if holds]
    remark = text(method.get("note")) if interval(method.get("test")) else ""
    return join(
        element("span", text(method.get("title")) or name or MISSING),
        *(join(" ", element("span", word, class_=f"badge {kind}")) for word, kind in badges),
        element("small", remark) if remark else None,
    )


def _badges(method: Document, recommended: str) -> list[tuple[str, str, bool]]:
    """Words, the classes of their badges, and whether they hold."""
    return [
        ("learned", "strong", method.get("kind") == "learned"),
        ("features only", "weak", method.get("kind") == "features"),
        ("recommended", "strong", bool(recommended) and text(method.get("name")) == recommended),
    ]


def _value(value: object) -> Markup:
    """A value with its interval below it."""
    found = interval(value)
    if found is None:
        return join(MISSING)
    return join(decimal(found.value), _ends(found))


def _ends(found: Interval) -> Markup | None:
    return element("small", span(found)) if found.high > found.low else None


def _advice(found: Sequence[Document], recommended: str) -> Markup | None:
    titles = {text(method.get("name")): text(method.get("title")) for method in found}
    best = titles.get(recommended) or recommended
    return paragraph(join("Recommended for this graph: ", element("strong", best), ".")) if best else None
