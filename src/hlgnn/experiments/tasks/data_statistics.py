"""What a data set holds, counted from its files (Table 8)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hlgnn.catalog import load_dataset
from hlgnn.experiments.tasks.data_digest import data_digest
from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.jobs.graph_summary import summarize

if TYPE_CHECKING:
    from hlgnn.data import Dataset
    from hlgnn.progress import Progress


def count_dataset(dataset: Dataset) -> dict[str, Any]:
    """The size and shape of the graph; ``all_links`` are those of all parts of an official split."""
    found = asdict(summarize(dataset.graph))
    official = dataset.official
    held_out = 0 if official is None else len(official.valid.positive) + len(official.test.positive)
    return {**found, "all_links": found["links"] + held_out}


def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    del seed  # nothing is drawn
    return count_dataset(load_dataset(values["dataset"], progress=progress))


DATA_STATISTICS = Task(
    "data-statistics",
    revision=1,
    run=_run,
    label=lambda values: f"statistics-{values['dataset']}",
    data=lambda values: data_digest(values["dataset"]),
)
