"""A sheet as one page of HTML that asks for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.renderings.html_grid import html_grid
from hlgnn.experiments.renderings.points import points_grid
from hlgnn.experiments.renderings.signs import NOTHING
from hlgnn.report.blocks import beside, bullets, figure, folded, paragraph, section, stack
from hlgnn.report.charts import Curve, Spot, series_chart
from hlgnn.report.markup import Markup, element, join
from hlgnn.report.page import whole_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlgnn.experiments.sheet import Chart, Sheet

KICKER = "Link prediction experiment"
CAPTION = "Bands and whiskers: {interval}."


def html_page(sheet: Sheet, index: str = "") -> str:
    """The whole page.

    Args:
        sheet: What it shows.
        index: The page that lists all experiments, if there is one.
    """
    link = element("a", "All experiments", href=index) if index else None
    parts = [
        *(
            section(f"grid-{place}", grid.title, html_grid(grid, f"grid-{place}"))
            for place, grid in enumerate(sheet.grids, start=1)
        ),
        section("charts", "Figures" if len(sheet.charts) > 1 else "Figure", *_charts(sheet.charts)),
        section("notes", "Notes", bullets(sheet.notes)),
    ]
    body = [part for part in parts if part] or [element("p", NOTHING)]
    kicker = element("p", join(KICKER, link, between=" · "), class_="kicker")
    header = element("header", kicker, element("h1", sheet.title), paragraph(sheet.lead, "opening"))
    return whole_page(sheet.title, header, *body)


def index_page(sheets: Mapping[str, Sheet], others: Mapping[str, str]) -> str:
    """A page that lists pages by their titles.

    Args:
        sheets: By name; the page of each is ``NAME.html`` beside this one.
        others: The titles of further pages there, by name.
    """
    items = [_listed(name, sheet.title, paragraph(sheet.lead, "quiet")) for name, sheet in sheets.items()]
    items += [_listed(name, title) for name, title in others.items()]
    listed = bullets(items, "index") or element("p", NOTHING)
    return whole_page("Experiments", element("header", element("h1", "Experiments")), element("section", listed))


def _listed(name: str, title: str, lead: Markup | None = None) -> Markup:
    return join(element("a", title, href=f"{name}.html"), " ", element("small", name), lead)


def _charts(charts: tuple[Chart, ...]) -> tuple[Markup | None, Markup | None]:
    """The pictures, and their numbers for those who want them."""
    numbered = [(f"chart-{place}", points_grid(chart)) for place, chart in enumerate(charts, start=1)]
    tables = [stack(element("h3", grid.title), html_grid(grid, name)) for name, grid in numbered if grid.rows]
    return beside(*(_chart(chart) for chart in charts)), folded("The numbers", *tables)


def _chart(chart: Chart) -> Markup | None:
    """The picture with its title."""
    curves = [
        Curve(each.name, tuple(Spot(point.x, point.y, point.low, point.high) for point in each.points), each.joined)
        for each in chart.series
    ]
    drawn = series_chart(curves, chart.title, chart.x_title, chart.y_title, log_x=chart.log_x, log_y=chart.log_y)
    spread = any(point.high > point.low for each in chart.series for point in each.points)
    return stack(
        element("h3", chart.title),
        figure(drawn, CAPTION.format(interval=chart.interval) if spread else "", "wide chart"),
    )
