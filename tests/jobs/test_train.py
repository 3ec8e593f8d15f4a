"""Runs: folders, results, seeds, and what happens when a process is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from hlgnn.errors import CheckpointError, HlgnnError, RunError, SettingsError, UnknownNameError
from hlgnn.graph import Graph
from hlgnn.jobs.compare import compare
from hlgnn.jobs.evaluate_run import evaluate_run
from hlgnn.jobs.presets import find_preset, list_presets
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.run_settings import RunSettings, make_run_settings, read_run_settings
from hlgnn.jobs.train import load_run, train_run
from hlgnn.jobs.train_seeds import open_seeds, planned, train_seeds
from hlgnn.models import HLGNN
from hlgnn.settings import override, write_toml
from hlgnn.training.checkpoint import load_tensors, load_weights
from hlgnn.training.fit import EpochRecord

EPOCHS = 8


def quick(*changes: str, dataset: str = "cora") -> RunSettings:
    """A few epochs of a small model with everything that draws: dropout, folds, negatives, batches."""
    values = {"dataset": dataset, "protocol": "paper", "model": {}, "train": {}}
    return override(
        make_run_settings(values),
        [
            "model.input.hidden=8",
            "model.input.dropout=0.2",
            "model.propagation.depth=3",
            "model.head.hidden=8",
            "model.head.dropout=0.3",
            f"train.epochs={EPOCHS}",
            "train.batch_size=2048",
            "train.hide=folds",
            "train.folds=2",
            "train.beta_rate=0.01",
            *changes,
        ],
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return train_run(quick(), tmp_path_factory.mktemp("runs") / "run")


def weights(run: RunFolder) -> dict[str, torch.Tensor]:
    return load_tensors(run.weights)[0]


def assert_same_weights(left: RunFolder, right: RunFolder) -> None:
    ours, theirs = weights(left), weights(right)
    assert ours.keys() == theirs.keys()
    for name, tensor in ours.items():
        assert torch.equal(tensor, theirs[name]), name


def test_hard_negatives_are_measured_and_selected_by_their_own_metric(tmp_path: Path) -> None:
    settings = override(quick("train.epochs=2"), ["protocol=heart"])
    result = train_run(settings, tmp_path / "run").result()
    assert (result["metric"], result["selected_by"]) == ("mrr", "mrr")


def test_a_run_folder_holds_all_there_is_to_know(finished: RunFolder) -> None:
    names = {path.name for path in finished.path.iterdir()}
    assert names == {
        *("settings.toml", "versions.json", "curve.jsonl", "result.json"),
        *("weights.safetensors", "formulation.toml", "card.md"),
    }
    assert [record["epoch"] for record in finished.curve()] == list(range(1, EPOCHS + 1))
    result = finished.result()
    assert result["metric"] == "hits@100"
    assert 0 < result["test"]["auc"] < 1
    assert f"{100 * result['test']['hits@100']:.2f}" in (finished.path / "card.md").read_text(encoding="utf-8")


def test_settings_survive_the_folder(finished: RunFolder) -> None:
    assert read_run_settings(finished.path / "settings.toml") == finished.settings == quick()


def test_stored_weights_give_the_stored_result(finished: RunFolder) -> None:
    values = {(each.part, each.metric): each.interval for each in evaluate_run(finished, ["auc"], repeats=20)}
    interval = values["test", "auc"]
    assert interval.value == pytest.approx(finished.result()["test"]["auc"], abs=1e-12)
    assert interval.low <= interval.value <= interval.high


def test_the_same_seed_gives_the_same_weights(finished: RunFolder, tmp_path: Path) -> None:
    assert_same_weights(train_run(quick(), tmp_path / "again"), finished)


class StopError(Exception):
    """An interruption from outside."""


@pytest.mark.parametrize("stop_after", [1, 5])
def test_an_interrupted_run_goes_on_to_the_same_weights(finished: RunFolder, tmp_path: Path, stop_after: int) -> None:
    def interrupt(record: EpochRecord) -> None:
        if record.epoch == stop_after:
            raise StopError

    with pytest.raises(StopError):
        train_run(quick(), tmp_path / "run", on_epoch=interrupt)
    assert not RunFolder.open(tmp_path / "run").finished
    resumed = train_run(quick(), tmp_path / "run", resume=True)
    assert_same_weights(resumed, finished)
    assert [record["loss"] for record in resumed.curve()] == [record["loss"] for record in finished.curve()]


def test_a_killed_process_loses_at_most_its_epoch(tmp_path: Path) -> None:
    """Killed three times at random moments and resumed, a run ends with the weights of one that was left alone."""
    settings, epochs = tmp_path / "settings.toml", 40
    settings.write_text(write_toml(quick(f"train.epochs={epochs}")), encoding="utf-8")
    whole = train_run(read_run_settings(settings), tmp_path / "whole")
    folder, curve = tmp_path / "killed", tmp_path / "killed" / "curve.jsonl"
    first = [sys.executable, "-m", "hlgnn", "train", "cora", "--preset", str(settings), "--out", str(folder)]
    again = [sys.executable, "-m", "hlgnn", "train", "--resume", str(folder)]
    generator = np.random.default_rng(time.time_ns())
    targets = np.sort(generator.choice(np.arange(2, epochs - 4), size=3, replace=False))
    for position, target in enumerate(targets.tolist()):
        with subprocess.Popen([*(first if position == 0 else again), "--quiet"], start_new_session=True) as process:
            _wait_for_epoch(curve, target, process)
            os.killpg(process.pid, signal.SIGKILL)
        assert not (folder / "result.json").exists(), f"killed too late, after epoch {target}"
    subprocess.run([*again, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    resumed = RunFolder.open(folder)
    assert_same_weights(resumed, whole)
    assert [record["epoch"] for record in resumed.curve()] == list(range(1, epochs + 1))
    assert not resumed.checkpoint.exists()


def _wait_for_epoch(curve: Path, epoch: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if curve.is_file() and curve.read_bytes().count(b"\n") >= epoch:
            return
        assert process.poll() is None, "the process ended by itself"
        time.sleep(0.005)
    raise AssertionError("the process made no progress")


def test_nothing_is_overwritten(finished: RunFolder) -> None:
    with pytest.raises(RunError, match="nothing is overwritten"):
        train_run(quick(), finished.path)
    with pytest.raises(RunError, match="nothing is overwritten"):
        train_seeds(quick(), finished.path, 2)


def test_a_finished_run_is_left_as_it_is(finished: RunFolder) -> None:
    before = (finished.path / "result.json").stat().st_mtime_ns
    train_run(finished.settings, finished.path, resume=True)
    assert (finished.path / "result.json").stat().st_mtime_ns == before


def test_weights_of_another_shape_are_refused_with_a_sentence(finished: RunFolder) -> None:
    other = load_run(finished)
    tensors = weights(finished)
    tensors["linear.weight"] = tensors["linear.weight"][:, :-1]
    with pytest.raises(CheckpointError, match=r"linear.weight has the shape \(8, 1432\), but this graph needs"):
        load_weights(other.model, tensors, where="weights")
    del tensors["linear.weight"]
    with pytest.raises(CheckpointError, match=r"another model: linear\.weight"):
        load_weights(other.model, tensors, where="weights")


def test_a_flipped_bit_in_the_weights_is_noticed(finished: RunFolder, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(finished.path, copy)
    path = copy / "weights.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="not the weights that the run ended with"):
        load_run(RunFolder.open(copy))


def test_damaged_weights_are_refused(finished: RunFolder, tmp_path: Path) -> None:
    damaged = tmp_path / "weights.safetensors"
    damaged.write_bytes(finished.weights.read_bytes()[:-10])
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_tensors(damaged)


def test_several_seeds_share_a_folder_and_a_summary(tmp_path: Path) -> None:
    found = train_seeds(quick("train.epochs=2"), tmp_path / "seeds", 2)
    summary = json.loads((tmp_path / "seeds" / "summary.json").read_text(encoding="utf-8"))
    assert summary["seeds"] == [0, 1]
    assert summary["test"]["hits@100"] == list(found.values("hits@100"))
    assert summary["mean"] == pytest.approx(sum(summary["test"]["hits@100"]) / 2)
    assert [run.settings.seed for run in open_seeds(tmp_path / "seeds").runs] == [0, 1]
    assert planned(tmp_path / "seeds") == (quick("train.epochs=2"), 2)
    rows = compare([tmp_path / "seeds"], "auc")
    assert rows[0].values == found.values("auc")


def test_an_interrupted_series_trains_what_is_missing(tmp_path: Path) -> None:
    calls = []

    def interrupt(record: EpochRecord) -> None:
        calls.append(record.epoch)
        if len(calls) == 3:
            raise StopError

    settings = quick("train.epochs=2")
    with pytest.raises(StopError):
        train_seeds(settings, tmp_path / "series", 3, on_epoch=interrupt)
    resumed = train_seeds(*_swapped(planned(tmp_path / "series"), tmp_path / "series"), resume=True)
    whole = train_seeds(settings, tmp_path / "whole", 3)
    for left, right in zip(resumed.runs, whole.runs, strict=True):
        assert_same_weights(left, right)


def _swapped(plan: tuple[RunSettings, int], folder: Path) -> tuple[RunSettings, Path, int]:
    return plan[0], folder, plan[1]


def test_every_preset_is_legal_and_every_file_is_visited() -> None:
    presets = list_presets()
    root = Path(sys.modules["hlgnn"].__path__[0]) / "presets"
    assert len(presets) == len(list(root.rglob("*.toml")))
    assert {preset.dataset for preset in presets} >= {"cora", "citeseer", "pubmed", "photo", "computers"}
    for preset in presets:
        values = {"protocol": "paper", **preset.values, "dataset": preset.dataset, "model_name": preset.model_name}
        settings = make_run_settings(values, where=preset.dataset)
        assert make_run_settings(settings.model_dump()) == settings


def test_nine_data_sets_have_three_presets_with_the_published_number() -> None:
    presets = [preset for preset in list_presets() if preset.dataset != "own" and preset.model_name == "hlgnn"]
    assert len({preset.dataset for preset in presets}) == 9
    for preset in presets:
        assert preset.name in {"default", "paper", "small", "plain", "orders"}
        assert preset.published["mean"] > 50, f"{preset.dataset} {preset.name}"
    assert find_preset("Cora", "paper").published["mean"] == 94.22
    with pytest.raises(UnknownNameError, match="paper"):
        find_preset("cora", "papre")


def test_a_wrong_setting_names_itself_and_the_nearest() -> None:
    with pytest.raises(SettingsError, match=r"model.propagation.dept: There is no such setting. Did you mean 'depth'"):
        quick("model.propagation.dept=3")
    with pytest.raises(SettingsError, match=r"train\.epochs"):
        quick("train.epochs=-1")
    with pytest.raises(SettingsError, match=r"Did you mean 'train'"):
        quick("trian.epochs=3")


def test_a_head_learns_on_a_frozen_formulation(finished: RunFolder, tmp_path: Path) -> None:
    """Tables 7 and 11: the learned weights of one run, or a classic heuristic, and nothing but the head is trained."""
    for formulation in (str(finished.path / "formulation.toml"), "ra"):
        values = {"dataset": "cora", "protocol": "paper", "model_name": "frozen"}
        values |= {"model": {"formulation": formulation, "head": {"kind": "residual", "hidden": 8}}}
        settings = override(make_run_settings(values), ["train.epochs=2", "train.batch_size=4096"])
        run = train_run(settings, tmp_path / Path(formulation).stem)
        assert set(weights(run)) == {
            *("head.scale", "head.shift", "head.correction.layers.0.weight", "head.correction.layers.0.bias"),
            *("head.correction.layers.1.weight", "head.correction.layers.1.bias"),
        }
        assert run.result()["test"]["auc"] > 0.6


@pytest.mark.parametrize(
    ("dataset", "nodes", "features"),
    [("cora", 5, 1433), ("citeseer", 5, 3703), ("pubmed", 5, 500), ("collab", 5, 128), ("ddi", 4267, 0)],
)
def test_small_presets_have_the_parameters_of_table_6(dataset: str, nodes: int, features: int) -> None:
    preset = find_preset(dataset, "small")
    settings = make_run_settings({**preset.values, "dataset": dataset})
    rows = torch.zeros(nodes, features) if features else None
    graph = Graph.from_edges(nodes, torch.tensor([[0, 1], [1, 2]]), features=rows)
    model = HLGNN(graph, settings.model, torch.Generator().manual_seed(0))
    assert sum(each.numel() for each in model.parameters()) == preset.published["parameters"]


@pytest.mark.parametrize("count", [1, 3])
def test_a_run_that_cannot_begin_writes_nothing(count: int, tmp_path: Path) -> None:
    edges = tmp_path / "edges.csv"
    edges.write_text("source,target\na,b\nb,c\n", encoding="utf-8")
    ring = tmp_path / "ring.csv"
    ring.write_text("source,target\n" + "".join(f"n{i},n{(i + 1) % 40}\n" for i in range(40)), encoding="utf-8")
    other_protocol = quick().model_copy(update={"protocol": "ogb"})
    for settings in (
        quick(dataset=str(edges)),
        other_protocol,
        quick("model.input.source=features", dataset=str(ring)),
    ):
        with pytest.raises(HlgnnError):
            train_seeds(settings, tmp_path / "out", count, offline=True)
        assert not (tmp_path / "out").exists()
