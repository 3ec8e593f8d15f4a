"""Table 9: hyperparameters, read from the presets: those of the paper as printed, and those that are used here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from hlgnn.experiments.entries import published
from hlgnn.experiments.experiment import Experiment
from hlgnn.experiments.methods import AMAZON, OGB, PLANETOID, dataset_title
from hlgnn.experiments.sheet import Entry, Grid, Sheet
from hlgnn.jobs.presets import settings_for
from hlgnn.report.numbers import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.experiment import Scale
    from hlgnn.experiments.outcomes import Outcomes
    from hlgnn.jobs.run_settings import RunSettings

COLUMNS = (*PLANETOID, *AMAZON, *OGB)
ROWS = {
    "depth": "layers",
    "hidden": "hidden width",
    "embedding_width": "width of learned vectors",
    "beta_init": "start of β",
    "beta_parameter": "parameter of the start",
    "head_layers": "layers of the head",
    "head_hidden": "hidden width of the head",
    "optimizer": "optimizer",
    "loss": "loss",
    "learning_rate": "learning rate",
    "epochs": "epochs, at most",
    "dropout": "dropout",
}
"""The rows of the printed table."""

FURTHER = {
    "operators": "operators",
    "input": "input",
    "head": "head",
    "beta_rate": "rate of β",
    "weight_decay": "weight decay",
    "batch_size": "batch size",
    "hide": "links hidden while predicted",
    "patience": "patience",
}
"""What the printed table does not tell."""

LOSSES = {"bce": "BCE", "adaptive-hinge-auc": "AUC"}
"""Objectives by their names in the paper."""

TITLES = {"paper": "Preset paper: the printed table", "default": "Preset default: what is trained here"}
LEAD = (
    "Both grids are made from the presets that come with the package. The first is the printed table, and nothing in "
    "it may be marked; the second is what our numbers are made with, and every mark is a deliberate difference."
)


def cells(scale: Scale) -> list[Cell]:
    """Nothing has to be run."""
    del scale
    return []


def draw(outcomes: Outcomes) -> Sheet:
    """One grid for each preset."""
    del outcomes
    return Sheet("Table 9: hyperparameters of HL-GNN", LEAD, tuple(_grid(preset) for preset in TITLES))


def _grid(preset: str) -> Grid:
    known = {each: hyperparameters(settings_for(each, preset=preset)) for each in COLUMNS}
    rows = tuple((title, tuple(_entry(known[each], key, each) for each in COLUMNS)) for key, title in ROWS.items())
    rows += tuple((title, tuple(Entry(_text(known[each][key])) for each in COLUMNS)) for key, title in FURTHER.items())
    return Grid(TITLES[preset], ("setting", *(dataset_title(each) for each in COLUMNS)), rows)


def hyperparameters(settings: RunSettings) -> dict[str, Any]:
    """The settings of HL-GNN in the terms of Table 9; ``None`` is what a model does not have."""
    model, train = settings.model.model_dump(), settings.train
    read, spread, head = model["input"], model["propagation"], model["head"]
    perceptron = head["kind"] in {"mlp", "residual"}
    used = {read["dropout"], *((head["dropout"],) if perceptron else ()), spread["dropout"]} - {0.0}
    return {
        "depth": spread["depth"],
        "hidden": read["hidden"] or None,
        "embedding_width": read["embedding_width"] if read["source"] in {"embedding", "both"} else None,
        "beta_init": spread["beta_init"],
        "beta_parameter": spread["beta_parameter"],
        "head_layers": head["layers"] if perceptron else None,
        "head_hidden": head["hidden"] if perceptron else None,
        "optimizer": "AdamW" if train.decay == "decoupled" and train.weight_decay else "Adam",
        "loss": LOSSES.get(train.objective, train.objective),
        "learning_rate": train.learning_rate,
        "epochs": train.epochs,
        "dropout": next(iter(used)) if len(used) == 1 else ", ".join(map(str, sorted(used))) or None,
        "operators": spread["operators"],
        "input": f"{read['source']}, reduced to {read['svd']}" if read["svd"] else read["source"],
        "head": head["kind"],
        "beta_rate": train.beta_rate,
        "weight_decay": train.weight_decay,
        "batch_size": train.batch_size,
        "hide": train.hide,
        "patience": train.patience or None,
    }


def _entry(known: Mapping[str, Any], key: str, dataset: str) -> Entry:
    ours, printed = known[key], published("table9")[dataset].get(key)
    return Entry(_text(ours), _text(printed), _mark(ours, printed))


def _mark(ours: Any, printed: Any) -> Literal["", "above", "below"]:
    """Values without an order are marked like numbers that are too small."""
    if ours == printed:
        return ""
    numbers = all(isinstance(each, int | float) for each in (ours, printed))
    return "above" if numbers and ours > printed else "below"


def _text(value: Any) -> str:
    return MISSING if value is None else str(value)


TABLE9 = Experiment("table9", "Hyperparameters: the printed table and the presets", cells, draw)
