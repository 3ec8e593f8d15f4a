"""Table 10: a matrix, an activation, or both in every layer (Appendix C.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.entries import printed_number, published
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import AMAZON, PLANETOID, dataset_title
from hlgnn.experiments.plain_model import DEPTH, LEAD, plain_cell, score_entry
from hlgnn.experiments.sheet import Entry, Grid, Sheet

if TYPE_CHECKING:
    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import Outcomes

SHALLOW = 3
"""The text says that a transformation does best with fewer than five layers."""

RELU, MATRIX = "model.propagation.activation=relu", "model.propagation.transformation=true"
VARIANTS: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "HL-GNN": ("hlgnn", DEPTH, ()),
    "with ReLU": ("relu", DEPTH, (RELU,)),
    f"with transformation, L = {SHALLOW}": ("transformation", SHALLOW, (MATRIX,)),
    f"with ReLU and transformation, L = {SHALLOW}": ("both", SHALLOW, (RELU, MATRIX)),
    f"HL-GNN, L = {SHALLOW}": ("", SHALLOW, ()),
    "with transformation": ("", DEPTH, (MATRIX,)),
    "with ReLU and transformation": ("", DEPTH, (RELU, MATRIX)),
}
"""Each row: the printed one that it stands beside, its depth, and its settings."""

DATASETS_OF_TABLE = (*PLANETOID, *AMAZON, "ogbl-ddi")
DDI_DEPTHS = {DEPTH: 15, SHALLOW: SHALLOW}
"""On ogbl-ddi the paper has L = 15 (Table 9)."""

DDI_CHANGES = ("model.input.embedding_width=256", "train.epochs=50")
"""Layers that are not linear have no shortcut: half the width and a quarter of the epochs, for all rows."""


def cells(scale: Scale) -> list[Cell]:
    """Every variant on every data set; the first four at a small scale."""
    if scale is Scale.SMALL:
        return [_cell("cora", name, scale) for name in list(VARIANTS)[:4]]
    return [_cell(each, name, scale) for each in DATASETS_OF_TABLE for name in VARIANTS]


def _cell(dataset: str, name: str, scale: Scale) -> Cell:
    _, depth, changes = VARIANTS[name]
    shorter: tuple[str, ...] = ()
    if dataset == "ogbl-ddi":
        depth, shorter = DDI_DEPTHS[depth], DDI_CHANGES
    told = (f"model.propagation.depth={depth}", *changes, *shorter)
    return plain_cell(dataset, scale, *told, row=name, column=dataset_title(dataset))


def draw(outcomes: Outcomes) -> Sheet:
    """The four printed rows, and what they would be at the other depth."""
    known = [each for each in DATASETS_OF_TABLE if dataset_title(each) in outcomes.columns()]
    rows = tuple((name, tuple(_entry(outcomes, name, each) for each in known)) for name in outcomes.rows())
    titles = (f"{dataset_title(each)}, {DATASETS[each].metric}" for each in known)
    return Sheet(
        "Table 10: with transformation and activation",
        f"{LEAD} L = {DEPTH}, and {DDI_DEPTHS[DEPTH]} on ogbl-ddi, unless a row says otherwise; on "
        "ogbl-ddi vectors of 256 and 50 epochs.",
        (Grid("Test scores in percent", ("variant", *titles), rows),),
        notes=(
            "Rows compare within a column; printed numbers come from a wider head (Table 9).",
            "The paper gives no depth for its rows with a transformation but that it is below five.",
        ),
    )


def _entry(outcomes: Outcomes, name: str, dataset: str) -> Entry:
    printed = published("table10").get(VARIANTS[name][0], {}).get(dataset)
    return score_entry(outcomes.at(name, dataset_title(dataset)), dataset, beside=printed_number(printed))


TABLE10 = Experiment("table10", "HL-GNN with a transformation or an activation in every layer", cells, draw)
