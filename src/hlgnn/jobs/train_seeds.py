"""The same settings under several seeds, and their mean."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.errors import RunError
from hlgnn.jobs.run_folder import SETTINGS, RunFolder
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.seed_values import SeedValues
from hlgnn.jobs.train import load_for, train_run
from hlgnn.jobs.versions import versions
from hlgnn.processes import SINGLE, Processes
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hlgnn.data import Dataset
    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.training.fit import EpochRecord

SUMMARY, PLAN = "summary.json", "plan.json"


@dataclass(frozen=True)
class SeedRuns:
    """Runs that differ in their seed only.

    Attributes:
        runs: The folders, by seed.
    """

    runs: list[RunFolder]

    def values(self, name: str, part: str = "test") -> SeedValues:
        """A metric of every run."""
        return SeedValues(run.result()[part][name] for run in self.runs if name in run.result()[part])

    def document(self) -> dict[str, Any]:
        """Everything that is stored about them together."""
        first = self.runs[0].result()
        settings = self.runs[0].settings.model_dump(mode="json", exclude={"seed"}, exclude_none=True)
        names = list(first["test"])
        return {
            **{key: first[key] for key in ("dataset", "protocol", "model", "preset", "metric", "parameters")},
            "seeds": [run.settings.seed for run in self.runs],
            "mean": self.values(first["metric"]).mean,
            "deviation": self.values(first["metric"]).deviation,
            "test": {name: list(self.values(name)) for name in names},
            "valid": {name: list(self.values(name, "valid")) for name in names if name in first["valid"]},
            "seconds": [run.result()["seconds"] for run in self.runs],
            "best_epochs": [run.result()["best_epoch"] for run in self.runs],
            "settings": settings,
            "versions": versions(),
        }


def train_seeds(
    settings: RunSettings,
    folder: Path,
    count: int,
    *,
    resume: bool = False,
    dataset: Dataset | None = None,
    offline: bool = False,
    processes: Processes = SINGLE,
    on_epoch: Callable[[EpochRecord], None] = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
    progress: Progress = silent,
) -> SeedRuns:
    """Train seeds ``settings.seed`` … ``settings.seed + count - 1``, each in a folder of its own; one is ``folder``.

    With ``resume`` finished seeds are kept, the interrupted one goes on, and those that are missing are trained.
    Several processes train each of them together if all of them call this.

    Raises:
        RunError: If the folder is in the way.
    """
    seeds = range(settings.seed, settings.seed + count)
    places = {seed: folder if count == 1 else folder / f"seed-{seed}" for seed in seeds}
    if not resume:
        RunFolder.require_free(folder)
    dataset = dataset or load_for(settings, offline=offline, progress=progress)
    plan = {"count": count, "settings": settings.model_dump(mode="json", exclude_none=True)} if count > 1 else None
    runs = []
    for number, (seed, place) in enumerate(places.items()):
        own = settings.model_copy(update={"seed": seed})
        going_on = (place / SETTINGS).is_file()
        run = train_run(
            own,
            place,
            resume=going_on,
            dataset=dataset,
            processes=processes,
            on_begin=lambda: _write_plan(folder, plan),
            on_epoch=on_epoch,
            tell=tell,
            progress=progress,
        )
        runs.append(run)
        if count > 1:
            progress("Seeds", number + 1, count)
    found = SeedRuns(runs)
    if count > 1 and processes.first:
        _write(folder / SUMMARY, found.document())
    return found


def is_begun(folder: Path, settings: RunSettings, count: int) -> bool:
    """Whether a folder is that of these very runs, so that processes that were started again go on with it."""
    if not any((folder / name).is_file() for name in (PLAN, SETTINGS)):
        return False
    return planned(folder) == (settings, count)


def planned(folder: Path) -> tuple[RunSettings, int]:
    """What an interrupted folder was told: the settings of its first seed, and how many seeds it is to have.

    Raises:
        RunError: If it is not a folder that ``hlgnn train`` wrote.
    """
    plan = folder / PLAN
    if not plan.is_file():
        return RunFolder.open(folder).settings, 1
    try:
        values = json.loads(plan.read_text(encoding="utf-8"))
        return make_run_settings(values["settings"], where=str(plan)), int(values["count"])
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"The plan of the folder cannot be read ({error}).", where=str(plan)) from None


def _write_plan(folder: Path, plan: dict[str, Any] | None) -> None:
    if plan is not None:
        make_folder(folder)
        _write(folder / PLAN, plan)


def _write(path: Path, document: dict[str, Any]) -> None:
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def open_seeds(folder: Path) -> SeedRuns:
    """The runs in a folder, or the one that it is.

    Raises:
        RunError: If there is none.
    """
    inside = sorted(path.parent for path in folder.glob("seed-*/settings.toml")) if folder.is_dir() else []
    runs = [RunFolder.open(path) for path in inside or [folder]]
    return SeedRuns(sorted(runs, key=lambda run: run.settings.seed))
