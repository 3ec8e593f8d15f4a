"""SEAL and NBFNet: a run that was stopped goes on exactly as one that was not."""

from pathlib import Path

import pytest
import torch

from hlgnn.catalog import MODELS
from hlgnn.errors import CheckpointError
from hlgnn.seeds import Seeds
from hlgnn.training.checkpoint import load_tensors, load_training, save_tensors, save_training
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings
from toy_models import community_split

CHOSEN = {"seal": {"ends": True, "feature_dropout": 0.3, "hidden": 8}, "nbfnet": {"width": 8, "layers": 3}}


def start(name: str) -> Training:
    split, card, seeds = community_split(), MODELS[name], Seeds(0)
    model = card.build(split.graph, card.settings.model_validate(CHOSEN[name]), seeds.generator("model"))
    return Training(model, split, TrainSettings(epochs=4, batch_size=16), default_metric="auc", seeds=seeds)


@pytest.mark.parametrize("name", list(CHOSEN))
def test_a_resumed_run_ends_with_the_same_weights(name: str, tmp_path: Path) -> None:
    whole, resumed = start(name), start(name)
    whole.run_epoch()
    save_training(tmp_path / "half", whole)
    load_training(tmp_path / "half", resumed)
    assert whole.run_epoch().loss == resumed.run_epoch().loss
    pairs = zip(whole.model.state_dict().values(), resumed.model.state_dict().values(), strict=True)
    assert all(torch.equal(one, other) for one, other in pairs)


def test_a_checkpoint_without_a_random_state_says_so(tmp_path: Path) -> None:
    save_training(tmp_path / "whole", start("seal"))
    tensors, notes = load_tensors(tmp_path / "whole")
    save_tensors(tmp_path / "older", {name: each for name, each in tensors.items() if "dropout" not in name}, notes)
    with pytest.raises(CheckpointError, match=r"does not hold the random state .*dropout"):
        load_training(tmp_path / "older", start("seal"))
