"""How many numbers a method learns, counted on the model itself before any training (Table 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import torch
from scipy.sparse import csr_array

from hlgnn.catalog import DATASETS, MODELS
from hlgnn.experiments.tasks.data_digest import data_digest
from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.experiments.tasks.training import training_values
from hlgnn.graph import Graph
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.train import prepare_run
from hlgnn.seeds import Seeds

if TYPE_CHECKING:
    from torch import nn

    from hlgnn.data import DatasetCard
    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.progress import Progress

SECTIONS = ("dataset", "protocol", "model_name", "model", "columns")
"""What the number of parameters may depend on."""


def count_parameters(model: nn.Module) -> dict[str, Any]:
    """All of them, and by the part of the model that they belong to."""
    parts: dict[str, int] = {}
    for name, each in model.named_parameters():
        if each.requires_grad:
            part = name.partition(".")[0]
            parts[part] = parts.get(part, 0) + each.numel()
    return {"parameters": sum(parts.values()), "parts": parts}


def bare_graph(card: DatasetCard) -> Graph:
    """As many nodes and features as the card says, all of them zero, and no links: enough to build most models on."""
    features = csr_array((card.num_nodes, card.num_features), dtype="float32") if card.num_features else None
    return Graph.from_edges(card.num_nodes, torch.empty(0, 2, dtype=torch.int64), features=features)


def parameter_values(settings: RunSettings, built_on: Literal["card", "split"]) -> dict[str, Any]:
    """What a cell says.

    Args:
        settings: The method and its settings.
        built_on: ``card`` needs no files, and is enough where only the numbers of nodes and features count; ``split``
            builds the very model that a run trains.
    """
    values = training_values(settings)  # a setting that is new to the program does not change the key
    return {name: values[name] for name in SECTIONS if name in values} | {"built_on": built_on}


def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    told = {name: value for name, value in values.items() if name != "built_on"}
    settings = make_run_settings({**told, "seed": seed})
    if values["built_on"] == "split":
        return count_parameters(prepare_run(settings, progress=progress).model)
    graph, generator = bare_graph(DATASETS[settings.dataset]), Seeds(seed).generator("model")
    return count_parameters(MODELS[settings.model_name].build(graph, settings.model, generator))


def _label(values: Values) -> str:
    return f"parameters-{values['model_name']}-{values['dataset']}"


PARAMETERS = Task("parameters", revision=1, run=_run, label=_label, data=lambda values: data_digest(values["dataset"]))
