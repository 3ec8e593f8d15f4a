"""``hlgnn train --memory``: what is said before and after, and what is refused."""

import json
from pathlib import Path

import pytest

from hlgnn.cli.main import run
from hlgnn.graph import karate_club

SMALL = ["--set", "train.epochs=1", "--set", "model.input.hidden=8", "--set", "model.propagation.depth=2"]


def test_the_estimate_is_said_before_and_the_peak_after(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert run(["train", "cora", "--memory", "40GB", "--out", str(folder), *SMALL]) == 0
    said = capsys.readouterr().err
    assert said.index("plan: ") < said.index("peak: ")
    plan = json.loads((folder / "memory.json").read_text(encoding="utf-8"))
    assert plan["budget"] == 40 * 10**9
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["peak_bytes"] > 10**8


@pytest.mark.parametrize(
    ("memory", "sentence"),
    [("1MB", "too little to train: the least is"), ("some", "'some' is no amount of memory")],
)
def test_what_cannot_be_met_is_refused(
    memory: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert run(["train", "cora", "--memory", memory, "--out", str(folder), *SMALL]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert not folder.exists()


def test_a_graph_of_ones_own_is_foreseen_and_trained_under_the_budget(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, folder = tmp_path / "edges.csv", tmp_path / "run"
    lines = [f"n{first},n{second}" for first, second in karate_club().links.tolist()]
    table.write_text("\n".join(["source,target", *lines]), encoding="utf-8")
    line = ["train", str(table), "--out", str(folder), "--set", "train.epochs=2"]
    assert run([*line, "--memory", "1MB"]) == 2
    assert "too little to train" in " ".join(capsys.readouterr().err.split())
    assert not folder.exists()
    assert run([*line, "--memory", "40GB"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert said.index("This will take about") < said.index("plan: ") < said.index("peak: ")
    assert (folder / "report.html").is_file()
    assert json.loads((folder / "memory.json").read_text(encoding="utf-8"))["budget"] == 40 * 10**9
