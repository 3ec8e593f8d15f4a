"""``hlgnn experiment``."""

import csv
import io
import json
from pathlib import Path

import pytest

from hlgnn.cli.main import run
from hlgnn.experiments import ResultStore, Scale
from hlgnn.experiments.experiments import EXPERIMENTS


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that holds one result of Table 4 on a small scale."""
    cell = EXPERIMENTS["table4"].cells(Scale.SMALL)[0]
    result = {"test": {"hits@100": 0.4321}, "valid": {}, "metric": "hits@100", "parameters": 0}
    ResultStore(tmp_path / "store").write(cell, 0, {"result": result, "code": {"revision": 1}, "seed": 0})
    return tmp_path / "store"


def test_all_experiments_are_listed(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "experiment", "list", "--store", str(store), "--scale", "small"]) == 0
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert list(found) == list(EXPERIMENTS)
    assert found["table4"]["stored"] == 1
    assert run(["experiment", "list", "--store", str(store), "--scale", "small"]) == 0
    assert "table4" in capsys.readouterr().out


@pytest.mark.parametrize("style", ["terminal", "markdown", "latex", "csv"])
def test_a_table_is_drawn_from_the_store(store: Path, style: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["experiment", "show", "table4", "--store", str(store), "--scale", "small", "--format", style]
    assert run(line) == 0
    shown = capsys.readouterr().out
    assert "43.21" in shown
    if style == "csv":
        rows = list(csv.reader(io.StringIO(shown)))
        assert any("43.21" in row for row in rows)


def test_pages_are_written_with_an_index(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["experiment", "show", "all", "--store", str(store), "--scale", "small", "--format", "html"]
    assert run([*line, "--out", str(tmp_path / "site")]) == 0
    assert "index.html" in capsys.readouterr().out.replace("\n", "")
    assert {path.stem for path in (tmp_path / "site").glob("*.html")} == {*EXPERIMENTS, "index"}
    assert "43.21" in (tmp_path / "site/table4.html").read_text(encoding="utf-8")


def test_what_is_stored_is_not_run(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cell = EXPERIMENTS["table4"].cells(Scale.SMALL)[0]
    line = ["--json", "experiment", "run", "table4", "--store", str(store), "--scale", "small", "--only", cell.folder]
    assert run(line) == 0
    assert json.loads(capsys.readouterr().out) == {"kept": 1, "made": 0, "skipped": [], "failures": []}


def test_an_unknown_experiment_is_a_wrong_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "show", "tabel4"]) == 2
    assert "Did you mean 'table4'" in capsys.readouterr().err
