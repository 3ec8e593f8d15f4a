"""The default preset with one change at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.entries import spread_entry
from hlgnn.experiments.experiment import Scale
from hlgnn.experiments.methods import PLANETOID, dataset_title, training_cell
from hlgnn.experiments.paired import paired_entry
from hlgnn.experiments.sheet import Entry, Grid

if TYPE_CHECKING:
    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import Outcomes

DEFAULT = "default"
CHANGES = {
    DEFAULT: (),
    "without crowding": ("model.head.crowding=[]",),
    "without walks": ("model.head.walks=0",),
    "without alike nodes": ("model.head.similar=[]",),
    "without the other's neighbours": ("model.head.across=[]",),
    "without walkers and degrees": ("model.head.profile=0",),
    "without the metric of the links": ("model.head.metric=[]",),
    "without the matrix of orders": ("model.head.order_matrix=[]",),
    "without degrees and common neighbours": ("model.head.pair_features=false",),
    "orders, degrees and crowding alone": (
        *("model.head.walks=0", "model.head.similar=[]", "model.head.across=[]"),
        *("model.head.profile=0", "model.head.metric=[]"),
    ),
    "a linear head": ("model.head.layers=1",),
    "β as at first": ("model.propagation.learn_beta=false",),
    "links seen while predicted": ("train.hide=none",),
    "two layers": ("model.head.layers=2",),
    "five folds": ("train.folds=5", "train.used_folds=0"),
    "selected by Hits@100": ("train.select=protocol", "train.select_at_rate=true"),
    "selected by the given negatives only": ("train.selection_negatives=0",),
    "with products of Z": ("model.head.product=true",),
    "operators of the row": ("model.propagation.operators=row",),
}
"""What is changed, by what it is called."""

PROTOCOLS = ("paper", "ncn")
SEEDS = tuple(range(200, 205))
"""Seeds that are used for nothing else than choices."""


def ablation_cells(scale: Scale) -> list[Cell]:
    """Every change on the Planetoid graphs under two protocols; on a small scale two changes on Cora."""
    if scale is Scale.SMALL:
        few = [DEFAULT, "without walks"]
        return [_cell(name, "cora", "paper", scale, (200,)) for name in few]
    return [
        _cell(name, dataset, protocol, scale, SEEDS)
        for protocol in PROTOCOLS
        for dataset in PLANETOID
        for name in CHANGES
    ]


def ablation_grids(outcomes: Outcomes) -> list[Grid]:
    """For each protocol the scores, and the differences to the default seed by seed, of data sets that have any."""
    return [_grid(outcomes, protocol) for protocol in PROTOCOLS if _run_on(outcomes, protocol)]


def ablations_to_run(outcomes: Outcomes) -> str:
    """A sentence on what no change is run of, or nothing.

    Example:
        >>> from hlgnn.experiments.outcomes import CellOutcome, Outcomes
        >>> cells = ablation_cells(Scale.SMALL)
        >>> ablations_to_run(Outcomes(Scale.SMALL, tuple(CellOutcome(each, {}, {}, "") for each in cells)))
        'No ablation is run yet under paper on Cora.'
    """
    left = []
    for protocol in PROTOCOLS:
        known, run = outcomes.columns(_part(protocol)), _run_on(outcomes, protocol)
        names = [dataset_title(each) for each in PLANETOID if dataset_title(each) in known and each not in run]
        left += [f"under {protocol} on {', '.join(names)}"] if names else []
    return f"No ablation is run yet {'; '.join(left)}." if left else ""


def _cell(name: str, dataset: str, protocol: str, scale: Scale, seeds: tuple[int, ...]) -> Cell:
    part = _part(protocol)
    return training_cell("hlgnn", dataset, protocol, scale, row=name, part=part, changes=CHANGES[name], seeds=seeds)


def _part(protocol: str) -> str:
    return f"ablations, {protocol}"


def _run_on(outcomes: Outcomes, protocol: str) -> list[str]:
    """The data sets of which a result is stored, of the default or of a change."""
    run = {each.cell.column for each in outcomes if each.cell.part == _part(protocol) and each.results}
    return [each for each in PLANETOID if dataset_title(each) in run]


def _grid(outcomes: Outcomes, protocol: str) -> Grid:
    part, datasets = _part(protocol), _run_on(outcomes, protocol)
    titles = tuple(
        title for each in datasets for title in (f"{dataset_title(each)}, {DATASETS[each].metric}", "difference")
    )
    rows = tuple(
        (name, tuple(entry for each in datasets for entry in _entries(outcomes, part, name, each)))
        for name in outcomes.rows(part)
    )
    return Grid(f"Protocol {protocol}: the default with one change, seeds 200–204", ("change", *titles), rows)


def _entries(outcomes: Outcomes, part: str, name: str, dataset: str) -> tuple[Entry, Entry]:
    title, path = dataset_title(dataset), ("test", DATASETS[dataset].metric)
    changed, default = outcomes.at(name, title, part), outcomes.at(DEFAULT, title, part)
    difference = Entry("") if name == DEFAULT else paired_entry(changed, default, *path, scale=100.0)
    return spread_entry(changed, *path, scale=100.0), difference
