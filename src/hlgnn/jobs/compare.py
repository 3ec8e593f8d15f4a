"""Several runs side by side, as far as they may stand side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import RunError
from hlgnn.jobs.seed_values import SeedValues
from hlgnn.jobs.train_seeds import open_seeds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True)
class ComparedRun:
    """One row.

    Attributes:
        folder: Where the runs are.
        dataset: What they are about.
        protocol: How it was split.
        method: The model and its preset.
        metric: What ``values`` are.
        values: The test metric of every seed.
        seeds: The seeds.
        parameters: How many numbers were learned.
        seconds: How long training took on average.
    """

    folder: str
    dataset: str
    protocol: str
    method: str
    metric: str
    values: SeedValues
    seeds: list[int]
    parameters: int
    seconds: float


def compare(folders: Sequence[Path], metric: str | None = None) -> list[ComparedRun]:
    """One row for each folder, best first within a data set and protocol.

    Numbers of different data sets or protocols say nothing about each other, so rows are grouped by both.

    Raises:
        RunError: If a folder has no finished run, or a metric is missing.
    """
    rows = [_row(folder, metric) for folder in folders]
    return sorted(rows, key=lambda row: (row.dataset, row.protocol, -row.values.mean))


def _row(folder: Path, metric: str | None) -> ComparedRun:
    runs = open_seeds(folder)
    finished = [run for run in runs.runs if run.finished]
    if not finished:
        raise RunError(
            "No run in this folder is finished.", where=str(folder), hint="Go on with 'hlgnn train --resume'."
        )
    results = [run.result() for run in finished]
    name = metric or results[0]["metric"]
    if any(name not in result["test"] for result in results):
        raise RunError(f"The result has no {name}.", where=str(folder), hint=f"It has {', '.join(results[0]['test'])}.")
    return ComparedRun(
        folder=str(folder),
        dataset=results[0]["dataset"],
        protocol=results[0]["protocol"],
        method=f"{results[0]['model']} ({results[0]['preset']})",
        metric=name,
        values=SeedValues(result["test"][name] for result in results),
        seeds=[result["seed"] for result in results],
        parameters=results[0]["parameters"],
        seconds=sum(result["seconds"] for result in results) / len(results),
    )
