"""What is written along the axes of a chart of series: levels with their numbers, and numbers or names below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.charts.frame import label, line
from hlgnn.report.charts.names import LINE, lay_names
from hlgnn.report.markup import Markup, join

if TYPE_CHECKING:
    from hlgnn.report.charts.plot import Plot

SLANT = 35


def levels(plot: Plot) -> Markup:
    """A line with its number at each mark of the upright axis."""
    start, stop = plot.across.scale.start, plot.across.scale.stop
    parts = []
    for mark in plot.up.marks:
        place = plot.up(mark.value)
        kind = "zero" if mark.value == 0 else "grid"
        parts += [line(start, place, stop, place, kind), label(start - 6, place + 4, mark.text, anchor="end")]
    return join(*parts)


def below(plot: Plot) -> tuple[Markup, float]:
    """Numbers or names below the plot, and how high that is."""
    if plot.step:
        return _names(plot)
    base = plot.up.scale.start
    ticks = [
        line(plot.across(mark.value), base, plot.across(mark.value), base + 4, "zero") for mark in plot.across.marks
    ]
    labels = [label(plot.across(mark.value), base + 17, mark.text) for mark in plot.across.marks]
    return join(*ticks, *labels), 20.0


def _names(plot: Plot) -> tuple[Markup, float]:
    scale, marks = plot.across.scale, plot.across.marks
    layout = lay_names([mark.text for mark in marks], (scale.stop - scale.start) / len(marks))
    write = _slanted if layout.slanted else _upright
    base = plot.up.scale.start
    parts = [write(plot.across(mark.value), base, lines) for mark, lines in zip(marks, layout.lines, strict=True)]
    return join(*parts), layout.height


def _upright(x: float, base: float, lines: tuple[str, ...]) -> Markup:
    return join(*(label(x, base + 17 + LINE * row, words) for row, words in enumerate(lines)))


def _slanted(x: float, base: float, lines: tuple[str, ...]) -> Markup:
    turned = f"rotate({-SLANT} {x:.2f} {base + 12:.2f})"
    return join(
        *(label(x, base + 14 + LINE * row, words, anchor="end", transform=turned) for row, words in enumerate(lines))
    )
