"""What missing results would need: reckoned from steps, kept in the store, and never taken for a result."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hlgnn.cli.main import run
from hlgnn.errors import SettingsError
from hlgnn.experiments import Cell, Experiment, ResultStore, Scale, Sheet
from hlgnn.experiments import estimates as estimates_module
from hlgnn.experiments.estimates import estimate_experiments
from hlgnn.experiments.methods import training_cell
from hlgnn.experiments.runner import run_experiments
from hlgnn.experiments.worker import foresee

LONG = "train.epochs=1000000"


def experiment(*cells: Cell) -> Experiment:
    return Experiment("some", "Some cells", lambda _: list(cells), lambda _: Sheet("Some cells"))


@pytest.fixture
def slow() -> Cell:
    return training_cell("mf", "cora", "paper", Scale.FULL, changes=(LONG,), seeds=(0, 1))


def stored(seconds: float) -> dict[str, Any]:
    return {"result": {}, "code": {"revision": 1}, "seed": 0, "seconds": seconds}


def test_a_few_steps_say_what_a_million_epochs_would_need(tmp_path: Path, slow: Cell) -> None:
    store = ResultStore(tmp_path)
    [need] = estimate_experiments([experiment(slow)], store, Scale.FULL, watched=1.0)
    assert (need.seeds, need.source) == (2, "a few steps")
    assert need.seconds is not None
    assert need.seconds > 1_000_000 * 1e-4  # no machine makes an epoch in a tenth of a millisecond
    assert need.total == 2 * need.seconds
    outcome = store.outcome(slow)
    assert outcome.missing == [0, 1]
    assert outcome.skipped.startswith("not run: would need up to about ")
    assert outcome.skipped.endswith("for each seed, reckoned from a few steps")


def test_what_is_known_is_not_measured_again(tmp_path: Path, slow: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates_module, "_measured", lambda *_: pytest.fail("a process was started"))
    store = ResultStore(tmp_path)
    half = training_cell("gcn", "cora", "paper", Scale.FULL, seeds=(0, 1, 2))
    whole = training_cell("cn", "cora", "paper", Scale.FULL, seeds=(0,))
    store.write(half, 0, stored(40.0))
    store.write(half, 2, stored(60.0))
    store.write(whole, 0, stored(1.0))
    store.skip(slow, {"reason": "not run", "budget": 60.0, "seconds": 7200.0})
    other = Cell("row", "column", "agreement", {"graphs": "cora"})
    found = estimate_experiments([experiment(half, whole, slow, slow, other)], store, Scale.FULL)
    assert [(each.seeds, each.seconds, each.source) for each in found] == [
        (1, 50.0, "stored seeds"),
        (2, 7200.0, "an earlier run or estimate"),
        (1, None, "only training is reckoned"),
    ]
    assert [each.total for each in found] == [50.0, 14400.0, 0.0]


def test_a_cell_that_fails_says_why_and_is_not_marked(tmp_path: Path) -> None:
    broken = Cell("row", "column", "train", {"dataset": "cora", "protocol": "paper", "model_name": "no such model"})
    [need] = estimate_experiments([experiment(broken)], ResultStore(tmp_path), Scale.FULL, watched=1.0)
    assert need.seconds is None
    assert "no such model" in need.source
    assert not list(tmp_path.rglob("*.json"))


def test_a_data_set_whose_files_are_not_there_is_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, Any]] = []
    pipe: Any = SimpleNamespace(send=told.append)
    monkeypatch.setattr("hlgnn.experiments.worker.settle", lambda *_: None)  # it is for a process of its own
    monkeypatch.setenv("HLGNN_DATA", str(tmp_path))
    monkeypatch.setenv("HLGNN_OFFLINE", "1")
    foresee(training_cell("cn", "ogbl-ppa", "ogb", Scale.FULL), 1.0, 1, pipe)
    assert told == [{"failed": "the files of the data set are not there"}]


def test_a_cell_that_comes_to_no_answer_is_ended(tmp_path: Path, slow: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates_module, "PATIENCE", 0.01)
    [need] = estimate_experiments([experiment(slow)], ResultStore(tmp_path), Scale.FULL, watched=1.0)
    assert need.seconds is None
    assert ResultStore(tmp_path).outcome(slow).skipped == "not run: to prepare it and a few steps take more than 0.01 s"


@pytest.mark.parametrize(("minutes", "tried"), [(10.0, False), (40.0, True)])
def test_what_is_known_to_need_many_times_the_budget_is_not_tried(
    tmp_path: Path, minutes: float, tried: bool, monkeypatch: pytest.MonkeyPatch, slow: Cell
) -> None:
    store = ResultStore(tmp_path)
    store.skip(slow, {"reason": "not run: would need up to about 2 h", "budget": 0.0, "seconds": 7200.0})
    asked: list[Cell] = []
    monkeypatch.setattr("hlgnn.experiments.runner._Crew.work", lambda _, waiting: asked.extend(waiting))
    report = run_experiments([experiment(slow)], store, Scale.FULL, budget=60.0 * minutes)
    assert bool(asked) == tried
    assert [each.reason for each in report.skipped] == ([] if tried else ["not run: would need up to about 2 h"])


def test_an_interrupted_estimate_waits_for_nothing_and_marks_nothing(tmp_path: Path, slow: Cell) -> None:
    def interrupt(what: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    store, seconds = ResultStore(tmp_path), 3600.0
    known = training_cell("cn", "cora", "paper", Scale.FULL, seeds=(0,))
    store.skip(known, {"reason": "not run", "budget": 60.0, "seconds": 7200.0})
    with pytest.raises(KeyboardInterrupt):  # when the first of two is known
        estimate_experiments([experiment(known, slow)], store, Scale.FULL, jobs=2, watched=seconds, progress=interrupt)
    assert not store.outcome(slow).skipped


def test_a_text_that_no_cell_holds_is_refused(tmp_path: Path, slow: Cell) -> None:
    with pytest.raises(SettingsError, match="No cell holds 'nothere'"):
        estimate_experiments([experiment(slow)], ResultStore(tmp_path), Scale.FULL, only="nothere")


def test_the_command_adds_up_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cell = training_cell("cn", "cora", "paper", Scale.SMALL, part="paper")
    store = ResultStore(tmp_path / "store")
    store.skip(cell, {"reason": "not run", "budget": 0.0, "seconds": 90.0})
    line = ["experiment", "estimate", "table4", "--store", str(store.folder), "--scale", "small"]
    assert run(["--json", *line, "--only", cell.folder]) == 0
    [found] = json.loads(capsys.readouterr().out)
    assert (found["seeds"], found["seconds"]) == (1, 90.0)
    assert run([*line, "--only", cell.folder]) == 0
    assert "All that is missing would need up to about 1 min 30 s of processes." in capsys.readouterr().out
