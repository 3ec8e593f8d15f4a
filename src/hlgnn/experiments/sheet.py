"""What an experiment looks like, whatever it is drawn with: grids of entries and charts of points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Entry:
    """What stands in a place of a grid.

    Attributes:
        text: As it is read, such as ``90.8 ± 0.5``.
        published: The number of the paper beside it, as text.
        mark: ``above`` or ``below`` if ours differs from the published number by more than the noise; ``best`` in its
            column; ``missing`` if there is no result.
        note: Why there is no result, or what to know about it.
    """

    text: str
    published: str = ""
    mark: Literal["", "above", "below", "best", "missing"] = ""
    note: str = ""


@dataclass(frozen=True)
class Grid:
    """A table.

    Attributes:
        title: What it shows, protocol and metric included.
        columns: The titles of columns; the first one is that of the names of rows.
        rows: A name and its entries, one for each further column.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Entry, ...]], ...]


@dataclass(frozen=True)
class Point:
    """A point of a curve, with the interval around it.

    Attributes:
        x: Where, as a number or the name of a category.
        y: How much.
        low: The lower end of the interval.
        high: The upper end.
    """

    x: float | str
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class Series:
    """Points that belong together.

    Attributes:
        name: What the legend says.
        points: In the order in which they are joined.
        joined: Whether a line joins them.
    """

    name: str
    points: tuple[Point, ...]
    joined: bool = True


@dataclass(frozen=True)
class Chart:
    """A figure.

    Attributes:
        title: What it shows, in words.
        x_title: What is along.
        y_title: What is up.
        series: The curves.
        log_x: Whether steps along are factors.
        log_y: Whether steps up are factors.
        interval: What the ends of the intervals around points are.
    """

    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False
    interval: str = "one standard deviation between seeds on both sides"


@dataclass(frozen=True)
class Sheet:
    """A whole experiment on paper.

    Attributes:
        title: What it is.
        lead: What is to be known before reading, in a few sentences.
        grids: Tables.
        charts: Figures.
        notes: What is to be known after reading, one sentence each.
    """

    title: str
    lead: str = ""
    grids: tuple[Grid, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
