"""An epoch is measured whole, or reckoned from its steps."""

import time
from typing import Any

import pytest

from hlgnn.baselines.matrix_factorization import MatrixFactorization
from hlgnn.experiments.tasks import epoch
from hlgnn.experiments.tasks.epoch import EPOCH, epoch_values, measure
from hlgnn.jobs.presets import settings_for
from hlgnn.training.fit import Training


def test_a_whole_epoch_is_as_long_as_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_for("cora", model_name="mf", protocol="paper", changes=["train.batch_size=2000"])
    told: list[tuple[int, int]] = []
    found = measure(settings, 60.0, lambda _, done, total: told.append((done, total)))
    assert found["whole_epoch"]
    assert told == [(1, 3), (2, 3), (3, 3)]  # 4 487 links
    assert 0 < found["seconds_per_epoch"] < 60
    assert found["seconds_of_evaluation"] > 0
    assert found["peak_gigabytes"] > 0.01

    pause = 0.05
    steps = Training._steps

    def slower(self: Training, *arguments: Any) -> list[float]:
        time.sleep(pause)
        return steps(self, *arguments)

    monkeypatch.setattr(Training, "_steps", slower)
    part = measure(settings, 0.0)
    assert not part["whole_epoch"]  # one step of three
    assert part["seconds_per_epoch"] >= 3 * pause

    def idle(_: Training, *__: Any) -> list[float]:
        time.sleep(pause)
        return [0.0]

    monkeypatch.setattr(Training, "_steps", idle)
    asleep = measure(settings, 60.0)
    assert asleep["seconds_per_epoch"] >= 3 * pause
    assert asleep["processor_seconds_per_epoch"] < pause  # waiting is no work


def test_an_evaluation_that_takes_too_long_is_reckoned_from_some_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_for("cora", model_name="mf", protocol="paper", changes=["train.batch_size=2000"])
    assert measure(settings, 0.0)["whole_evaluation"]
    monkeypatch.setattr(epoch, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(epoch, "SAMPLED", 2)
    score = MatrixFactorization.score

    def slower(self: MatrixFactorization, *arguments: Any) -> Any:
        time.sleep(0.01)
        return score(self, *arguments)

    monkeypatch.setattr(MatrixFactorization, "score", slower)
    found = measure(settings, 0.0)
    assert not found["whole_evaluation"]
    assert found["seconds_of_evaluation"] >= 0.01 * 526 / 2  # 263 validation links and as many negatives


def test_what_learns_nothing_has_no_epoch() -> None:
    found = measure(settings_for("cora", model_name="cn", protocol="paper"), 1.0)
    assert found["parameters"] == 0
    assert "seconds_per_epoch" not in found
    assert found["seconds_of_evaluation"] > 0


def test_versions_to_choose_from_are_counted() -> None:
    penalties = ["model.penalties=[1, 2, 4]"]
    found = measure(settings_for("cora", model_name="regression", protocol="paper", changes=penalties), 1.0)
    assert found["choices"] == 3


def test_a_cell_says_all_that_the_result_depends_on() -> None:
    values = epoch_values(settings_for("cora", model_name="cn", protocol="paper"), 1.0)
    assert EPOCH.label(values) == "epoch-cn-cora"
    assert "seed" not in values["run"]
    assert EPOCH.run(values, 0, lambda *_: None)["parameters"] == 0
