"""What training will take is foreseen for every objective and every way to hide links."""

import pytest

from hlgnn.data import Dataset
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.study.foresee import foresee
from hlgnn.jobs.train import prepare_run
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training
from toy_models import communities


@pytest.mark.parametrize(("hide", "used"), [("none", 0), ("folds", 0), ("folds", 2), ("fraction", 0), ("batch", 0)])
@pytest.mark.parametrize("objective", ["bce", "all-pairs"])
def test_steps_are_counted_as_they_are_made(objective: str, hide: str, used: int) -> None:
    if objective == "all-pairs" and hide == "batch":
        return  # all pairs are not batches of links
    values = {
        "dataset": "cora",
        "protocol": "paper",
        "model": {"head": {"kind": "dot"}, "input": {"hidden": 4}, "propagation": {"depth": 2}},
        "train": {"objective": objective, "hide": hide, "batch_size": 20, "rows": 10, "folds": 3, "epochs": 1}
        | {"used_folds": used},
    }
    settings = make_run_settings(values)
    work = prepare_run(settings, dataset=Dataset("communities", communities(), "auc"))
    training = Training(work.model, work.split, settings.train, default_metric="auc", seeds=Seeds(0))
    assert sum(len(step()) for step in training.steps()) == training.steps_per_epoch
    foreseen = foresee(settings, work)
    assert foreseen.training > 0
    assert foreseen.study > 0
