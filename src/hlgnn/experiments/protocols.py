"""Ours: the same methods under the protocols that the printed comparison mixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.data import PROTOCOLS
from hlgnn.experiments.entries import printed_number, published, spread_entry, spread_point
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import PLANETOID, dataset_title, title_of, training_cell
from hlgnn.experiments.paired import paired_entry
from hlgnn.experiments.sheet import Chart, Entry, Grid, Series, Sheet
from hlgnn.experiments.table4 import PRINTED_UNDER
from hlgnn.report.numbers import MISSING, signed

if TYPE_CHECKING:
    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import Outcomes, Spread

METHODS = ("hlgnn", "buddy", "gcn", "cn")
OURS = "hlgnn"
SPLITS = ("paper", "ncn", "buddy")
LEAD = (
    "Table 4 prints HL-GNN under 85/5/10 beside numbers that were published under 70/10/20, where fewer links are "
    "known and twice as many are asked for. Here each method has its default preset under every protocol; a margin is "
    "read along a column, never across. Mean and deviation over seeds, in percent; margins are taken seed by seed, "
    "with Student's interval of 95 %."
)


def cells(scale: Scale) -> list[Cell]:
    """The cells of Table 4 for four methods under three protocols."""
    small = scale is Scale.SMALL
    return [
        training_cell(method, each, protocol, scale, column=protocol, part=dataset_title(each))
        for each in (("cora",) if small else PLANETOID)
        for protocol in (("paper",) if small else SPLITS)
        for method in METHODS
    ]


def draw(outcomes: Outcomes) -> Sheet:
    """For each data set the scores and the margin of HL-GNN, and a chart."""
    known = [each for each in PLANETOID if dataset_title(each) in outcomes.parts()]
    notes = tuple(f"{name}: {PROTOCOLS[name].description}" for name in SPLITS)
    return Sheet(
        "Protocols: one method, several numbers",
        LEAD,
        tuple(grid for each in known for grid in (_scores(outcomes, each), _margins(outcomes, each))),
        tuple(_chart(outcomes, each) for each in known),
        notes,
    )


def _scores(outcomes: Outcomes, dataset: str) -> Grid:
    part, metric = dataset_title(dataset), DATASETS[dataset].metric
    columns = outcomes.columns(part)
    rows = []
    for method in METHODS:
        printed = printed_number(published("table4").get(method, {}).get(dataset))
        entries = (
            spread_entry(
                outcomes.at(title_of(method), name, part),
                *("test", metric),
                scale=100.0,
                beside=printed if _belongs(method, name) else None,
            )
            for name in columns
        )
        rows.append((title_of(method), tuple(entries)))
    return Grid(f"{part}, {metric}", ("method", *columns), tuple(rows))


def _belongs(method: str, protocol: str) -> bool:
    """Whether Table 4's number was made under this protocol: only that of HL-GNN is the paper's own."""
    return protocol == "paper" if method == OURS else method in PRINTED_UNDER.get(protocol, ())


def _margins(outcomes: Outcomes, dataset: str) -> Grid:
    """HL-GNN less each other method, under one protocol at a time, beside the margin that the paper prints."""
    part = dataset_title(dataset)
    columns = outcomes.columns(part)
    rows = tuple(
        (
            f"less {title_of(method)}",
            (*(_margin(outcomes, method, dataset, name) for name in columns), Entry(_printed_margin(method, dataset))),
        )
        for method in METHODS
        if method != OURS
    )
    return Grid(f"{part}: points of {title_of(OURS)} above the others", ("margin", *columns, "printed, mixed"), rows)


def _margin(outcomes: Outcomes, method: str, dataset: str, protocol: str) -> Entry:
    ours, other = (outcomes.at(title_of(each), protocol, dataset_title(dataset)) for each in (OURS, method))
    return paired_entry(ours, other, "test", DATASETS[dataset].metric, scale=100.0)


def _printed_margin(method: str, dataset: str) -> str:
    ours, other = (printed_number(published("table4").get(each, {}).get(dataset)) for each in (OURS, method))
    return MISSING if ours is None or other is None else signed(ours.mean - other.mean, 2)


def _spread(outcomes: Outcomes, method: str, dataset: str, protocol: str) -> Spread | None:
    outcome = outcomes.at(title_of(method), protocol, dataset_title(dataset))
    return None if outcome is None else outcome.spread("test", DATASETS[dataset].metric, scale=100.0)


def _chart(outcomes: Outcomes, dataset: str) -> Chart:
    part = dataset_title(dataset)
    series = []
    for method in METHODS:
        spreads = ((name, _spread(outcomes, method, dataset, name)) for name in outcomes.columns(part))
        if points := tuple(spread_point(name, found) for name, found in spreads if found is not None):
            series.append(Series(title_of(method), points, joined=False))
    return Chart(part, "protocol", f"{DATASETS[dataset].metric}, percent", tuple(series))


PROTOCOLS_EXPERIMENT = Experiment("protocols", "One method under several protocols", cells, draw)
