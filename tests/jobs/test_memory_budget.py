"""`hlgnn train --memory`: a plan that fits, an estimate before, the peak after, and the same bits after a kill."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import torch

from hlgnn.errors import RunError, SettingsError
from hlgnn.jobs import memory_budget
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.run_settings import RunSettings, make_run_settings, read_run_settings
from hlgnn.jobs.train import train_run
from hlgnn.memory_size import memory_bytes, peak_bytes
from hlgnn.models.memory_plan import MemoryPlan
from hlgnn.settings import override
from hlgnn.training import mapped_state
from hlgnn.training.checkpoint import load_tensors
from hlgnn.training.choose_plan import Planned
from hlgnn.training.fit import EpochRecord

PLENTY = 1 << 40


def quick(memory: int | None, *changes: str) -> RunSettings:
    """Three epochs of a mixture with learned vectors, dropout, hidden links and drawn negatives."""
    values = {"dataset": "cora", "protocol": "paper", "model": {}, "train": {}}
    settings = override(
        make_run_settings(values),
        [
            "model.input.source=embedding",
            "model.input.embedding_width=12",
            "model.input.hidden=8",
            "model.input.dropout=0.2",
            "model.propagation.depth=5",
            "model.propagation.operators=mixture",
            "model.head.hidden=8",
            "train.epochs=3",
            "train.batch_size=2048",
            "train.hide=fraction",
            *changes,
        ],
    )
    return settings.model_copy(update={"memory": memory})


def weights(run: RunFolder) -> dict[str, torch.Tensor]:
    return load_tensors(run.weights)[0]


def test_a_run_says_what_it_expects_and_what_it_took(tmp_path: Path) -> None:
    told: list[str] = []
    run = train_run(quick(PLENTY), tmp_path / "run", tell=told.append)
    assert re.fullmatch(r"plan: products in every step, every layer kept; about [\d.]+ [MG]B", told[0])
    assert re.fullmatch(r"peak: [\d.]+ [MG]B", told[1])
    result = run.result()
    assert result["memory_plan"]["plan"]["layers"] == "all"
    assert result["memory_plan"]["budget"] == PLENTY
    assert 0 < result["peak_bytes"] <= peak_bytes()
    noted = json.loads((run.path / "memory.json").read_text(encoding="utf-8"))
    assert noted == result["memory_plan"]
    assert "by the estimate of the plan" in (run.path / "card.md").read_text(encoding="utf-8")
    assert read_run_settings(run.path / "settings.toml").memory == PLENTY


def test_without_a_budget_nothing_is_planned(tmp_path: Path) -> None:
    told: list[str] = []
    run = train_run(quick(None), tmp_path / "run", tell=told.append)
    assert told == []
    assert not (run.path / "memory.json").exists()
    assert "memory_plan" not in run.result()
    assert read_run_settings(run.path / "settings.toml").memory is None


def test_too_little_is_refused_with_what_would_do_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"1 MB of memory are too little to train: the least is .* Allow more"
    ) as error:
        train_run(quick(memory_bytes("1MB")), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    least = re.search(r"the least is ([\d.]+ [MG]B)", str(error.value))
    assert least is not None
    enough = memory_bytes(least[1]) + memory_bytes("100MB")  # the process has grown a little since it was asked
    run = train_run(quick(enough), tmp_path / "run")
    assert run.result()["memory_plan"]["bytes"] <= enough


def test_only_hlgnn_has_plans(tmp_path: Path) -> None:
    settings = make_run_settings({"dataset": "cora", "protocol": "paper", "model_name": "mf", "memory": PLENTY})
    with pytest.raises(SettingsError, match="no plans of memory for mf"):
        train_run(settings, tmp_path / "run")
    assert not (tmp_path / "run").exists()


PLANS = {
    "all": MemoryPlan(layers="all"),
    "bfloat16": MemoryPlan(layers="root", precision="bfloat16"),
    "blocks": MemoryPlan(layers="none", columns=3),
    "files": MemoryPlan(columns=4, mapped=True),
}


def force(plan: MemoryPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every budget lead to this plan, and let small tensors live in files too."""
    planned = Planned(plan, bytes=1, mapped=0, budget=PLENTY, learned=True)
    monkeypatch.setattr(memory_budget, "choose_plan", lambda *_, **__: planned)
    monkeypatch.setattr(mapped_state, "LEAST", 1)


class StopError(Exception):
    """An interruption from outside."""


@pytest.mark.parametrize("name", PLANS)
def test_an_interrupted_run_goes_on_under_its_plan_to_the_same_bits(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(record: EpochRecord) -> None:
        if record.epoch == 2:
            raise StopError

    force(PLANS[name], monkeypatch)
    whole = train_run(quick(PLENTY), tmp_path / "whole")
    with pytest.raises(StopError):
        train_run(quick(PLENTY), tmp_path / "run", on_epoch=interrupt)
    monkeypatch.setattr(memory_budget, "choose_plan", lambda *_, **__: pytest.fail("the plan was chosen anew"))
    resumed = train_run(quick(PLENTY), tmp_path / "run", resume=True)
    assert resumed.result()["memory_plan"]["plan"] == PLANS[name].document()
    ours, theirs = weights(resumed), weights(whole)
    assert ours.keys() == theirs.keys()
    for key, tensor in ours.items():
        assert torch.equal(tensor, theirs[key]), key
    names = {path.name for path in resumed.path.iterdir()}
    assert names == {
        *("settings.toml", "versions.json", "curve.jsonl", "result.json", "memory.json"),
        *("weights.safetensors", "formulation.toml", "card.md"),
    }  # files without a name leave nothing behind


@pytest.mark.parametrize("name", PLANS)
def test_every_plan_learns_what_the_plain_one_learns(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = train_run(quick(None), tmp_path / "plain")
    force(PLANS[name], monkeypatch)
    run = train_run(quick(PLENTY), tmp_path / "run")
    losses = [record["loss"] for record in run.curve()]
    expected = [record["loss"] for record in plain.curve()]
    assert losses == pytest.approx(expected, rel=1e-2 if name == "bfloat16" else 1e-4)


def test_a_damaged_plan_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(record: EpochRecord) -> None:
        raise StopError

    force(PLANS["all"], monkeypatch)
    with pytest.raises(StopError):
        train_run(quick(PLENTY), tmp_path / "run", on_epoch=interrupt)
    (tmp_path / "run" / "memory.json").write_text('{"plan": 3}', encoding="utf-8")
    with pytest.raises(RunError, match="plan of memory cannot be read"):
        train_run(quick(PLENTY), tmp_path / "run", resume=True)


def test_a_plan_of_more_processes_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(record: EpochRecord) -> None:
        raise StopError

    force(PLANS["all"], monkeypatch)
    with pytest.raises(StopError):
        train_run(quick(PLENTY), tmp_path / "run", on_epoch=interrupt)
    noted = tmp_path / "run" / "memory.json"
    noted.write_text(json.dumps(json.loads(noted.read_text()) | {"processes": 2}), encoding="utf-8")
    force(PLANS["blocks"], monkeypatch)
    resumed = train_run(quick(PLENTY), tmp_path / "run", resume=True)
    assert resumed.result()["memory_plan"]["plan"] == PLANS["blocks"].document()
    assert json.loads(noted.read_text())["processes"] == 1
