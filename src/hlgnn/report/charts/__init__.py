"""Charts as inline SVG: in the colours of the page, with a title that says in words what they show."""

from hlgnn.report.charts.bars import interval_bar
from hlgnn.report.charts.difference import difference_chart
from hlgnn.report.charts.line import line_chart
from hlgnn.report.charts.reliability import reliability_chart
from hlgnn.report.charts.scale import nice_top
from hlgnn.report.charts.series import Curve, Spot, series_chart
from hlgnn.report.charts.stems import stem_chart

__all__ = [
    "Curve",
    "Spot",
    "difference_chart",
    "interval_bar",
    "line_chart",
    "nice_top",
    "reliability_chart",
    "series_chart",
    "stem_chart",
]
