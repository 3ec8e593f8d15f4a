"""Several series of points with their intervals, along numbers, factors or names."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from hlgnn.report.charts.axis_labels import below, levels
from hlgnn.report.charts.frame import label, line, picture
from hlgnn.report.charts.markers import legend, marker, series_dash, series_kind, shortened
from hlgnn.report.charts.plot import WIDTH, Curve, Plot, Spot, are_names, drawable, make_plot, name_text
from hlgnn.report.markup import Markup, element, join
from hlgnn.report.numbers import significant

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING = "There are no points yet."
ABOVE = 30
CAP = 4.0

__all__ = ["Curve", "Spot", "series_chart"]


def series_chart(
    curves: Sequence[Curve], title: str, x_title: str, y_title: str, *, log_x: bool = False, log_y: bool = False
) -> Markup:
    """Points of several series, told apart by colour, shape and dash.

    Intervals are bands along lines over numbers, and whiskers elsewhere. Among names, series stand side by side.
    Points that have no place are left out: those that are not finite, and those without a logarithm.

    Args:
        curves: The series.
        title: What it shows, in words.
        x_title: What is along.
        y_title: What is up.
        log_x: Whether steps along are factors; names have none.
        log_y: Whether steps up are factors.
    """
    kept = drawable(curves, log_x=log_x, log_y=log_y)
    key, height = legend([(curve.name, curve.joined) for curve in kept], WIDTH)
    if not any(curve.spots for curve in kept):
        words = label(0, height + 20, NOTHING, anchor="start")
        return picture(f"{title}: {NOTHING}", height + 30, key, words, width=WIDTH)
    plot = make_plot(kept, height + ABOVE, log_x=log_x, log_y=log_y)
    labels, depth = below(plot)
    bottom = plot.up.scale.start + depth + 16
    middle = (plot.across.scale.start + WIDTH) / 2
    return picture(
        _words(kept, title, x_title, y_title),
        bottom + 6,
        key,
        label(0, height + ABOVE - 15, shortened(y_title, WIDTH), anchor="start", kind="name"),
        levels(plot),
        labels,
        label(middle, bottom, shortened(x_title, 2 * (WIDTH - middle)), kind="name"),
        *(_spread(plot, curve, place) for place, curve in enumerate(kept)),
        *(_curve(plot, curve, place) for place, curve in enumerate(kept)),
        width=WIDTH,
    )


def _spread(plot: Plot, curve: Curve, place: int) -> Markup:
    """The intervals of a series, below all lines and points."""
    if curve.joined and not plot.step and len(curve.spots) > 1:
        return _band(plot, curve, place)
    return join(*(_whisker(plot, spot, place) for spot in curve.spots if spot.high > spot.low))


def _band(plot: Plot, curve: Curve, place: int) -> Markup:
    """A band along neighbours that have intervals, a whisker where none does; a point without one narrows no band."""
    runs = [list(run) for spread, run in groupby(curve.spots, key=lambda spot: spot.high > spot.low) if spread]
    return join(*(_along(plot, run, place) if len(run) > 1 else _whisker(plot, run[0], place) for run in runs))


def _along(plot: Plot, spots: Sequence[Spot], place: int) -> Markup:
    upper = [(plot.x(spot, place), plot.up(spot.high)) for spot in spots]
    lower = [(plot.x(spot, place), plot.up(spot.low)) for spot in reversed(spots)]
    return element("polygon", points=_places(upper + lower), class_=f"band {series_kind(place)}")


def _whisker(plot: Plot, spot: Spot, place: int) -> Markup:
    x, kind = plot.x(spot, place), f"ends {series_kind(place)}"
    low, high = plot.up(spot.low), plot.up(spot.high)
    cap = min(CAP, 0.35 * plot.step) if plot.step else CAP
    return join(line(x, low, x, high, kind), *(line(x - cap, end, x + cap, end, kind) for end in (low, high)))


def _curve(plot: Plot, curve: Curve, place: int) -> Markup:
    """The line of a series and its points."""
    points = [plot.point(spot, place) for spot in curve.spots]
    size = min(1.0, plot.step / 9) if plot.step else _size(points)
    joined = element(
        "polyline",
        points=_places(points),
        fill="none",
        class_=f"joined {series_kind(place)}",
        stroke_dasharray=series_dash(place),
    )
    marks = [
        marker(x, y, place, _point_words(curve, spot), size) for (x, y), spot in zip(points, curve.spots, strict=True)
    ]
    return join(joined if curve.joined and len(points) > 1 else None, *marks)


def _size(points: list[tuple[float, float]]) -> float:
    """Smaller shapes where points are close together."""
    gaps = [abs(two[0] - one[0]) for one, two in pairwise(points)]
    return min(1.0, max(0.45, sorted(gaps)[len(gaps) // 2] / 12)) if gaps else 1.0


def _places(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def _point_words(curve: Curve, spot: Spot) -> str:
    ends = f" ({significant(spot.low)} to {significant(spot.high)})" if spot.high > spot.low else ""
    return f"{curve.name}, {name_text(spot.x)}: {significant(spot.value)}{ends}"


def _words(curves: list[Curve], title: str, x_title: str, y_title: str) -> str:
    """The picture in a few sentences."""
    kind = "for each" if are_names(curves) else "by"
    return f"{title}: {y_title} {kind} {x_title}. {' '.join(_curve_words(curve) for curve in curves)}"


def _curve_words(curve: Curve) -> str:
    if not curve.spots:
        return f"{curve.name}: no points."
    parts = [f"{significant(spot.value)} at {name_text(spot.x)}" for spot in curve.spots]
    shown = [parts[0], "…", parts[-1]] if len(parts) > 8 else parts
    return f"{curve.name}: {', '.join(shown)}."
