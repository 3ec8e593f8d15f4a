"""Cora from the package and from the official files: the same graph, node by node."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from hlgnn.data.cards import CORA
from hlgnn.data.cora import load_cora
from hlgnn.data.dataset import Dataset
from hlgnn.data.embedded import load_embedded_cora
from hlgnn.data.official_files import locate
from hlgnn.data.planetoid import load_planetoid
from hlgnn.errors import DatasetError


def assert_same(first: Dataset, second: Dataset) -> None:
    assert torch.equal(first.graph.adjacency.offset, second.graph.adjacency.offset)
    assert torch.equal(first.graph.adjacency.neighbor, second.graph.adjacency.neighbor)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(first.graph.features, name), getattr(second.graph.features, name))
    assert first.labels == second.labels
    assert first.graph.node_ids == second.graph.node_ids


def test_without_official_files_the_embedded_copy_is_used(tmp_path: Path) -> None:
    dataset = load_cora(CORA, tmp_path)
    assert_same(dataset, load_embedded_cora())
    graph = dataset.graph
    assert (graph.num_nodes, graph.num_links, graph.num_features) == (2_708, 5_278, 1_433)
    assert dataset.labels is not None
    assert len(set(dataset.labels)) == 7
    assert dataset.labels[graph.node_ids.index([31336])[0]] == "Neural_Networks"
    assert isinstance(graph.features, csr_array)
    assert graph.features.nnz == 49_216


@pytest.mark.data
def test_the_official_files_hold_the_same_graph(data_folder: Path) -> None:
    official, embedded = load_cora(CORA, data_folder), load_embedded_cora()
    assert_same(official, embedded)
    numbers = load_planetoid(CORA, data_folder).labels
    assert numbers is not None
    assert embedded.labels is not None
    assert sorted(set(zip(numbers, embedded.labels, strict=True))) == [
        ("0", "Theory"),
        ("1", "Reinforcement_Learning"),
        ("2", "Genetic_Algorithms"),
        ("3", "Neural_Networks"),
        ("4", "Probabilistic_Methods"),
        ("5", "Case_Based"),
        ("6", "Rule_Learning"),
    ]


@pytest.mark.data
def test_a_damaged_official_file_is_an_error(data_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "Cora/raw"
    shutil.copytree(locate(CORA, data_folder), folder)
    (folder / "ind.cora.graph").write_bytes(b"cut off")
    with pytest.raises(DatasetError, match="not the official file"):
        load_cora(CORA, tmp_path)


def test_an_interrupted_download_leaves_the_embedded_copy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("hlgnn"), "propagate", True)  # the command line turns it off
    path = tmp_path / CORA.folders[0] / CORA.files[0].path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"the first of several files")
    with caplog.at_level(logging.WARNING, logger="hlgnn"):
        assert_same(load_cora(CORA, tmp_path), load_embedded_cora())
    assert f"{len(CORA.files) - 1} of {len(CORA.files)} official files" in caplog.text
