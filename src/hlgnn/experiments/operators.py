"""Ours: the operators of Eq. 3 in four forms, what they are worth, and how far their products stretch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.entries import spread_point
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import PLANETOID, dataset_title
from hlgnn.experiments.outcomes import Spread
from hlgnn.experiments.plain_model import DEPTH, LEAD, plain_cell, score_entry
from hlgnn.experiments.sheet import Chart, Grid, Series, Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import CellOutcome, Outcomes
    from hlgnn.experiments.sheet import Point

OPERATORS = ("sym", "mixture", "geometric", "literal-mixture")
SMALL_OPERATORS = ("sym", "literal-mixture")
STAGES = {"start": "before training", "learned": "after training"}


def cells(scale: Scale) -> list[Cell]:
    """Every form of operators at the depth of the paper; a run and the growth of its products are one cell."""
    small = scale is Scale.SMALL
    return [
        replace(_cell(each, name, scale), task="operator-growth")
        for each in (("cora",) if small else PLANETOID)
        for name in (SMALL_OPERATORS if small else OPERATORS)
    ]


def _cell(dataset: str, name: str, scale: Scale) -> Cell:
    changes = (f"model.propagation.depth={5 if scale is Scale.SMALL else DEPTH}", f"model.propagation.operators={name}")
    return plain_cell(dataset, scale, *changes, row=name, column=dataset_title(dataset))


def draw(outcomes: Outcomes) -> Sheet:
    """Scores, and for each data set the radius and the norm of A_l ⋯ A_1."""
    known = [each for each in PLANETOID if dataset_title(each) in outcomes.columns()]
    rows = tuple(
        (name, tuple(score_entry(outcomes.at(name, dataset_title(each)), each) for each in known))
        for name in outcomes.rows()
    )
    titles = (f"{dataset_title(each)}, {DATASETS[each].metric}" for each in known)
    return Sheet(
        "Operators: fixed, mixed, and how far their products stretch",
        f"{LEAD} sym is Ã_sym; literal-mixture is Eq. 3 as printed; mixture divides it by a bound of its radius and "
        "starts near Ã_sym; geometric is D^-(1-s) Ã D^-s with one learned s for each layer (decision 0003).",
        (Grid("Test scores in percent", ("operators", *titles), rows),),
        tuple(_chart(outcomes, each, measure) for each in known for measure in ("radius", "norm")),
        (
            "Sect. 4.1 says that eigenvalues of the mixture lie in [0, 1], so that products stay bounded.",
            "The product of l equal operators has the l-th power of their radius; that of different ones need not.",
        ),
    )


def growth_spreads(outcome: CellOutcome | None, stage: str, measure: str) -> list[Spread]:
    """The measure of A_l ⋯ A_1 over the seeds, for l = 1 … L; empty if there is no result."""
    found = [] if outcome is None else [result[stage][measure] for result in outcome.results.values()]
    return [Spread(tuple(column)) for column in zip(*found, strict=True)]


def _chart(outcomes: Outcomes, dataset: str, measure: str) -> Chart:
    title = dataset_title(dataset)
    series = []
    for name in outcomes.rows():
        for stage, words in STAGES.items():
            spreads = growth_spreads(outcomes.at(name, title), stage, measure)
            if spreads and (stage == "learned" or name != "sym"):
                series.append(Series(name if name == "sym" else f"{name}, {words}", _points(spreads)))
    what = {"radius": "Spectral radius", "norm": "Spectral norm"}[measure]
    return Chart(f"{what} of A_l ⋯ A_1 on {title}", "order l", what.lower(), tuple(series), log_y=True)


def _points(spreads: Sequence[Spread]) -> tuple[Point, ...]:
    return tuple(spread_point(float(level), spread) for level, spread in enumerate(spreads, start=1))


OPERATORS_EXPERIMENT = Experiment("operators", "Four forms of operators: quality, and growth over depth", cells, draw)
