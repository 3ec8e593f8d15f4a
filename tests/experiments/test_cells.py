"""Cells: what their keys depend on, and what the store keeps of them."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from hlgnn.catalog import DATASETS
from hlgnn.errors import MissingFileError, RunError
from hlgnn.experiments import Cell, ResultStore, cell_key
from hlgnn.experiments.experiment import Scale
from hlgnn.experiments.methods import training_cell
from hlgnn.experiments.tasks import data_digest as digest_module
from hlgnn.experiments.tasks.data_digest import data_digest


def own_cell(table: Path, **settings: Any) -> Cell:
    values = {"dataset": str(table), "protocol": "paper", "model_name": "cn", **settings}
    return Cell("CN", "own", "train", values)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "edges.csv"
    path.write_text("source,target\na,b\nb,c\n", encoding="utf-8")
    return path


def test_rows_columns_and_seeds_do_not_change_the_key(table: Path) -> None:
    one = own_cell(table)
    other = dataclasses.replace(one, row="x", column="y", part="z", seeds=(5, 6))
    assert cell_key(one) == cell_key(other)


@pytest.mark.parametrize("change", [{"protocol": "ncn"}, {"model_name": "ra"}, {"model": {"self_loops": True}}])
def test_a_changed_setting_changes_the_key(table: Path, change: dict[str, Any]) -> None:
    assert cell_key(own_cell(table)) != cell_key(own_cell(table, **change))


def test_a_changed_table_changes_the_key(table: Path) -> None:
    before = cell_key(own_cell(table))
    table.write_text("source,target\na,b\nb,d\n", encoding="utf-8")
    assert cell_key(own_cell(table)) != before


def test_other_official_files_change_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    card, before = DATASETS["citeseer"], data_digest("citeseer")
    assert before != data_digest("cora")
    changed = tuple(dataclasses.replace(file, sha256=("0" * 64,)) for file in card.files)
    monkeypatch.setattr(digest_module, "DATASETS", {"citeseer": dataclasses.replace(card, files=changed)})
    assert data_digest("citeseer") != before


def test_data_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="nowhere"):
        data_digest(str(tmp_path / "nowhere.csv"))


def test_the_seed_and_the_name_of_a_preset_are_no_part_of_the_settings() -> None:
    cell = training_cell("hlgnn", "cora", "paper", Scale.FULL)
    assert "seed" not in cell.settings
    assert "preset" not in cell.settings
    assert cell.seeds == tuple(range(10))


def test_what_is_stored_is_read_back(table: Path, tmp_path: Path) -> None:
    store, cell = ResultStore(tmp_path / "store"), dataclasses.replace(own_cell(table), seeds=(0, 1, 2))
    assert store.read(cell, 0) is None
    assert store.outcome(cell).missing == [0, 1, 2]
    for seed, value in ((0, 0.25), (2, 0.75)):
        store.write(cell, seed, {"result": {"test": {"auc": value}}, "code": {"revision": 1}})
    outcome = store.outcome(cell)
    found = outcome.spread("test", "auc", scale=100.0)
    assert found is not None
    assert found.values == (25.0, 75.0)
    assert found.mean == 50.0
    assert outcome.missing == [1]
    assert outcome.spread("test", "mrr") is None
    assert not outcome.older


def test_a_result_of_an_earlier_revision_is_called_so(table: Path, tmp_path: Path) -> None:
    store, cell = ResultStore(tmp_path / "store"), own_cell(table)
    store.write(cell, 0, {"result": {}, "code": {"revision": 0}})
    assert store.outcome(cell).older


def test_a_result_ends_what_was_said_about_skipping(table: Path, tmp_path: Path) -> None:
    store, cell = ResultStore(tmp_path / "store"), own_cell(table)
    store.skip(cell, {"reason": "not run: would need about 3 h", "budget": 60.0})
    assert store.outcome(cell).skipped == "not run: would need about 3 h"
    store.write(cell, 0, {"result": {}, "code": {"revision": 1}})
    assert store.outcome(cell).skipped == ""


def test_a_damaged_file_is_named(table: Path, tmp_path: Path) -> None:
    store, cell = ResultStore(tmp_path / "store"), own_cell(table)
    store.write(cell, 0, {"result": {}})
    path = next((tmp_path / "store").rglob("seed-0.json"))
    path.write_text('{"result": ', encoding="utf-8")
    with pytest.raises(RunError, match=r"seed-0\.json.*damaged"):
        store.read(cell, 0)
