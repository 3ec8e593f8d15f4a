"""Table 7: seconds of training from scratch, and of the predictor alone on the learned heuristic (Sect. 5.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hlgnn.experiments.entries import printed_number, published, spread_entry
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import AMAZON, PLANETOID, dataset_title
from hlgnn.experiments.plain_model import plain_cell
from hlgnn.experiments.sheet import Grid, Sheet

if TYPE_CHECKING:
    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import Outcomes

ROWS = {"From scratch": "scratch", "Predictor only": "predictor"}
"""The rows of Tables 7 and 11, and where their results are."""

RUN = "both runs"
PRINTED_ONLY = ("ogbl-collab", "ogbl-ddi")
LEAD = (
    "Each seed learns β and the head from scratch, and then the head alone on the H that it has found, on the same "
    "split with the same input and settings. The input is reduced by singular vectors and not learned, so that "
    "nothing but β differs; the head reads z_i and z_j alone."
)
VECTORS = (
    "On ogbl-collab and ogbl-ddi the vectors of nodes are learned: a predictor alone would have no input to start from."
)


def cells(scale: Scale) -> list[Cell]:
    """One cell for each data set has both runs."""
    return [
        replace(plain_cell(each, scale, row=RUN, column=dataset_title(each)), task="predictor-only")
        for each in (("cora",) if scale is Scale.SMALL else (*PLANETOID, *AMAZON))
    ]


def draw(outcomes: Outcomes) -> Sheet:
    """Seconds in all, seconds of epochs, and the epoch that was kept."""
    grids = (
        _grid(outcomes, "Seconds in all: split, input, product with H, training, evaluation", "whole_seconds", 1),
        _grid(outcomes, "Seconds of training epochs", "seconds", 1, beside="table7"),
        _grid(outcomes, "The epoch that is kept", "best_epoch", 0),
    )
    return Sheet(
        "Table 7: predictor only, time",
        LEAD,
        grids,
        notes=(VECTORS, "Printed seconds are those of a graphics card, ours of one core: compare rows, not numbers."),
    )


def columns_of(outcomes: Outcomes, *others: str) -> list[str]:
    """The data sets that are shown: those of the cells, and those that are only printed."""
    return [each for each in (*PLANETOID, *AMAZON) if dataset_title(each) in outcomes.columns()] + list(others)


def _grid(outcomes: Outcomes, title: str, value: str, digits: int, *, beside: str = "") -> Grid:
    datasets = columns_of(outcomes, *(PRINTED_ONLY if beside else ()))
    rows = []
    for name, key in ROWS.items():
        printed = (published(beside) if beside else {}).get(key, {})
        entries = []
        for each in datasets:
            outcome, number = outcomes.at(RUN, dataset_title(each)), printed_number(printed.get(each))
            entries.append(spread_entry(outcome, key, value, digits=digits, beside=number))
        # Times of other machines are no claim that ours could be above or below.
        rows.append((name, tuple(replace(each, mark=each.mark if each.mark == "missing" else "") for each in entries)))
    return Grid(title, ("training", *map(dataset_title, datasets)), tuple(rows))


TABLE7 = Experiment("table7", "Seconds of training from scratch and of the predictor alone", cells, draw)
