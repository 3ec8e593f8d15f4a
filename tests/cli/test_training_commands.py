"""``hlgnn train`` and what is done with a run, from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hlgnn.cli.main import run

QUICK = [
    *("--set", "train.epochs=2", "--set", "model.input.svd=16", "--set", "model.propagation.depth=3"),
    *("--set", "train.selection_negatives=1"),
]


def as_json(capsys: pytest.CaptureFixture[str], *line: str) -> Any:
    capsys.readouterr()
    assert run([*line, "--json", "--quiet"]) == 0
    return json.loads(capsys.readouterr().out)


def complaint(capsys: pytest.CaptureFixture[str], *line: str, code: int) -> str:
    capsys.readouterr()
    assert run([*line, "--quiet"]) == code
    return " ".join(capsys.readouterr().err.split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seeds of a small run."""
    out = tmp_path_factory.mktemp("runs") / "cora"
    assert run(["train", "cora", "--runs", "2", "--out", str(out), *QUICK, "--quiet"]) == 0
    return out


def test_train_prints_every_seed_and_the_mean(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "train", "--resume", str(folder))
    assert found["seeds"] == [0, 1]
    assert found["metric"] == "hits@100"
    assert found["mean"] == pytest.approx(sum(found["test"]["hits@100"]) / 2)
    assert run(["train", "--resume", str(folder), "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert "mean" in shown
    assert "±" in shown


def test_evaluate_gives_intervals(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = as_json(capsys, "evaluate", str(folder / "seed-0"), "--metric", "auc")
    assert [(row["part"], row["metric"]) for row in rows] == [("valid", "auc"), ("test", "auc")]
    stored = json.loads((folder / "seed-0" / "result.json").read_text(encoding="utf-8"))
    assert rows[1]["value"] == pytest.approx(stored["test"]["auc"])


def test_a_misspelt_auto_is_understood(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = complaint(capsys, "train", "cora", "--model", "atuo", "--out", str(tmp_path / "run"), code=2)
    assert "Did you mean 'auto'?" in said
    assert not (tmp_path / "run").exists()


def test_compare_groups_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = as_json(capsys, "compare", str(folder), str(folder / "seed-0"), "--metric", "auc")
    assert {len(row["seeds"]) for row in rows} == {1, 2}
    assert run(["compare", str(folder)]) == 0
    assert "cora" in capsys.readouterr().out


def test_explain_prints_the_formula_and_the_nearest_heuristic(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(capsys, "explain", str(folder / "seed-0"), "--plots", str(tmp_path / "plots"))
    assert found["formula"].startswith("H = ")
    assert len(found["betas"]) == 4
    assert 0 <= found["nearest"]["r_squared"] <= 1
    assert found["range"] in {"local", "mixed", "global"}
    for picture in found["pictures"]:
        assert Path(picture).read_bytes().startswith(b"\x89PNG")
    latex = as_json(capsys, "explain", str(folder / "seed-0"), "--format", "latex")
    assert r"\boldsymbol{H} = " in latex["formula"]


def test_what_was_learned_scores_and_predicts_as_any_heuristic(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learned = str(folder / "seed-0" / "formulation.toml")
    rows = as_json(capsys, "predict", "cora", "--heuristic", learned, "--top", "3")
    assert len(rows) == 3


def test_presets_are_listed_shown_and_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = as_json(capsys, "preset", "list")
    assert {(each["dataset"], each["preset"]) for each in listed} >= {("cora", "paper"), ("citation2", "small")}
    shown = as_json(capsys, "preset", "show", "cora", "--preset", "paper")
    assert shown["model"]["head"]["hidden"] == 8192
    assert shown["published"]["mean"] == 94.22
    assert "cora" in complaint(capsys, "preset", "show", "corra", code=2)
    file = tmp_path / "mine.toml"
    assert run(["preset", "copy", "cora", str(file)]) == 0
    assert "already" in complaint(capsys, "preset", "copy", "cora", str(file), code=1)
    out = str(tmp_path / "run")
    found = as_json(capsys, "train", "cora", "--preset", str(file), *QUICK, "--out", out)
    assert found["preset"] == "mine"


def test_a_search_goes_on_and_its_best_settings_train(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ("search", "cora", *QUICK, "--out", str(tmp_path / "search"))
    first = as_json(capsys, *line, "--trials", "1")
    second = as_json(capsys, *line, "--trials", "2")
    assert (first["trials"], second["trials"]) == (1, 2)
    assert second["valid"] >= first["valid"]
    out = str(tmp_path / "run")
    found = as_json(capsys, "train", "cora", "--preset", second["file"], "--out", out)
    assert found["settings"]["model"]["propagation"]["depth"] == second["changes"]["model.propagation.depth"]
    other = complaint(capsys, *line, "--set", "train.negatives=2", code=1)
    assert "another --out" in other


def test_a_graph_of_ones_own_is_trained_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edges = tmp_path / "friends.csv"
    lines = [f"n{i},n{(i + step) % 60}" for i in range(60) for step in (1, 2, 5)]
    edges.write_text("a,b\n" + "\n".join(lines) + "\n", encoding="utf-8")
    out = str(tmp_path / "run")
    found = as_json(capsys, "train", str(edges), "--set", "train.epochs=2", "--out", out)
    assert found["result"]["preset"] == "default"
    assert 0 <= found["result"]["test"]["auc"] <= 1
    assert (tmp_path / "run" / "report.html").is_file()
    plain = as_json(capsys, "train", str(edges), "--set", "train.epochs=2", "--no-report", "--out", out + "-plain")
    assert plain["seeds"] == [0]
    with_report, without = (json.loads(Path(each, "result.json").read_text()) for each in (out, out + "-plain"))
    assert with_report["test"] == without["test"]  # the same model, whether it is reported on or not


def test_a_column_of_times_splits_by_time_for_every_method(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edges = tmp_path / "calls.csv"
    lines = [f"n{i},n{(i + step) % 60},{60 * step + i}" for i in range(60) for step in (1, 2, 5, 7)]
    edges.write_text("a,b,when\n" + "\n".join(lines) + "\n", encoding="utf-8")
    for model in ("hlgnn", "mf"):
        out = tmp_path / model
        line = ["train", str(edges), "--source", "a", "--target", "b", "--time", "when", "--model", model]
        as_json(capsys, *line, "--no-report", "--set", "train.epochs=1", "--out", str(out))
        assert json.loads((out / "result.json").read_text())["protocol"] == "time"


def test_tensorboard_curves_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json(capsys, "train", "cora", *QUICK, "--tensorboard", "--out", str(tmp_path / "run"))
    assert list((tmp_path / "run-tensorboard").glob("events.*"))


def test_wrong_requests_say_what_to_do(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing is overwritten" in complaint(capsys, "train", "cora", "--out", str(folder), code=1)
    assert "--resume" not in complaint(capsys, "train", "cora", "--out", str(folder), code=1)  # it has ended
    begun = tmp_path / "begun"
    shutil.copytree(folder, begun)
    (begun / "summary.json").unlink()
    assert "--resume" in complaint(capsys, "train", "cora", "--out", str(begun), code=1)
    assert "either a data set or a folder" in complaint(capsys, "train", code=2)
    assert "Did you mean 'epochs'" in complaint(capsys, "train", "cora", "--set", "train.epoch=3", code=2)
    assert "Did you mean 'paper'" in complaint(capsys, "train", "cora", "--preset", "papper", code=2)
    assert "no settings.toml" in complaint(capsys, "explain", str(tmp_path), code=1)
    assert "ogb" in complaint(capsys, "train", "cora", "--protocol", "ogbb", code=2)
    unsuited = complaint(capsys, "train", "cora", "--protocol", "ogb", "--out", str(tmp_path / "x"), code=1)
    assert unsuited


def test_the_best_is_chosen_on_one_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "cora", "--model", "auto", "--runs", "3", "--out", str(tmp_path / "auto")]) == 2
    assert "--model auto: What is best for a graph is chosen on one run." in capsys.readouterr().err
    assert not (tmp_path / "auto").exists()
