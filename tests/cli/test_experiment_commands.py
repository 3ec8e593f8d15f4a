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


def test_what_was_run_is_shown(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cell = EXPERIMENTS["table4"].cells(Scale.SMALL)[0]
    line = ["experiment", "run", "--store", str(store), "--scale", "small", "--only", cell.folder]
    assert run([*line, "table4"]) == 0
    shown = capsys.readouterr().out
    assert "43.21" in shown
    assert "0 results made, 1 were stored already." in shown
    assert run([*line, "table4", "table8"]) == 0
    assert "hlgnn experiment show table4 table8" in capsys.readouterr().out


def test_numbers_of_a_small_scale_are_called_so_and_not_compared(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--json", "experiment", "show", "table4", "--store", str(store), "--scale", "small"]) == 0
    sheet = json.loads(capsys.readouterr().out)["table4"]
    assert "small scale" in sheet["title"]
    assert "mean nothing" in sheet["lead"]
    entries = [entry for grid in sheet["grids"] for _, row in grid["rows"] for entry in row]
    assert any(entry["text"] == "43.21" for entry in entries)
    assert {entry["mark"] for entry in entries} <= {"", "missing"}


def test_a_store_that_is_not_there_is_said_to_be_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "show", "table4", "--store", str(tmp_path / "none")]) == 0
    assert "there is no folder" in capsys.readouterr().err.replace("\n", " ")


def test_claims_are_judged_by_the_store(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "experiment", "claims", "--store", str(store)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["verdict"] for each in found} == {"not measured"}
    assert all(each["command"].startswith("hlgnn experiment run ") for each in found)
    assert run(["experiment", "claims", "--store", str(store)]) == 0
    assert "not measured" in capsys.readouterr().out


def test_all_may_stand_beside_other_names(store: Path, tmp_path: Path) -> None:
    line = ["experiment", "show", "table1", "all", "--store", str(store), "--scale", "small", "--format", "csv"]
    assert run([*line, "--out", str(tmp_path / "csv")]) == 0
    assert {path.stem for path in (tmp_path / "csv").iterdir()} == set(EXPERIMENTS)


def test_an_unknown_experiment_is_a_wrong_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "show", "tabel4"]) == 2
    assert "Did you mean 'table4'" in capsys.readouterr().err
