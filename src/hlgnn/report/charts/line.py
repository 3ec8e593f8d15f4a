"""A curve by epoch, with its best or its last point marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.charts.frame import axes, dot, label, make_frame, picture, through
from hlgnn.report.charts.scale import nice_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.report.markup import Markup

    Points = Sequence[tuple[float, float]]

MOST = 400


def line_chart(points: Points, title: str, up_title: str, marked: tuple[float, float], words: str) -> Markup:
    """A line through the points.

    Args:
        points: Epochs and values, at least one.
        title: What it shows, in words.
        up_title: The name of the upright axis.
        marked: The point to mark.
        words: What is said of it, above the curve.
    """
    epochs, values = zip(*points, strict=True)
    frame = make_frame((min(epochs), max(epochs)), nice_range(min(values), max(values)), top=30)
    across, up = frame.across, frame.up
    ends = sorted({min(epochs), max(epochs)})
    return picture(
        title,
        frame.height,
        axes(frame, "epoch", up_title, ends),
        through(((across(epoch), up(value)) for epoch, value in sorted({*thinned(points), marked})), "curve"),
        dot(across(marked[0]), up(marked[1]), "mark"),
        label(across.stop, 14, words, anchor="end", kind="value"),
    )


def thinned(points: Points, most: int = MOST) -> Points:
    """At most about that many points at equal steps, the last one always among them.

    Example:
        >>> [x for x, _ in thinned([(x, 0.0) for x in range(10)], most=4)]
        [0, 3, 6, 9]
    """
    step = -(-len(points) // most)
    kept = list(points[::step])
    return kept if kept[-1] == points[-1] else [*kept, points[-1]]
