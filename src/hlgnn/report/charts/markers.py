"""How series are told apart: each has a colour of the style sheet, a shape and a dash of its own, and a legend.

Colours alone are not enough on paper and for many readers; a shape with a dash is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.charts.axis import text_width
from hlgnn.report.charts.frame import label
from hlgnn.report.markup import Markup, element, join

if TYPE_CHECKING:
    from collections.abc import Sequence

COLOURS = 10
SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.6 -3.6h7.2v7.2h-7.2z",
    "M0 -4.6L4.4 3.2H-4.4z",
    "M0 -5L4.4 0L0 5L-4.4 0z",
    "M0 4.6L4.4 -3.2H-4.4z",
    "M-1.3 -4.2h2.6v2.9h2.9v2.6h-2.9v2.9h-2.6v-2.9h-2.9v-2.6h2.9z",
    "M-4.6 0L3.2 -4.4V4.4z",
    "M4.6 0L-3.2 -4.4V4.4z",
    "M-3.9 -1.5L0 -4.6L3.9 -1.5L2.5 3.6H-2.5z",
    "M-3.8 -3.8H3.8L-3.8 3.8H3.8z",
)
DASHES = (None, "7 3", "2 3", "9 3 2 3")
SAMPLE, ROW, GAP = 30, 19, 18


def series_kind(place: int) -> str:
    """The class that gives a series its colour."""
    return f"series-{place % COLOURS}"


def series_dash(place: int) -> str | None:
    """The dash of a series; together with its colour no two of twenty are equal."""
    return DASHES[place % len(DASHES)]


def marker(x: float, y: float, place: int, words: str = "", size: float = 1.0) -> Markup:
    """The shape of a series at a point; the words are shown when it is pointed at."""
    scaled = f" scale({size:.2f})" if size != 1 else ""
    return element(
        "path",
        element("title", words) if words else None,
        d=SHAPES[place % len(SHAPES)],
        transform=f"translate({x:.2f} {y:.2f}){scaled}",
        class_=f"{'marker' if words else 'sample'} {series_kind(place)}",
    )


def shortened(text: str, width: float) -> str:
    """A text that fits a width, with three dots at its end if something is cut off."""
    most = max(2, int(width / text_width("x")))
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def legend(names: Sequence[tuple[str, bool]], width: float) -> tuple[Markup, float]:
    """Samples with their names in as many lines as they need, and how high that is.

    Args:
        names: What series are called, and whether their points are joined.
        width: Where lines end.
    """
    parts, x, y = [], 0.0, 12.0
    for place, (name, joined) in enumerate(names):
        words = shortened(name, width - SAMPLE)
        wide = SAMPLE + text_width(words)
        if x and x + wide > width:
            x, y = 0.0, y + ROW
        parts.append(_sample(x, y, place, words, joined=joined))
        x += wide + GAP
    return join(*parts), (y + ROW - 12 if parts else 0.0)


def _sample(x: float, y: float, place: int, words: str, *, joined: bool) -> Markup:
    stroke = element(
        "line",
        x1=x,
        y1=y - 4,
        x2=x + SAMPLE - 6,
        y2=y - 4,
        class_=f"sample-line {series_kind(place)}",
        stroke_dasharray=series_dash(place),
    )
    shape = marker(x + (SAMPLE - 6) / 2, y - 4, place)
    return join(stroke if joined else None, shape, label(x + SAMPLE, y, words, anchor="start", kind="key"))
