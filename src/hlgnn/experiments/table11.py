"""Table 11: scores from scratch, and of the predictor alone on the learned heuristic (Appendix C.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.entries import printed_number, published, spread_entry
from hlgnn.experiments.experiment import Experiment
from hlgnn.experiments.methods import dataset_title
from hlgnn.experiments.sheet import Grid, Sheet
from hlgnn.experiments.table7 import LEAD, PRINTED_ONLY, ROWS, RUN, VECTORS, cells, columns_of

if TYPE_CHECKING:
    from hlgnn.experiments.outcomes import Outcomes
    from hlgnn.experiments.sheet import Entry


def draw(outcomes: Outcomes) -> Sheet:
    """Both rows beside the printed ones; the runs are those of Table 7."""
    datasets = columns_of(outcomes, *PRINTED_ONLY)
    titles = (f"{dataset_title(each)}, {DATASETS[each].metric}" for each in datasets)
    rows = tuple((name, tuple(_entry(outcomes, key, each) for each in datasets)) for name, key in ROWS.items())
    return Sheet(
        "Table 11: predictor only, score",
        LEAD,
        (Grid("Test scores in percent", ("training", *titles), rows),),
        notes=(VECTORS, "Rows compare within a column; printed numbers come from a wider head (Table 9)."),
    )


def _entry(outcomes: Outcomes, key: str, dataset: str) -> Entry:
    printed = published("table11").get(key, {}).get(dataset)
    path = (key, "test", DATASETS[dataset].metric)
    outcome = outcomes.at(RUN, dataset_title(dataset))
    return spread_entry(outcome, *path, scale=100.0, beside=printed_number(printed))


TABLE11 = Experiment("table11", "Scores from scratch and of the predictor alone", cells, draw)
