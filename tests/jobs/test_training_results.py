"""What is stored under results/training: complete, and what it says of itself."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from hlgnn.jobs.presets import find_preset
from hlgnn.jobs.run_settings import make_run_settings

FOLDER = Path(__file__).parents[2] / "results" / "training"
FILES = sorted(FOLDER.glob("*.json"))
PRINTED = {"cora": 94.22, "citeseer": 94.31, "pubmed": 88.15, "photo": 99.11, "computers": 98.82}


def document(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_result_holds_every_seed_and_its_mean(path: Path) -> None:
    stored = document(path)
    values = stored["test"][stored["metric"]]
    assert len(values) == len(stored["seeds"]) == len(set(stored["seeds"]))
    assert stored["mean"] == pytest.approx(fmean(values))
    assert {"torch", "hlgnn", "python"} <= set(stored["versions"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_result_was_made_with_the_preset_as_it_is(path: Path) -> None:
    stored = document(path)
    preset = find_preset(stored["dataset"], stored["preset"], stored["model"])
    told = {"dataset": stored["settings"]["dataset"], "protocol": stored["protocol"], "preset": stored["preset"]}
    settings = make_run_settings({**preset.values, **told})
    assert make_run_settings(stored["settings"]) == settings


@pytest.mark.parametrize("name", PRINTED)
def test_ten_seeds_reach_what_is_printed(name: str) -> None:
    stored = document(FOLDER / f"{name}-paper.json")
    assert len(stored["seeds"]) == 10
    assert 100 * stored["mean"] >= PRINTED[name]


def test_three_seeds_on_ddi_are_above_the_mean_of_the_authors_logs() -> None:
    stored = document(FOLDER / "ddi-ogb.json")
    assert (stored["metric"], len(stored["seeds"])) == ("hits@20", 3)
    assert 100 * stored["mean"] > 61.66
