"""Figure 4: the weights β_l that HL-GNN has learned (Sect. 5.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hlgnn.experiments.entries import UNTRAINED, kept_start, published
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.figure3 import depth_cell
from hlgnn.experiments.methods import AMAZON, PLANETOID, dataset_title, training_cell
from hlgnn.experiments.plain_model import DEPTH
from hlgnn.experiments.sheet import Chart, Entry, Grid, Sheet
from hlgnn.experiments.weights import exact_series, kept_epochs, scaled_to_one, weight_series, weight_spreads
from hlgnn.jobs.run_settings import default_protocol
from hlgnn.report.numbers import MISSING

if TYPE_CHECKING:
    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import CellOutcome, Outcomes

TABLE, PLAIN = "runs of Table 4", "head that reads Z alone"
"""Where weights come from: our preset, and the model of Figure 3 at the depth of the paper."""

PRINTED = "printed, first ten"
TABLE_DATASETS = (*PLANETOID, *AMAZON, "ogbl-collab", "ogbl-ddi")
PLAIN_DEPTHS = {**dict.fromkeys(PLANETOID, DEPTH), "ogbl-ddi": 15}


def cells(scale: Scale) -> list[Cell]:
    """The cells of HL-GNN in Table 4, and those of Figure 3 at L = 20, and 15 for ogbl-ddi."""
    small = scale is Scale.SMALL
    table = [
        training_cell("hlgnn", each, default_protocol(each), scale, row=TABLE)
        for each in (("cora",) if small else TABLE_DATASETS)
    ]
    plain = [
        replace(depth_cell(each, PLAIN_DEPTHS[each], scale), row=PLAIN, column=dataset_title(each))
        for each in (("cora",) if small else PLAIN_DEPTHS)
    ]
    return table + plain


def draw(outcomes: Outcomes) -> Sheet:
    """One chart for each data set, and the order with the largest weight."""
    known = [each for each in TABLE_DATASETS if dataset_title(each) in outcomes.columns()]
    rows = tuple(
        (dataset_title(each), (*(_largest(outcomes, name, each) for name in (TABLE, PLAIN)), _printed_largest(each)))
        for each in known
    )
    return Sheet(
        "Figure 4: learned weights of the orders",
        "β_l divided by the largest magnitude of each seed, since a head undoes any factor of Z; mean and deviation "
        "over seeds. Our preset also reads cosines between orders, so that β has less to learn in the runs of Table 4.",
        (Grid("The order with the largest |β|", ("data set", TABLE, PLAIN, "printed"), rows),),
        tuple(_chart(outcomes, each) for each in known),
        (
            "Figure 4 itself is a picture; the printed weights are those of Appendix C.2.",
            "Validation chooses the epoch whose weights are shown. Where that is one of the first, they are nearly "
            "those that β starts with, and say little about the graph.",
        ),
    )


def _chart(outcomes: Outcomes, dataset: str) -> Chart:
    title = dataset_title(dataset)
    ours = (
        weight_series(name, weight_spreads(_learned(outcomes, name, title), scaled=True)) for name in (TABLE, PLAIN)
    )
    printed = exact_series(PRINTED, scaled_to_one(published("equations").get(dataset, [])))
    return Chart(title, "order l", "β_l / max |β|", (*(each for found in ours for each in found), *printed))


def _learned(outcomes: Outcomes, name: str, title: str) -> CellOutcome | None:
    """A cell, unless its weights are those that it began with."""
    outcome = outcomes.at(name, title)
    return None if outcome is None or kept_start(outcome) else outcome


def _largest(outcomes: Outcomes, name: str, dataset: str) -> Entry:
    """The order whose weight is largest, and for how many seeds."""
    outcome = outcomes.at(name, dataset_title(dataset))
    if outcome is not None and kept_start(outcome):
        return Entry(MISSING, note=UNTRAINED)
    weights = [] if outcome is None else [each["beta"] for each in outcome.results.values() if each.get("beta")]
    if not weights:
        return Entry(MISSING, mark="missing", note=outcome.skipped if outcome is not None else "")
    orders = [_argmax(each) for each in weights]
    most = max(sorted(set(orders)), key=orders.count)
    kept = kept_epochs(outcome)
    return Entry(f"{most}, {orders.count(most)} of {len(orders)} seeds", note=f"weights of {kept}" if kept else "")


def _printed_largest(dataset: str) -> Entry:
    weights = published("equations").get(dataset)
    return Entry(str(_argmax(weights))) if weights else Entry(MISSING, mark="missing")


def _argmax(weights: list[float]) -> int:
    return max(range(len(weights)), key=lambda order: abs(weights[order]))


FIGURE4 = Experiment("figure4", "Learned weights of the orders", cells, draw)
