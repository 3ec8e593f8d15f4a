"""What Tables 1 and 2 share: the cells, and how a difference from a formula is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.cell import Cell
from hlgnn.experiments.experiment import Scale
from hlgnn.experiments.methods import dataset_title
from hlgnn.experiments.sheet import Entry
from hlgnn.experiments.tasks.agreement import DRAWN
from hlgnn.report.numbers import MISSING, plural

if TYPE_CHECKING:
    from hlgnn.experiments.outcomes import CellOutcome, Outcomes

ROW, DATASET = "all", "cora"
ROUNDING = 1e-12
"""A difference above this share of the largest score is more than rounding."""

FULL_SEEDS = tuple(range(5))


def agreement_cells(scale: Scale) -> list[Cell]:
    """Drawn graphs and Cora; both tables read the same results."""
    small = scale is Scale.SMALL
    drawn = {"graphs": DRAWN, "count": 5 if small else 50, "nodes": 30 if small else 60, "sources": 60}
    known = {"graphs": DATASET, "sources": 8 if small else 64}
    return [
        Cell(ROW, column, "agreement", values, (0,) if small else FULL_SEEDS)
        for column, values in (("drawn graphs", drawn), (dataset_title(DATASET), known))
    ]


def difference_entry(outcome: CellOutcome, kind: str, name: str) -> Entry:
    """The largest difference among all seeds; marked if it is more than rounding."""
    found = [each[kind][name] for each in outcome.results.values() if name in each.get(kind, {})]
    if not found:
        return Entry(MISSING, mark="missing", note=outcome.skipped)
    worst = max(found, key=lambda each: each["difference"])
    rounded = all(each["difference"] <= ROUNDING * max(each["largest"], 1e-300) for each in found)
    note = f"scores up to {worst['largest']:.3g}"
    return Entry(
        f"{worst['difference']:.1e}" if worst["difference"] else "0", mark="" if rounded else "above", note=note
    )


def compared_pairs(outcomes: Outcomes) -> tuple[str, ...]:
    """How many pairs every difference is the largest of, as notes."""
    notes = []
    for each in outcomes:
        pairs, graphs = each.spread("pairs"), each.spread("graphs")
        if pairs is not None and graphs is not None:
            drawn = sum(graphs.values) if each.cell.settings["graphs"] == DRAWN else 1
            notes.append(f"{each.cell.column}: {plural(sum(pairs.values), 'pair')} of {plural(drawn, 'graph')}.")
    return tuple(notes)
