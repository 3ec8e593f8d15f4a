"""Table 5: seconds of an epoch. Ours are of a processor and the printed ones of a GPU, so only ratios compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hlgnn.experiments.cell import Cell
from hlgnn.experiments.entries import published
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import PLANETOID, dataset_title, title_of
from hlgnn.experiments.sheet import Entry, Grid, Sheet
from hlgnn.experiments.tasks.epoch import epoch_values
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.run_settings import default_protocol
from hlgnn.report.numbers import MISSING, amount, memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.experiments.outcomes import CellOutcome, Outcomes


class Row(NamedTuple):
    """A method with one of its presets."""

    method: str
    preset: str
    title: str


ROWS = (
    *(Row(each, "default", title_of(each)) for each in ("gcn", "gat", "seal", "nbfnet", "neo-gnn", "buddy", "hlgnn")),
    Row("hlgnn", "small", f"{title_of('hlgnn')}, width 256"),
    Row("hlgnn", "paper", f"{title_of('hlgnn')}, widths of Table 9"),
)
REFERENCE = ROWS[0]
COLUMNS = (*PLANETOID, "ogbl-collab", "ogbl-ddi")
MEASURED = (*PLANETOID, "ogbl-ddi")
"""ogbl-collab is shown as printed."""

SMALL_ROWS = (ROWS[0], ROWS[7])
WATCHED, WATCHED_SMALL = 60.0, 0.5

EPOCH_SECONDS, EVALUATION_SECONDS = "processor_seconds_per_epoch", "processor_seconds_of_evaluation"
"""What is shown of the times that are stored: other work on the machine hardly changes it."""

LEAD = (
    "Ours are seconds of one processor and the printed ones those of a GPU, an A100, so seconds do not compare; ratios "
    "to GCN do, as far as both machines favour the same methods. Every method has the preset that it is trained with. "
    f"Training steps are made for {WATCHED:.0f} seconds at most; where an epoch takes longer it is reckoned from the "
    "steps, and a note says so."
)


def cells(scale: Scale) -> list[Cell]:
    """One for each method and data set."""
    if scale is Scale.SMALL:
        return [_cell(row, "cora", WATCHED_SMALL) for row in SMALL_ROWS]
    return [_cell(row, dataset, WATCHED) for dataset in MEASURED for row in ROWS]


def _cell(row: Row, dataset: str, seconds: float) -> Cell:
    settings = settings_for(dataset, model_name=row.method, preset=row.preset, protocol=default_protocol(dataset))
    return Cell(row.title, dataset_title(dataset), "epoch", epoch_values(settings, seconds))


def draw(outcomes: Outcomes) -> Sheet:
    """Seconds of an epoch, ratios to GCN, and what else was measured."""
    grids = (
        _grid(outcomes, "Processor seconds of an epoch", _seconds),
        _grid(outcomes, "Times as long as GCN", _ratio),
        _grid(outcomes, "Processor seconds of an evaluation on the validation links", _evaluation),
        _grid(outcomes, "Peak memory of the process", _memory),
    )
    notes = ("The printed numbers do not say what widths HL-GNN had when it was timed.",)
    return Sheet("Table 5: seconds per epoch", LEAD, grids, notes=notes)


def _grid(outcomes: Outcomes, title: str, entry: Callable[[Outcomes, Row, str], Entry]) -> Grid:
    rows = tuple((row.title, tuple(entry(outcomes, row, each) for each in COLUMNS)) for row in ROWS)
    return Grid(title, ("method", *(dataset_title(each) for each in COLUMNS)), rows)


def _printed(row: Row, dataset: str) -> float | None:
    found: float | None = published("table5").get(row.method, {}).get(dataset)
    return found


def _number(outcome: CellOutcome | None, name: str) -> float | None:
    found = outcome.spread(name) if outcome is not None else None
    return None if found is None else found.mean


def _at(outcomes: Outcomes, row: Row, dataset: str) -> CellOutcome | None:
    return outcomes.at(row.title, dataset_title(dataset))


def _show(text: str, outcome: CellOutcome | None, printed: float | None = None, note: str = "") -> Entry:
    beside = amount(printed) if printed is not None else ""
    if text == MISSING:
        return Entry(MISSING, beside, "missing", outcome.skipped if outcome is not None else "")
    return Entry(text, beside, note=note)


def _seconds(outcomes: Outcomes, row: Row, dataset: str) -> Entry:
    outcome = _at(outcomes, row, dataset)
    reckoned = outcome is not None and outcome.first("whole_epoch") is False
    text = amount(_number(outcome, EPOCH_SECONDS))
    return _show(text, outcome, _printed(row, dataset), "reckoned from a part of an epoch" if reckoned else "")


def _ratio(outcomes: Outcomes, row: Row, dataset: str) -> Entry:
    outcome = _at(outcomes, row, dataset)
    ours, reference = (_number(_at(outcomes, each, dataset), EPOCH_SECONDS) for each in (row, REFERENCE))
    printed, beside = _printed(row, dataset), _printed(REFERENCE, dataset)
    text = amount(ours / reference) if ours is not None and reference else MISSING
    return _show(text, outcome, printed / beside if printed is not None and beside else None)


def _evaluation(outcomes: Outcomes, row: Row, dataset: str) -> Entry:
    outcome = _at(outcomes, row, dataset)
    return _show(amount(_number(outcome, EVALUATION_SECONDS)), outcome)


def _memory(outcomes: Outcomes, row: Row, dataset: str) -> Entry:
    outcome = _at(outcomes, row, dataset)
    return _show(memory(_number(outcome, "peak_gigabytes")), outcome)


TABLE5 = Experiment("table5", "Seconds per epoch, of evaluation, and peak memory", cells, draw)
