"""Figure 6: where β starts, the score that it ends with, and the weights that are left (Appendix C.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.entries import spread_entry
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import PLANETOID, dataset_title
from hlgnn.experiments.plain_model import DEPTH, LEAD, plain_cell, score_entry, score_point
from hlgnn.experiments.sheet import Chart, Grid, Series, Sheet
from hlgnn.experiments.weights import weight_series, weight_spreads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import Outcomes

STARTS = {
    "KI, γ = 0.9": ("ki", 0.9),
    "KI, γ = 0.5": ("ki", 0.5),
    "RWR, α = 0.2": ("rwr", 0.2),
    "RWR, α = 0.8": ("rwr", 0.8),
    "random": ("random", 1.0),
    "uniform": ("uniform", 0.0),
    "reverse KI, γ = 0.5": ("reverse-ki", 0.5),
    "final layer": ("final-layer", 0.0),
}
"""The six of Appendix C.1, with the printed parameters, with that of our presets and with that of decision 0004."""

SMALL_STARTS = ("KI, γ = 0.9", "RWR, α = 0.2", "random", "final layer")


def start_changes(name: str) -> tuple[str, ...]:
    """The settings of a start at the depth of the paper."""
    kind, parameter = STARTS[name]
    chosen = (f"model.propagation.beta_init={kind}", f"model.propagation.beta_parameter={parameter}")
    return (f"model.propagation.depth={DEPTH}", *chosen)


def cells(scale: Scale) -> list[Cell]:
    """Every start on every data set."""
    small = scale is Scale.SMALL
    return [
        plain_cell(each, scale, *start_changes(name), row=name, column=dataset_title(each))
        for each in (("cora",) if small else PLANETOID)
        for name in (SMALL_STARTS if small else STARTS)
    ]


def draw(outcomes: Outcomes) -> Sheet:
    """Scores of all starts, and for each data set the weights after training."""
    known = [each for each in PLANETOID if dataset_title(each) in outcomes.columns()]
    return Sheet(
        "Figure 6: where β starts",
        f"{LEAD} L = {DEPTH}; β is learned from each start.",
        (_grid(outcomes, known), _kept(outcomes, known)),
        (_scores(outcomes, known), *(_weights(outcomes, each) for each in known)),
        (
            "The paper prints pictures and no numbers, for Cora, Citeseer, Pubmed and ogbl-collab; ogbl-collab does "
            "not fit this scale.",
            "Random weights are drawn anew for each seed, so that their mean over seeds says little.",
            "Charts of weights show β_l divided by the largest magnitude of each seed. After a few epochs β is nearly "
            "where it started: that starts end with equal scores does not mean that they end with equal weights.",
        ),
    )


def _grid(outcomes: Outcomes, datasets: Sequence[str]) -> Grid:
    rows = tuple(
        (name, tuple(score_entry(outcomes.at(name, dataset_title(each)), each) for each in datasets))
        for name in outcomes.rows()
    )
    titles = (f"{dataset_title(each)}, {DATASETS[each].metric}" for each in datasets)
    return Grid("Test scores in percent", ("start", *titles), rows)


def _kept(outcomes: Outcomes, datasets: Sequence[str]) -> Grid:
    rows = tuple(
        (name, tuple(spread_entry(outcomes.at(name, dataset_title(each)), "best_epoch", digits=0) for each in datasets))
        for name in outcomes.rows()
    )
    return Grid("The epoch that validation keeps", ("start", *map(dataset_title, datasets)), rows)


def _scores(outcomes: Outcomes, datasets: Sequence[str]) -> Chart:
    series = []
    for each in datasets:
        points = (score_point(outcomes.at(name, dataset_title(each)), each, name) for name in outcomes.rows())
        if found := tuple(point for point in points if point is not None):
            series.append(Series(dataset_title(each), found, joined=False))
    return Chart("Scores after training", "start of β", "hits@100, percent", tuple(series))


def _weights(outcomes: Outcomes, dataset: str) -> Chart:
    title = dataset_title(dataset)
    series = [
        each
        for name in outcomes.rows()
        for each in weight_series(name, weight_spreads(outcomes.at(name, title), scaled=True))
    ]
    return Chart(f"Weights after training on {title}", "order l", "β_l / max |β|", tuple(series))


FIGURE6 = Experiment("figure6", "Six starts of β: scores and the weights they end with", cells, draw)
