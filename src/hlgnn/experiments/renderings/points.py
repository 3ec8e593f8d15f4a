"""A chart as a table of its points, for formats without pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.sheet import Entry, Grid
from hlgnn.report.numbers import MISSING, count, significant

if TYPE_CHECKING:
    from hlgnn.experiments.sheet import Chart, Point, Series

FULL_ENOUGH = 0.5
TO = "\u00a0to\u00a0"  # no line breaks inside an interval


def points_grid(chart: Chart) -> Grid:
    """A row for each place along and a column for each series; one row for each point if places are rarely shared."""
    drawn = [series for series in chart.series if series.points]
    places = list(dict.fromkeys(point.x for series in drawn for point in series.points))
    points = sum(len(series.points) for series in drawn)
    repeated = any(len({point.x for point in series.points}) < len(series.points) for series in drawn)
    if repeated or points < FULL_ENOUGH * len(places) * len(drawn):
        return _long(chart, drawn)
    columns = (chart.x_title, *(series.name for series in drawn))
    return Grid(_title(chart), columns, tuple(_row(place, drawn) for place in _ordered(places)))


def point_text(point: Point) -> str:
    """The value, and the ends of its interval if it has one.

    Example:
        >>> from hlgnn.experiments.sheet import Point
        >>> point_text(Point(1, 90.81, 90.3, 91.32)).split(TO), point_text(Point(1, 2.0, 2.0, 2.0))
        (['90.81 (90.3', '91.32)'], '2')
    """
    ends = f" ({number_text(point.low)}{TO}{number_text(point.high)})" if point.high > point.low else ""
    return f"{number_text(point.y)}{ends}"


def number_text(value: float) -> str:
    """Four digits that matter, and large numbers in full.

    Example:
        >>> number_text(0.012345), number_text(1e8)
        ('0.01235', '1e+08')
    """
    return count(value) if 1e4 <= abs(value) < 1e7 else significant(value)


def place_text(x: float | str) -> str:
    """What a place along is called."""
    return x if isinstance(x, str) else number_text(x)


def _row(place: float | str, drawn: list[Series]) -> tuple[str, tuple[Entry, ...]]:
    found = [next((point for point in series.points if point.x == place), None) for series in drawn]
    return place_text(place), tuple(Entry(point_text(point) if point else MISSING) for point in found)


def _long(chart: Chart, drawn: list[Series]) -> Grid:
    rows = tuple(
        (series.name, (Entry(place_text(point.x)), Entry(point_text(point))))
        for series in drawn
        for point in series.points
    )
    return Grid(_title(chart), ("series", chart.x_title, chart.y_title), rows)


def _title(chart: Chart) -> str:
    return f"{chart.title}: {chart.y_title}" if chart.y_title else chart.title


def _ordered(places: list[float | str]) -> list[float | str]:
    """Numbers by size; names as they come."""
    numbers = [place for place in places if not isinstance(place, str)]
    return [*sorted(numbers)] if len(numbers) == len(places) else places
