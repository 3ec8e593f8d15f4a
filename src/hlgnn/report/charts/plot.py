"""Where the points of several series stand: two axes, and the places side by side that series have among names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from hlgnn.report.charts.axis import Axis, level_axis, names_axis, text_width, upright_axis
from hlgnn.report.charts.names import lay_names
from hlgnn.report.charts.scale import SMALLEST, tick_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH, HEIGHT, RIGHT = 384, 210, 12
WIDEST_STEP = 18.0
FALL = 10.0  # an interval that nearly reaches zero does not stretch a scale of factors farther than this


class Spot(NamedTuple):
    """A point of a series: where along, how much, and the interval around it."""

    x: float | str
    value: float
    low: float
    high: float


class Curve(NamedTuple):
    """Points that belong together, and whether a line joins them in their order."""

    name: str
    spots: tuple[Spot, ...]
    joined: bool = True


class Plot(NamedTuple):
    """The axes of a chart of series.

    Attributes:
        across: Along; names are at 0, 1, 2, …
        up: Upright.
        step: How far series stand apart among names; zero among numbers.
        series: How many there are.
    """

    across: Axis
    up: Axis
    step: float
    series: int

    def point(self, spot: Spot, place: int) -> tuple[float, float]:
        """Where a point of the series with that number stands."""
        return self.x(spot, place), self.up(spot.value)

    def x(self, spot: Spot, place: int) -> float:
        """How far along it is."""
        if not self.step:
            return self.across(float(spot.x))
        where = next(mark.value for mark in self.across.marks if mark.text == name_text(spot.x))
        return self.across(where) + (place - (self.series - 1) / 2) * self.step


def make_plot(curves: Sequence[Curve], top: float, *, log_x: bool, log_y: bool) -> Plot:
    """Axes that hold all points, of which there has to be one; the plot begins at ``top``."""
    spots = [spot for curve in curves for spot in curve.spots]
    up = upright_axis(list(_heights(spots, log=log_y)), log=log_y).between(top + HEIGHT, top)
    left = max(text_width(mark.text) for mark in up.marks) + 8
    if not are_names(curves):
        across = level_axis([float(spot.x) for spot in spots], WIDTH - RIGHT - left, log=log_x)
        return Plot(across.between(left, WIDTH - RIGHT), up, 0.0, len(curves))
    names = list(dict.fromkeys(name_text(spot.x) for spot in spots))
    room = (WIDTH - left) / len(names)
    left = max(left, lay_names(names, room).overhang - room / 2)
    step = min(WIDEST_STEP, 0.82 * (WIDTH - left) / len(names) / len(curves))
    return Plot(names_axis(names).between(left, WIDTH), up, step, len(curves))


def are_names(curves: Iterable[Curve]) -> bool:
    """Whether what is along are names; a number among names is one too."""
    return any(isinstance(spot.x, str) for curve in curves for spot in curve.spots)


def drawable(curves: Sequence[Curve], *, log_x: bool, log_y: bool) -> list[Curve]:
    """The same series without points that have no place: not finite, or without the logarithm that is asked for.

    Among names, all places along become names.
    """
    if are_names(curves):
        curves = [
            curve._replace(spots=tuple(spot._replace(x=name_text(spot.x)) for spot in curve.spots)) for curve in curves
        ]
        log_x = False
    return [
        curve._replace(spots=tuple(spot for spot in curve.spots if _has_place(spot, log_x=log_x, log_y=log_y)))
        for curve in curves
    ]


def name_text(x: float | str) -> str:
    """What stands below a name."""
    return x if isinstance(x, str) else tick_text(x)


def _has_place(spot: Spot, *, log_x: bool, log_y: bool) -> bool:
    numbers = (spot.value, spot.low, spot.high) if isinstance(spot.x, str) else (*spot[1:], spot.x)
    if not all(math.isfinite(number) for number in numbers):
        return False
    return (not log_x or float(spot.x) > SMALLEST) and (not log_y or spot.value > SMALLEST)


def _heights(spots: Iterable[Spot], *, log: bool) -> Iterable[float]:
    """Values and the ends of their intervals, as far as they have to be seen."""
    for spot in spots:
        yield from (spot.value, max(spot.value, spot.high), max(spot.low, spot.value / FALL) if log else spot.low)
