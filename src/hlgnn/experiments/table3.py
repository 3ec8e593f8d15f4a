"""Table 3: with which power the time of each method grows with N, M, L and F, beside the stated complexity."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hlgnn.experiments.cell import Cell
from hlgnn.experiments.entries import published
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.growth_sizes import SMALL_CELLS, grows, growth_values
from hlgnn.experiments.methods import HEURISTIC_ROWS, title_of
from hlgnn.experiments.power_law import PowerLaw, fit_power_law
from hlgnn.experiments.sheet import Chart, Entry, Grid, Point, Series, Sheet
from hlgnn.experiments.tasks.growth import QUANTITIES
from hlgnn.report.numbers import MISSING, decimal, significant

if TYPE_CHECKING:
    from hlgnn.experiments.outcomes import CellOutcome, Outcomes

SYMBOLS = {"nodes": "N", "links": "M", "layers": "L", "width": "F"}
ROWS = ("gcn", "gat", "seal", "nbfnet", "neo-gnn", "buddy", "hlgnn", *HEURISTIC_ROWS)

_COMMON = {"complexity": "O(M D)", "terms": [{"links": 2, "nodes": -1}]}
_WALKS = {"complexity": "O(L N M)", "terms": [{"layers": 1, "nodes": 1, "links": 1}]}
OURS: dict[str, dict[str, Any]] = {"cn": _COMMON, "ra": _COMMON, "ki": _WALKS, "rwr": _WALKS}
"""Heuristics are not in the printed table: merging sorted neighbourhoods, and walks of L steps from every node."""

LEAD = (
    "Processor seconds on one thread to score all links of graphs drawn without structure, while one of N, M, L "
    "and F grows and the others stay; fitted exponents with intervals of 95 %, beside the smallest and largest power "
    "among the terms of the stated complexity. A complexity is an upper limit: an exponent is marked where its whole "
    "interval is above the largest power."
)
NOTES = (
    "D is written as 2M / N, and V and E as of order D: subgraphs of SEAL have one hop here.",
    "Heads are dot products and HL-GNN has no linear layer, as in the complexities of Appendix E.",
    "What does not depend on a quantity, such as reading the graph and scoring while L grows, lowers its exponent and "
    "hides a cost that falls; negative powers are judged as zero.",
    "The self-loops of the operators cost N L F beside M L F, and larger graphs leave the caches of a processor, so "
    "that time may grow with N where the complexity has none.",
    "Katz, random walks and NBFNet start at single nodes. Their graphs and numbers of layers are chosen so that nearly "
    "all nodes are reached, as the complexities assume; with fewer layers on sparser graphs they cost less than "
    "stated, and their time grows faster than stated until all are reached.",
    "The stated complexity of Neo-GNN leaves out the walks of two steps, which cost D² for each link.",
)


def cells(scale: Scale) -> list[Cell]:
    """One for each method and quantity that it depends on."""
    wanted = [(method, each) for method in ROWS for each in QUANTITIES if grows(method, each)]
    if scale is Scale.SMALL:
        wanted = list(SMALL_CELLS)
    return [
        Cell(title_of(method), SYMBOLS[each], "growth", growth_values(method, each, small=scale is Scale.SMALL))
        for method, each in wanted
    ]


def draw(outcomes: Outcomes) -> Sheet:
    """Exponents as a table, and one figure for each quantity."""
    titles = (
        "method",
        "learned heuristics",
        "range",
        "complexity",
        *(f"exponent of {each}" for each in SYMBOLS.values()),
    )
    rows = tuple((title_of(method), _row(outcomes, method)) for method in ROWS)
    charts = tuple(chart for each in QUANTITIES if (chart := _chart(outcomes, each)).series)
    return Sheet("Table 3: growth of time", LEAD, (Grid("Exponents, fitted and stated", titles, rows),), charts, NOTES)


def _row(outcomes: Outcomes, method: str) -> tuple[Entry, ...]:
    stated = published("table3").get(method) or OURS[method]
    told = tuple(Entry(stated.get(key, MISSING)) for key in ("learned", "range"))
    complexity = Entry(stated["complexity"], note="" if method in published("table3") else "not in the printed table")
    exponents = (
        _entry(outcomes.at(title_of(method), SYMBOLS[each]), stated["terms"], each)
        if grows(method, each)
        else Entry(MISSING, note="has none")
        for each in QUANTITIES
    )
    return (*told, complexity, *exponents)


def _entry(outcome: CellOutcome | None, terms: list[dict[str, int]], quantity: str) -> Entry:
    powers = [term.get(quantity, 0) for term in terms]
    stated = (
        decimal(powers[0], 0) if len(set(powers)) == 1 else f"{decimal(min(powers), 0)} to {decimal(max(powers), 0)}"
    )
    law = fitted(outcome)
    if law is None:
        return Entry(MISSING, stated, "missing", outcome.skipped if outcome is not None else "")
    known = math.isfinite(law.half_width)
    text = f"{decimal(law.exponent, 2)} ± {decimal(law.half_width, 2)}" if known else decimal(law.exponent, 2)
    return Entry(text, stated, "above" if known and law.low > max(0, *powers) else "")


def fitted(outcome: CellOutcome | None) -> PowerLaw | None:
    """The power law of the best time at each size, over all seeds."""
    best = best_seconds(outcome)
    return fit_power_law(list(best), list(best.values())) if len(best) > 1 else None


def best_seconds(outcome: CellOutcome | None) -> dict[float, float]:
    """The best time at each size."""
    found: dict[float, float] = {}
    for result in outcome.results.values() if outcome is not None else ():
        for point in result["points"]:
            found[point["size"]] = min(*point["seconds"], found.get(point["size"], math.inf))
    return found


def _chart(outcomes: Outcomes, quantity: str) -> Chart:
    series = []
    for method in ROWS:
        outcome = outcomes.at(title_of(method), SYMBOLS[quantity])
        best, law = best_seconds(outcome), fitted(outcome)
        if outcome is not None and law is not None:
            points = tuple(Point(size, seconds, seconds, _worst(outcome, size)) for size, seconds in best.items())
            series.append(Series(f"{title_of(method)}, {significant(law.exponent, 2)}", points))
    title = f"Seconds as {SYMBOLS[quantity]} grows; the fitted exponent stands behind each name"
    return Chart(
        title, quantity, "seconds", tuple(series), log_x=True, log_y=True, interval="the best and the worst run"
    )


def _worst(outcome: CellOutcome, size: float) -> float:
    points = [point for result in outcome.results.values() for point in result["points"]]
    return max(float(max(point["seconds"])) for point in points if point["size"] == size)


TABLE3 = Experiment("table3", "Growth of time with nodes, links, layers and width", cells, draw)
