"""Table 6: parameters, counted exactly, with the widths that the printed counts belong to and as they are trained here.

HL-GNN has two sets of widths in the paper: those of Table 6, and those of Table 9, with which Cora has 80.9 million
parameters (decision 0005).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlgnn.catalog import DATASETS
from hlgnn.experiments.cell import Cell
from hlgnn.experiments.entries import published
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import PLANETOID, dataset_title, title_of
from hlgnn.experiments.sheet import Entry, Grid, Sheet
from hlgnn.experiments.tasks.parameters import parameter_values
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.run_settings import default_protocol, make_run_settings
from hlgnn.report.numbers import MISSING, count

if TYPE_CHECKING:
    from typing import Literal

    from hlgnn.experiments.outcomes import Outcomes
    from hlgnn.jobs.run_settings import RunSettings

ROWS = ("gcn", "gat", "seal", "nbfnet", "neo-gnn", "buddy", "hlgnn")
COLUMNS = (*PLANETOID, "ogbl-collab", "ogbl-ddi")
AT_HAND = (*PLANETOID, "ogbl-ddi")
"""Data sets whose files are read; the others are known by their cards."""

_STACK: dict[str, Any] = {"layers": 3, "hidden": 256, "head": {"kind": "mlp", "layers": 2, "hidden": 256}}
WIDTHS: dict[str, dict[str, Any]] = {
    "gcn": _STACK,
    "gat": _STACK,
    "neo-gnn": {**_STACK, "head": {**_STACK["head"], "layers": 3}},
    "seal": {"hidden": 256, "layers": 3},
    "buddy": {"hidden": 1024},
}
"""Layers and a head of width 256 with which counts are the printed ones on the Planetoid graphs, and the widths of the
authors' programs of SEAL and BUDDY; those of NBFNet are not known."""

WITHOUT_FEATURES = {"buddy": {"features": False, "embedding": True}}
"""What is set besides for a graph without features, where a method does not turn to vectors by itself."""

TITLES = {
    "table6": "Widths of Table 6",
    "table9": "Widths of Table 9 (HL-GNN alone)",
    "default": "As trained here",
}
LEAD = (
    "Trainable numbers of each model before training, beside the printed counts. A count is marked if it is not the "
    "printed one after rounding. The printed counts of GCN and HL-GNN are those of width 256, not those of Table 9."
)
NOTES = (
    "The paper does not print the widths of Table 6. Those of GCN, GAT, Neo-GNN and HL-GNN were found by matching the "
    "printed counts of the Planetoid graphs, so that these counts agree is no evidence of its own.",
    "Vectors that are learned for each node count as parameters.",
    "For ogbl-collab models are built on as many nodes and features as its card says.",
    "The widths of SEAL and NBFNet, and those of GAT on the graphs of OGB, are not printed and remain unknown.",
)
UNITS = {"k": 1e3, "M": 1e6}


def cells(scale: Scale) -> list[Cell]:
    """One for each method, data set and set of widths."""
    if scale is Scale.SMALL:
        wanted = (("gcn", "table6"), ("hlgnn", "table6"), ("hlgnn", "default"))
        return [_cell(method, "cora", part) for method, part in wanted]
    wide = [_cell(method, dataset, "table6") for method in (*WIDTHS, "hlgnn") for dataset in _known(method)]
    literal = [_cell("hlgnn", dataset, "table9") for dataset in COLUMNS]
    return [*wide, *literal, *(_cell(method, dataset, "default") for method in ROWS for dataset in AT_HAND)]


def _known(method: str) -> tuple[str, ...]:
    """Where a method can be built: SEAL reads its graph for that."""
    return AT_HAND if method == "seal" else COLUMNS


def _cell(method: str, dataset: str, part: str) -> Cell:
    built_on: Literal["card", "split"] = "split" if part == "default" or method == "seal" else "card"
    values = parameter_values(_settings(method, dataset, part), built_on)
    return Cell(title_of(method), dataset_title(dataset), "parameters", values, part=part)


def _settings(method: str, dataset: str, part: str) -> RunSettings:
    protocol = default_protocol(dataset)
    if method in WIDTHS and part == "table6":
        vectors = WITHOUT_FEATURES.get(method, {}) if DATASETS[dataset].num_features == 0 else {}
        told = {"dataset": dataset, "protocol": protocol, "model_name": method, "model": WIDTHS[method] | vectors}
        return make_run_settings(told)
    preset = {"table6": "small", "table9": "paper"}.get(part, "default")
    return settings_for(dataset, model_name=method, preset=preset, protocol=protocol)


def draw(outcomes: Outcomes) -> Sheet:
    """One grid for each set of widths."""
    return Sheet("Table 6: parameters", LEAD, tuple(_grid(outcomes, part) for part in outcomes.parts()), notes=NOTES)


def _grid(outcomes: Outcomes, part: str) -> Grid:
    methods = ("hlgnn",) if part == "table9" else ROWS
    rows = tuple(
        (title_of(each), tuple(_entry(outcomes, each, column, part) for column in COLUMNS)) for each in methods
    )
    return Grid(TITLES[part], ("method", *(dataset_title(each) for each in COLUMNS)), rows)


def _entry(outcomes: Outcomes, method: str, dataset: str, part: str) -> Entry:
    printed: str = published("table6").get(method, {}).get(dataset, "")
    outcome = outcomes.at(title_of(method), dataset_title(dataset), part)
    found = outcome.first("parameters") if outcome is not None else None
    if outcome is None or found is None:
        return Entry(MISSING, printed, "missing", outcome.skipped if outcome is not None else "")
    parts = ", ".join(f"{name} {count(size)}" for name, size in outcome.first("parts").items())
    if not printed or rounds_to(found, printed):
        return Entry(count(found), printed, note=parts)
    return Entry(count(found), printed, "above" if found > printed_count(printed) else "below", parts)


def printed_count(printed: str) -> float:
    """The number that a printed count stands for.

    Example:
        >>> printed_count("1.15M"), printed_count("99k")
        (1150000.0, 99000.0)
    """
    return float(printed[:-1]) * UNITS[printed[-1]]


def rounds_to(found: int, printed: str) -> bool:
    """Whether a count is printed like this.

    Example:
        >>> rounds_to(433_174, "433k"), rounds_to(433_574, "433k")
        (True, False)
    """
    digits = len(printed[:-1].partition(".")[2])
    return f"{found / UNITS[printed[-1]]:.{digits}f}{printed[-1]}" == printed


TABLE6 = Experiment("table6", "Numbers of parameters, counted without training", cells, draw)
