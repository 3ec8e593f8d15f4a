"""HL-GNN with a head that reads Z and nothing else: what the questions about Z are asked of.

The head of our presets also reads common neighbours and cosines between fixed orders, which know depth and orders
whatever β is. Without them all that a pair is scored by comes through Z = Σ β_l A_l ⋯ A_1 X, so that depth, range,
start and operators can show what they are worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.entries import spread_entry, spread_point
from hlgnn.experiments.experiment import Scale
from hlgnn.experiments.methods import training_cell
from hlgnn.jobs.run_settings import default_protocol

if TYPE_CHECKING:
    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.entries import Published
    from hlgnn.experiments.outcomes import CellOutcome
    from hlgnn.experiments.sheet import Entry, Point

DEPTH = 20
"""L of the paper on graphs with features (Table 9)."""

PRESET = "plain"
"""It does not follow the default preset, and keeps a run on larger graphs within half an hour."""

FEW, USUAL = 3, 5
LEAD = (
    "HL-GNN by the preset plain, whose head reads z_i and z_j alone: the numbers of pairs that the default preset adds "
    "would know more than Z. Each link is hidden while it is predicted; every seed has a split of its own."
)


def plain_cell(dataset: str, scale: Scale, *changes: str, row: str, column: str, part: str = "") -> Cell:
    """The model with some settings changed, under ``ogb`` or ``paper``."""
    return training_cell(
        "hlgnn",
        dataset,
        default_protocol(dataset),
        scale,
        row=row,
        column=column,
        part=part,
        preset=PRESET,
        changes=changes,
        seeds=plain_seeds(dataset, scale),
    )


def plain_seeds(dataset: str, scale: Scale) -> tuple[int, ...]:
    """Five seeds where a run takes seconds, three where it takes minutes."""
    if scale is Scale.SMALL:
        return (0,)
    return tuple(range(USUAL if dataset in {"cora", "citeseer"} else FEW))


def score_entry(outcome: CellOutcome | None, dataset: str, *, beside: Published | None = None) -> Entry:
    """The metric of a data set on its test links, in percent."""
    return spread_entry(outcome, "test", DATASETS[dataset].metric, scale=100.0, beside=beside)


def score_point(outcome: CellOutcome | None, dataset: str, x: float | str) -> Point | None:
    """The same as a point of a curve, if there is a result."""
    found = None if outcome is None else outcome.spread("test", DATASETS[dataset].metric, scale=100.0)
    return None if found is None else spread_point(x, found)
