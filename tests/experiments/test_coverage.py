"""How much of an experiment is stored: every cell is counted once, and what is not known is not made up."""

from pathlib import Path
from typing import Any

import pytest

from hlgnn.experiments import Cell, Experiment, ResultStore, Scale, Sheet
from hlgnn.experiments.coverage import ABSENT, Coverage, coverage_of

SEEDS = (0, 1, 2)
NAMES = ("whole", "begun", "dear", "dark", "absent", "untouched")


def document(seconds: float | None) -> dict[str, Any]:
    return {"result": {}, "code": {"revision": 1}, "seconds": seconds}


@pytest.fixture
def cells() -> dict[str, Cell]:
    return {name: Cell(name, "column", "agreement", {"graphs": "drawn", "name": name}, SEEDS) for name in NAMES}


def covered(cells: dict[str, Cell], store: ResultStore) -> Coverage:
    made = Experiment("some", "Some cells", lambda _: list(cells.values()), lambda _: Sheet("Some cells"))
    return coverage_of(made, store, Scale.FULL)


def test_an_empty_store_covers_nothing(cells: dict[str, Cell], tmp_path: Path) -> None:
    assert covered(cells, ResultStore(tmp_path / "none")) == Coverage(cells=6, results=18)


def test_every_cell_is_counted_once(cells: dict[str, Cell], tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    for seed in SEEDS:
        store.write(cells["whole"], seed, document(7.0))
    store.write(cells["begun"], 0, document(40.0))
    store.write(cells["begun"], 2, document(60.0))
    store.skip(cells["dear"], {"reason": "not run: would need up to about 1 h", "budget": 60.0, "seconds": 3600.0})
    store.skip(cells["dark"], {"reason": "not run: would need more than 1 min", "budget": 60.0, "seconds": None})
    store.skip(cells["absent"], {"reason": ABSENT, "budget": 0.0, "seconds": None})
    found = covered(cells, store)
    assert (found.complete, found.begun, found.skipped, found.absent) == (1, 1, 2, 1)
    assert (found.cells, found.results, found.stored) == (6, 18, 5)
    assert found.seconds == pytest.approx(1 * 50.0 + 3 * 3600.0)


def test_results_without_a_time_say_nothing_of_the_rest(cells: dict[str, Cell], tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.write(cells["begun"], 0, document(None))
    assert covered(cells, store).seconds == 0.0
