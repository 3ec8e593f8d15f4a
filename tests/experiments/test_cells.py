"""Cells: what their keys depend on, and what the store keeps of them."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from hlgnn.catalog import DATASETS
from hlgnn.errors import MissingFileError, RunError
from hlgnn.experiments import Cell, CellOutcome, ResultStore, cell_key
from hlgnn.experiments.entries import UNTRAINED, Published, spread_entry
from hlgnn.experiments.experiment import Scale
from hlgnn.experiments.methods import training_cell
from hlgnn.experiments.tasks import TASKS
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
        store.write(cell, seed, {"result": {"test": {"auc": value}}, "code": {"revision": TASKS["train"].revision}})
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
    store.write(cell, 0, {"result": {}, "code": {"revision": TASKS["train"].revision - 1}})
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


@pytest.mark.parametrize("text", ["{}", "[]", '{"result": {}}'])
def test_a_file_that_lacks_something_is_named(table: Path, tmp_path: Path, text: str) -> None:
    cell, store = own_cell(table), ResultStore(tmp_path / "store")
    store.write(cell, 0, {"result": {}, "code": {"revision": 1}})
    path = next((tmp_path / "store").rglob("seed-0.json"))
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match="lacks one of code, result") as caught:
        store.outcome(cell)
    assert caught.value.where == str(path)


def measured(numbers: list[float], seeds: int, **beside: int) -> CellOutcome:
    cell = Cell("a", "b", "train", {}, tuple(range(seeds)))
    results = {seed: {"test": {"auc": value}, **beside} for seed, value in enumerate(numbers)}
    return CellOutcome(cell, results, {})


@pytest.mark.parametrize(
    ("numbers", "seeds", "mark"),
    [
        ([0.500, 0.501, 0.499], 3, "below"),
        ([0.900, 0.901, 0.899], 10, "above"),
        ([0.900, 0.901], 10, ""),  # two seeds do not tell how large the noise is
        ([0.900], 1, "above"),  # where nothing is drawn there is none
        ([0.70004], 1, ""),  # the printed number has two digits
        ([0.50, 0.70, 0.95], 3, ""),
    ],
)
def test_a_mark_needs_more_than_noise_and_enough_seeds_to_know_it(numbers: list[float], seeds: int, mark: str) -> None:
    assert spread_entry(measured(numbers, seeds), "test", "auc", scale=100.0, beside=Published(70.0)).mark == mark


def test_a_model_that_stayed_as_it_was_is_called_so() -> None:
    start = spread_entry(measured([0.5, 0.5], 2, best_epoch=0, epochs=6), "test", "auc")
    learned = spread_entry(measured([0.5, 0.5], 2, best_epoch=4, epochs=6), "test", "auc")
    assert start.note == UNTRAINED
    assert learned.note == ""
    assert spread_entry(measured([0.5, 0.5], 2, best_epoch=0, epochs=0), "test", "auc").note == ""  # nothing to learn
