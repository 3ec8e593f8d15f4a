"""A difference with its interval beside zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.charts.frame import WIDTH, dot, label, line, picture
from hlgnn.report.charts.scale import Scale, nice_top, tick_text, ticks

if TYPE_CHECKING:
    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Interval

HEIGHT, ROW, BOTTOM = 104, 42, 66


def difference_chart(found: Interval, title: str, words: str) -> Markup:
    """The value as a dot, its interval as a line, zero as an upright line in the middle.

    Args:
        found: Learned less heuristic.
        title: What it shows, in words.
        words: What stands at the value.
    """
    end = nice_top(max(abs(each) for each in found))
    scale = Scale(-end, end, 24, WIDTH - 24)
    marks = [label(scale(value), BOTTOM + 17, tick_text(value)) for value in ticks(-end, end)]
    return picture(
        title,
        HEIGHT,
        line(scale.start, BOTTOM, scale.stop, BOTTOM, "grid"),
        *marks,
        line(scale(0.0), 12, scale(0.0), BOTTOM, "zero"),
        line(scale(found.low), ROW, scale(found.high), ROW, "span learned"),
        *(line(scale(end), ROW - 6, scale(end), ROW + 6, "span learned") for end in (found.low, found.high)),
        dot(scale(found.value), ROW, "mark learned", radius=5),
        label(min(max(scale(found.value), 40), WIDTH - 40), ROW - 14, words, kind="value"),
        label(scale.start, HEIGHT - 5, "← heuristic better", anchor="start", kind="name"),
        label(scale.stop, HEIGHT - 5, "learned better →", anchor="end", kind="name"),
    )
