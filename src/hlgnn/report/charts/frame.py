"""What charts share: the picture with its title, axes, grid lines and labels.

Pictures are 340 units wide, so that a unit is about a pixel on a phone and letters keep their size there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hlgnn.report.charts.scale import Scale, tick_text, ticks
from hlgnn.report.markup import Markup, element, join

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 340
LETTERS = 12


class Frame(NamedTuple):
    """The two scales of a chart and the size of its picture."""

    across: Scale
    up: Scale
    height: float


def make_frame(across: tuple[float, float], up: tuple[float, float], *, height: float = 220, top: float = 12) -> Frame:
    """Scales for these ranges, with room for the axes."""
    return Frame(Scale(*across, 64, WIDTH - 14), Scale(*up, height - 46, top), height)


def picture(title: str, height: float, *parts: str, width: float = WIDTH, kind: str = "plot") -> Markup:
    """An SVG as wide as its place, that is read out by its title."""
    return element(
        "svg",
        element("title", title),
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=title,
        class_=kind,
    )


def axes(frame: Frame, across_title: str, up_title: str, across_ticks: Sequence[float] | None = None) -> Markup:
    """Grid lines with their numbers, and the names of both axes."""
    across, up = frame.across, frame.up
    marks = ticks(across.low, across.high) if across_ticks is None else across_ticks
    middle = (up.start + up.stop) / 2
    return join(
        *(_level(frame, value) for value in ticks(up.low, up.high)),
        *(label(across(value), up.start + 17, tick_text(value)) for value in marks),
        label((across.start + across.stop) / 2, frame.height - 8, across_title, kind="name"),
        label(13, middle, up_title, kind="name", transform=f"rotate(-90 13 {middle:g})"),
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """A straight line."""
    return element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=kind)


def dot(x: float, y: float, kind: str, radius: float = 4) -> Markup:
    """A round mark."""
    return element("circle", cx=float(x), cy=float(y), r=float(radius), class_=kind)


def label(
    x: float, y: float, content: str, *, anchor: str = "middle", kind: str = "tick", transform: str | None = None
) -> Markup:
    """Words in a chart."""
    place = {"x": float(x), "y": float(y), "text_anchor": anchor, "font_size": LETTERS}
    return element("text", content, **place, class_=kind, transform=transform)


def through(points: Iterable[tuple[float, float]], kind: str) -> Markup:
    """A line through points."""
    return element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=kind, fill="none")


def _level(frame: Frame, value: float) -> Markup:
    place = frame.up(value)
    kind = "zero" if value == 0 else "grid"
    grid = line(frame.across.start, place, frame.across.stop, place, kind)
    return join(grid, label(frame.across.start - 7, place + 4, tick_text(value), anchor="end"))
