"""Planetoid's pieces put together, compared with PyG and with a graph that one can check by hand."""

from __future__ import annotations

import hashlib
import pickle
import warnings
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array, csr_matrix

from hlgnn.data.cards import CARDS, CITESEER
from hlgnn.data.dataset import DatasetCard, RemoteFile
from hlgnn.data.official_files import locate
from hlgnn.data.planetoid import load_planetoid
from hlgnn.errors import DatasetError

# Nodes 0, 1 are known; 4 and 2 are test nodes, in this order; nothing is known about 3.
SMALL: dict[str, Any] = {
    "x": csr_matrix(np.array([[1.0, 0]])),
    "tx": csr_matrix(np.array([[0, 4.0], [2.0, 2.5]])),
    "allx": csr_matrix(np.array([[1.0, 0], [0, 1.0]])),
    "y": np.array([[1, 0, 0]]),
    "ty": np.array([[0, 0, 1], [1, 0, 0]]),
    "ally": np.array([[1, 0, 0], [0, 1, 0]]),
    "graph": defaultdict(list, {0: [1, 1, 4], 1: [0, 2, 1], 2: [1], 3: [], 4: [0]}),
}


@pytest.fixture
def small(tmp_path: Path) -> DatasetCard:
    """The small graph in Planetoid's layout, and its card."""
    files = {name: pickle.dumps(piece, 2) for name, piece in SMALL.items()} | {"test.index": b"4\n2\n"}
    return write(tmp_path, files)


def write(home: Path, files: dict[str, bytes]) -> DatasetCard:
    folder = home / "Planetoid/Small/raw"
    folder.mkdir(parents=True, exist_ok=True)
    remote = []
    for name, content in files.items():
        (folder / f"ind.small.{name}").write_bytes(content)
        remote.append(RemoteFile(f"ind.small.{name}", "", (hashlib.sha256(content).hexdigest(),)))
    return replace(CITESEER, name="small", folders=("Planetoid/Small/raw",), files=tuple(remote))


def test_a_small_graph(small: DatasetCard, tmp_path: Path) -> None:
    dataset = load_planetoid(small, tmp_path)
    assert dataset.name == "small"
    assert dataset.metric == "hits@100"
    assert dataset.graph.links.tolist() == [[0, 1], [0, 4], [1, 2]]
    assert isinstance(dataset.graph.features, csr_array)
    features = [[1, 0], [0, 1], [2, 2.5], [0, 0], [0, 4]]
    np.testing.assert_array_equal(dataset.graph.features.toarray(), np.array(features, dtype=np.float32))
    assert dataset.labels == ("0", "1", "0", "unknown", "2")


@pytest.mark.parametrize("name", ["allx", "ally", "graph"])
def test_pieces_of_another_kind_are_dataset_errors(small: DatasetCard, tmp_path: Path, name: str) -> None:
    folder = tmp_path / small.folders[0]
    files = {path.name.removeprefix("ind.small."): path.read_bytes() for path in folder.iterdir()}
    card = write(tmp_path, files | {name: pickle.dumps("text")})
    with pytest.raises(DatasetError, match="It holds no"):
        load_planetoid(card, tmp_path)


@pytest.mark.data
@pytest.mark.parametrize("card", CARDS[:3], ids=lambda card: card.name)
def test_the_official_graphs_are_those_of_pyg(card: DatasetCard, data_folder: Path) -> None:
    dataset = load_planetoid(card, data_folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch_geometric.io import read_planetoid_data

        expected = read_planetoid_data(str(locate(card, data_folder)), card.name)
    forward = expected.edge_index[:, expected.edge_index[0] < expected.edge_index[1]].T
    order = np.lexsort((forward[:, 1].numpy(), forward[:, 0].numpy()))
    assert torch.equal(dataset.graph.links, forward[order])
    assert isinstance(dataset.graph.features, csr_array)
    np.testing.assert_array_equal(dataset.graph.features.toarray(), expected.x.numpy())
    assert dataset.labels is not None
    known = [k for k, label in enumerate(dataset.labels) if label != "unknown"]
    assert [int(dataset.labels[k]) for k in known] == expected.y[known].tolist()
    assert len(dataset.labels) - len(known) == (15 if card.name == "citeseer" else 0)
