"""Predicted chances beside the shares that came true, with the diagonal on which both agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.charts.frame import axes, dot, line, make_frame, picture, through
from hlgnn.report.charts.scale import nice_top
from hlgnn.report.markup import Markup, join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.report.charts.frame import Frame
    from hlgnn.report.values import Interval

HEIGHT = 320  # as high between its axes as it is wide


def reliability_chart(bins: Sequence[tuple[float, Interval]], title: str) -> Markup:
    """A dot for each bin, with the interval of the share that came true; intervals beyond the edge have no cap there.

    Args:
        bins: The mean predicted chance, and the observed share with its interval; at least one.
        title: What it shows, in words.
    """
    top = reach(bins)
    frame = make_frame((0.0, top), (0.0, top), height=HEIGHT)
    across, up = frame.across, frame.up
    places = sorted((across(predicted), up(observed.value)) for predicted, observed in bins)
    return picture(
        title,
        frame.height,
        axes(frame, "predicted chance", "share that came true"),
        line(across(0.0), up(0.0), across(top), up(top), "diagonal"),
        through(places, "curve thin"),
        *(_bin(frame, predicted, observed) for predicted, observed in bins),
    )


def reach(bins: Sequence[tuple[float, Interval]]) -> float:
    """The end of both axes: all dots are inside, but a long interval of few candidates does not press them together."""
    farthest = max(max(predicted, observed.value) for predicted, observed in bins)
    highest = max(observed.high for _, observed in bins)
    return nice_top(max(farthest, min(highest, 2 * farthest)) if farthest > 0 else highest)


def _bin(frame: Frame, predicted: float, observed: Interval) -> Markup:
    x = frame.across(predicted)
    low, value, high = (frame.up(each) for each in observed)
    ends = [observed.low, observed.high] if observed.high > observed.low else []
    caps = [line(x - 4, frame.up(end), x + 4, frame.up(end), "span") for end in ends if end <= frame.up.high]
    return join(line(x, low, x, high, "span"), *caps, dot(x, value, "mark"))
