"""The weights that are learned on a network of rings (Sect. 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.jobs.case_study import RECIPES, Recipe, case_study
from hlgnn.training.train_settings import TrainSettings

if TYPE_CHECKING:
    from hlgnn.progress import Progress


def case_values(recipe: str, network: str, *, num_nodes: int = 1000, epochs: int | None = None) -> dict[str, Any]:
    """The settings of a cell: what the recipe says now, but for what is as at first.

    Args:
        recipe: By name.
        network: By name.
        num_nodes: How large the network is.
        epochs: Instead of those of the recipe.
    """
    chosen = RECIPES[recipe]
    model, train = (each.model_dump(mode="json", exclude_defaults=True) for each in (chosen.model, chosen.train))
    if epochs is not None:
        train |= {"epochs": epochs, "evaluate_every": epochs}
    return {"recipe": recipe, "network": network, "num_nodes": num_nodes, "model": model, "train": train}


def told_recipe(values: Values) -> Recipe:
    """The recipe of such settings; the one of that name now says what kind of model it has."""
    known = RECIPES[values["recipe"]]
    model = type(known.model).model_validate(values["model"])
    return Recipe(description=known.description, model=model, train=TrainSettings.model_validate(values["train"]))


def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    recipe, nodes = told_recipe(values), values["num_nodes"]
    row = case_study([seed], recipe, networks=[values["network"]], num_nodes=nodes, progress=progress)[0]
    return {"beta": list(row.betas), "largest": row.largest, "expected": row.order, "auc": row.auc}


CASE_STUDY = Task(
    "case-study", revision=1, run=_run, label=lambda values: f"case-{values['network']}-{values['recipe']}"
)
