"""What each kind of work returns on a graph of eighty nodes, to be stored as the results of any cell."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from hlgnn.experiments import Experiment, ResultStore, Scale
from hlgnn.experiments.tasks import TASKS
from hlgnn.experiments.tasks.case_study import case_values
from hlgnn.experiments.tasks.training import training_values
from hlgnn.jobs.presets import settings_for
from hlgnn.progress import silent

NODES = 80
CHANGES = (
    "model.head.pair_features=false",
    "model.head.order_matrix=[]",
    "model.head.product=true",
    "model.head.hidden=8",
    "model.input.source=features",
    "model.input.hidden=0",
    "model.propagation.depth=3",
    "train.epochs=2",
    "train.evaluate_every=1",
)


def own_values(folder: Path, *changes: str) -> dict[str, Any]:
    """The settings of a run on a random graph with features."""
    draw = np.random.default_rng(0)
    pairs = {tuple(sorted(pair)) for pair in draw.integers(0, NODES, (1700, 2)).tolist() if pair[0] != pair[1]}
    edges = "".join(f"n{i},n{j}\n" for i, j in sorted(pairs))
    rows = "".join(f"n{node}," + ",".join(f"{x:.3f}" for x in draw.random(6)) + "\n" for node in range(NODES))
    table, features = folder / "edges.csv", folder / "features.csv"
    table.write_text("source,target\n" + edges, encoding="utf-8")
    features.write_text("id," + ",".join("abcdef") + "\n" + rows, encoding="utf-8")
    columns = {"features": str(features), "id_column": "id", "unknown": "drop"}
    return training_values(settings_for(str(table), protocol="paper", changes=(*CHANGES, *changes), columns=columns))


@lru_cache(maxsize=8)
def small_result(task: str) -> dict[str, Any]:
    """The result of a kind of work with the least that it can be done with."""
    if task == "case-study":
        return TASKS[task].run(case_values("walks", "triangular", num_nodes=60, epochs=1), 0, silent)
    changes = ("model.propagation.operators=literal-mixture",) if task == "operator-growth" else ()
    with TemporaryDirectory() as folder:
        return TASKS[task].run(own_values(Path(folder), *changes), 0, silent)


def fill(store: ResultStore, experiment: Experiment, scale: Scale = Scale.SMALL, *, every: int = 1) -> None:
    """Store such results for all cells of an experiment, or for every second or third of them."""
    for cell in experiment.cells(scale)[::every]:
        for seed in cell.seeds:
            document = {"result": small_result(cell.task), "code": {"revision": TASKS[cell.task].revision}}
            store.write(cell, seed, document)
