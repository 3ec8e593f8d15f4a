"""Table 1: every matrix equals its expression, entry by entry and as a product with features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.agreement_entries import ROUNDING, agreement_cells, compared_pairs, difference_entry
from hlgnn.experiments.entries import published
from hlgnn.experiments.experiment import Experiment
from hlgnn.experiments.sheet import Entry, Grid, Sheet

if TYPE_CHECKING:
    from hlgnn.experiments.outcomes import Outcomes

LEAD = (
    "The largest difference between an entry of a matrix as the formulation computes it and the same entry from sets "
    "of neighbours, Γ_i with i itself; and of the product of the matrix with features, which is what HL-GNN uses. "
    f"Marked where it is more than {ROUNDING:g} of the largest entry."
)


def draw(outcomes: Outcomes) -> Sheet:
    """One row for each matrix, with two differences on each kind of graph."""
    kinds = [(each, kind) for each in outcomes for kind in ("operators", "products")]
    titles = [f"{each.cell.column}, {'entries' if kind == 'operators' else 'product'}" for each, kind in kinds]
    rows = tuple(
        (
            printed["title"],
            (
                Entry(printed["notation"]),
                Entry(printed["expression"]),
                *(difference_entry(each, kind, name) for each, kind in kinds),
            ),
        )
        for name, printed in published("table1").items()
    )
    grid = Grid("Differences from the expressions", ("matrix", "notation", "expression", *titles), rows)
    return Sheet("Table 1: adjacency matrices", LEAD, (grid,), notes=compared_pairs(outcomes))


TABLE1 = Experiment("table1", "The propagation operators, and that they equal their expressions", agreement_cells, draw)
