"""Data sets by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlgnn.catalog import DATASETS, load_dataset
from hlgnn.errors import DatasetError, UnknownNameError


@pytest.mark.parametrize(
    ("name", "found"),
    [("Cora", "cora"), ("ogbl_ddi", "ogbl-ddi"), ("DDI", "ogbl-ddi"), ("ppa", "ogbl-ppa"), ("collab", "ogbl-collab")],
)
def test_names_and_short_names(name: str, found: str) -> None:
    assert name in DATASETS
    assert DATASETS[name].name == found


def test_short_names_are_not_listed() -> None:
    assert len(DATASETS) == len(list(DATASETS)) == len(DATASETS.values()) == 9
    assert "collab" not in list(DATASETS)
    assert "nothing" not in DATASETS
    with pytest.raises(UnknownNameError, match=r"Did you mean 'citeseer'\?.*ogbl-citation2"):
        load_dataset("citeser")


def test_cora_needs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlgnn.catalog.download_dataset", pytest.fail)
    assert load_dataset("cora", home=tmp_path).graph.num_links == 5_278


def test_offline_is_obeyed(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="offline"):
        load_dataset("ddi", home=tmp_path, offline=True)


@pytest.mark.data
def test_files_that_are_there_are_read(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlgnn.catalog.download_dataset", pytest.fail)
    dataset = load_dataset("photo", home=data_folder)
    assert dataset.graph.num_nodes == DATASETS["photo"].num_nodes
