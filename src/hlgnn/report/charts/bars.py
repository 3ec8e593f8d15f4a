"""A horizontal bar with its interval, as small as a cell of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.charts.frame import line, picture
from hlgnn.report.charts.scale import Scale
from hlgnn.report.markup import Markup, element

if TYPE_CHECKING:
    from hlgnn.report.values import Interval

LENGTH, HEIGHT, THICK = 140, 16, 8


def interval_bar(found: Interval, top: float, title: str, *, learned: bool = False) -> Markup:
    """A bar from zero to the value, and a whisker from the low to the high end.

    Args:
        found: What to draw; not below zero.
        top: The value at the right end, the same for all bars that are compared.
        title: What it shows, in words.
        learned: Whether to draw it in the colour of the learned model.
    """
    scale, middle = Scale(0.0, top, 0.0, LENGTH), HEIGHT / 2
    kind = "bar learned" if learned else "bar"
    parts = [
        element("rect", x=0, y=middle - THICK / 2, width=LENGTH, height=THICK, class_="track"),
        element("rect", x=0, y=middle - THICK / 2, width=float(scale(found.value)), height=THICK, class_=kind),
    ]
    if found.high > found.low:
        low, high = scale(found.low), scale(found.high)
        parts.append(line(low, middle, high, middle, "whisker"))
        parts += [line(end, middle - 4, end, middle + 4, "whisker") for end in (low, high)]
    return picture(title, HEIGHT, *parts, width=LENGTH, kind="cell-bar")
