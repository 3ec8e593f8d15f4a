"""A run of any method, from the split to the metrics of the test links."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlgnn.experiments.tasks.data_digest import data_digest
from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.formulation import load_formulation
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.train import train_run
from hlgnn.memory_size import peak_bytes

if TYPE_CHECKING:
    from hlgnn.jobs.run_folder import RunFolder
    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.progress import Progress

KEPT = ("metric", "valid", "test", "selected_by", "best_epoch", "epochs", "parameters", "seconds_of_this_process")


def training_values(settings: RunSettings) -> dict[str, Any]:
    """The settings of a run as a cell has them: without the seed, the name of the preset, and what is as at first.

    A setting that is new to the program does not change the key of what was stored before it.
    """
    named = {"dataset": settings.dataset, "protocol": settings.protocol, "model_name": settings.model_name}
    chosen = settings.model_dump(mode="json", include={"columns", "model", "train"}, exclude_defaults=True)
    return named | chosen


def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    settings = make_run_settings({**values, "seed": seed})
    with tempfile.TemporaryDirectory() as place:
        run = train_run(settings, Path(place) / "run", progress=progress)
        return _result(run)


def _result(run: RunFolder) -> dict[str, Any]:
    found, curve = run.result(), run.curve()
    result = {key: found[key] for key in KEPT}
    result["seconds_per_epoch"] = statistics.median(each["seconds"] for each in curve) if curve else None
    result["peak_gigabytes"] = peak_bytes() / 1e9
    path = run.path / "formulation.toml"
    if path.is_file():
        result["beta"] = list(load_formulation(path).betas)
    return result


def _label(values: Values) -> str:
    return "-".join((values["model_name"], Path(values["dataset"]).stem, values["protocol"]))


TRAINING = Task("train", revision=2, run=_run, label=_label, data=lambda values: data_digest(values["dataset"]))
