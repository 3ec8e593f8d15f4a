"""How training went: the loss and the value on the validation links by epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import beside, figure, paragraph, section
from hlgnn.report.charts import line_chart
from hlgnn.report.numbers import decimal, duration, plural, significant
from hlgnn.report.values import number, rows

if TYPE_CHECKING:
    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Document


def curve(document: Document) -> Markup | None:
    """The section, or none if nothing was trained."""
    found = rows(document.get("curve"))
    losses, values = _points(found, "loss"), _points(found, "valid")
    if not losses and not values:
        return None
    return section("curve", "Training curve", paragraph(_words(found)), beside(_loss(losses), _valid(values)))


def _points(found: list[Document], key: str) -> list[tuple[float, float]]:
    pairs = ((number(each.get("epoch")), number(each.get(key))) for each in found)
    return sorted((epoch, value) for epoch, value in pairs if epoch is not None and value is not None)


def _words(found: list[Document]) -> str:
    times = [seconds for each in found if (seconds := number(each.get("seconds"))) is not None]
    per_epoch = f", {duration(sum(times) / len(times))} each" if times else ""
    return f"{plural(len(found), 'epoch')}{per_epoch}."


def _loss(points: list[tuple[float, float]]) -> Markup | None:
    if not points:
        return None
    words = f"{significant(points[-1][1], 3)} at the end"
    title = f"Loss by epoch, {words}"
    return figure(line_chart(points, title, "loss", points[-1], words), "The loss on the links to learn from.")


def _valid(points: list[tuple[float, float]]) -> Markup | None:
    if not points:
        return None
    best = max(points, key=lambda point: point[1])
    words = f"best {decimal(best[1])} at {best[0]:g}"
    title = f"Value on the validation links by epoch, {words}"
    chart = line_chart(points, title, "validation", best, words)
    return figure(chart, "What epochs are compared by, on the validation links; the best one is kept.")
