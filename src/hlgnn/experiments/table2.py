"""Table 2: every heuristic as a formulation equals its formula with sets and walks; the new ones of Appendix D too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.agreement_entries import ROUNDING, agreement_cells, compared_pairs, difference_entry
from hlgnn.experiments.entries import published
from hlgnn.experiments.experiment import Experiment
from hlgnn.experiments.sheet import Entry, Grid, Sheet

if TYPE_CHECKING:
    from hlgnn.experiments.outcomes import Outcomes

LEAD = (
    "The largest difference between the score of a heuristic as operators and weights and the same score from sets of "
    "common neighbours, counted walks and walkers; endless sums are compared with endless sums. "
    f"Marked where it is more than {ROUNDING:g} of the largest score."
)
NOTES = (
    "Products of operators are read from left to right, as Eq. 1 has them: RA and LLHN hold in that order only.",
    "γ and φ are half of one over the largest degree of each graph, where the sums converge.",
)


def draw(outcomes: Outcomes) -> Sheet:
    """One row for each heuristic: what it is made of, and the difference on each kind of graph."""
    rows = tuple(
        (
            printed["title"],
            (
                *(Entry(printed[key]) for key in ("kind", "expression", "matrix", "operators", "weights")),
                *(difference_entry(each, "heuristics", name) for each in outcomes),
            ),
        )
        for name, printed in published("table2").items()
    )
    titles = ("heuristic", "type", "expression", "matrix form", "operators", "weights")
    grid = Grid("Differences from the formulas", (*titles, *(each.cell.column for each in outcomes)), rows)
    return Sheet("Table 2: heuristics as formulations", LEAD, (grid,), notes=(*compared_pairs(outcomes), *NOTES))


TABLE2 = Experiment(
    "table2", "The heuristics as formulations, and that they equal their formulas", agreement_cells, draw
)
