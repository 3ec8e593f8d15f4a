"""The case study and the predictor alone, as kinds of work."""

import json
from pathlib import Path

import pytest

from experiments.small_results import own_values, small_result
from hlgnn.experiments import Cell
from hlgnn.experiments.tasks import TASKS
from hlgnn.experiments.tasks.case_study import case_values, told_recipe
from hlgnn.experiments.tasks.predictor_only import predictor_values
from hlgnn.jobs.case_study import RECIPES
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.models import HLGNNSettings
from hlgnn.models.frozen_encoder import FrozenSettings
from hlgnn.progress import silent


@pytest.mark.parametrize("task", ["train", "predictor-only", "operator-growth", "case-study"])
def test_results_can_be_stored(task: str) -> None:
    json.dumps(small_result(task), allow_nan=False)


@pytest.mark.parametrize("recipe", list(RECIPES))
def test_a_recipe_comes_back_from_the_settings_of_a_cell(recipe: str) -> None:
    values = json.loads(json.dumps(case_values(recipe, "hexagonal")))
    assert told_recipe(values) == RECIPES[recipe]


def test_networks_and_recipes_have_keys_of_their_own() -> None:
    cells = [
        Cell("", "", "case-study", case_values(recipe, network))
        for recipe in RECIPES
        for network in ("triangular", "hexagonal")
    ]
    assert len({cell.folder for cell in cells}) == len(cells)


def test_the_case_study_is_the_same_for_a_seed_and_another_for_the_next() -> None:
    values = case_values("walks", "hexagonal", num_nodes=60, epochs=2)
    one, same, other = (TASKS["case-study"].run(values, seed, silent) for seed in (0, 0, 1))
    assert one == same
    assert one["beta"] != other["beta"]
    assert one["expected"] == 5
    assert abs(one["beta"][one["largest"]]) == max(map(abs, one["beta"]))


def test_the_predictor_has_input_head_and_training_of_the_run_and_learns_no_weights(tmp_path: Path) -> None:
    values = own_values(tmp_path)
    settings = make_run_settings({**predictor_values(values, "rwr:order=3"), "seed": 0})
    assert settings.model_name == "frozen"
    run = make_run_settings({**values, "seed": 0})
    assert isinstance(run.model, HLGNNSettings)
    assert isinstance(settings.model, FrozenSettings)
    assert (settings.model.input, settings.model.head) == (run.model.input, run.model.head)
    assert settings.model.centre == run.model.propagation.centre
    assert settings.train == run.train
    found = small_result("predictor-only")
    depth = run.model.propagation.depth
    assert found["scratch"]["parameters"] - found["predictor"]["parameters"] == depth + 1


def test_time_in_all_holds_the_time_of_the_epochs() -> None:
    for run in small_result("predictor-only").values():
        assert 0 < run["seconds"] <= run["whole_seconds"]
