"""A run from scratch, and then its head alone, learned anew on the heuristic that the run has found (Sect. 5.4)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlgnn.experiments.tasks.data_digest import data_digest
from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.train import load_for, train_run
from hlgnn.models import HLGNNSettings

if TYPE_CHECKING:
    from hlgnn.jobs.run_folder import RunFolder
    from hlgnn.progress import Progress

KEPT = ("metric", "test", "best_epoch", "epochs", "parameters")


def predictor_values(values: Values, formulation: str) -> dict[str, Any]:
    """The settings of a head on a fixed formulation, with input, head and training of a run of HL-GNN.

    Args:
        values: The settings of the run from scratch.
        formulation: A heuristic, or the TOML file of a learned one.
    """
    model = HLGNNSettings.model_validate(values["model"])
    parts = {"input": model.input.model_dump(mode="json"), "head": model.head.model_dump(mode="json")}
    chosen = {"formulation": formulation, "centre": model.propagation.centre, **parts}
    return {**values, "model_name": "frozen", "model": chosen}


def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    """Both runs on one split in one process, behind one epoch that is not counted, for what is only done once."""
    told: dict[str, Any] = {**values, "seed": seed}
    settings = make_run_settings(told)
    dataset = load_for(settings)
    with tempfile.TemporaryDirectory() as place:
        first = make_run_settings({**told, "train": {**values["train"], "epochs": 1}})
        train_run(first, Path(place) / "first", dataset=dataset)
        scratch = train_run(settings, Path(place) / "scratch", dataset=dataset, progress=progress)
        learned = str(scratch.path / "formulation.toml")
        predictor = make_run_settings(predictor_values(told, learned))
        only = train_run(predictor, Path(place) / "predictor", dataset=dataset, progress=progress)
        return {"scratch": _result(scratch), "predictor": _result(only)}


def _result(run: RunFolder) -> dict[str, Any]:
    found = run.result()
    times = {"whole_seconds": found["seconds_of_this_process"], "seconds": found["seconds"]}
    return {key: found[key] for key in KEPT} | times


PREDICTOR_ONLY = Task(
    "predictor-only",
    revision=2,
    run=_run,
    label=lambda values: "-".join(("predictor", Path(values["dataset"]).stem, values["protocol"])),
    data=lambda values: data_digest(values["dataset"]),
)
