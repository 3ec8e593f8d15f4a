"""The Amazon graphs, compared with PyG and with a graph that one can check by hand."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array, csr_matrix

from hlgnn.data.amazon import load_amazon
from hlgnn.data.cards import COMPUTERS, PHOTO
from hlgnn.data.dataset import DatasetCard, RemoteFile
from hlgnn.data.official_files import locate
from hlgnn.errors import DatasetError


def write(home: Path, arrays: dict[str, Any]) -> DatasetCard:
    path = home / "Amazon/Photo/raw/a.npz"
    path.parent.mkdir(parents=True)
    np.savez_compressed(path, **arrays)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return replace(PHOTO, files=(RemoteFile("a.npz", "", (sha256,)),))


def parts(name: str, matrix: list[list[int]]) -> dict[str, Any]:
    rows = csr_matrix(np.array(matrix, dtype=np.float32))
    names = {f"{name}_{part}": getattr(rows, part) for part in ("data", "indices", "indptr")}
    return names | {f"{name}_shape": np.array(rows.shape)}


def test_a_small_graph(tmp_path: Path) -> None:
    labels = {"labels": np.array([1, 0, 1]), "class_names": np.array(["Lenses", "Flashes"])}
    adjacency = [[1, 1, 0], [1, 0, 0], [0, 1, 0]]
    card = write(tmp_path, parts("adj", adjacency) | parts("attr", [[1, 0], [0, 0], [1, 1]]) | labels)
    dataset = load_amazon(card, tmp_path)
    assert dataset.graph.links.tolist() == [[0, 1], [1, 2]]
    assert isinstance(dataset.graph.features, csr_array)
    assert dataset.graph.features.toarray().tolist() == [[1, 0], [0, 0], [1, 1]]
    assert dataset.graph.features.dtype == np.float32
    assert dataset.labels == ("Flashes", "Lenses", "Flashes")
    assert dataset.metric == "auc"


@pytest.mark.parametrize("arrays", [{"adj_data": np.ones(3)}, {"adj_data": np.array([1, "a"], dtype=object)}])
def test_another_content_is_a_dataset_error(tmp_path: Path, arrays: dict[str, Any]) -> None:
    card = write(tmp_path, arrays)
    with pytest.raises(DatasetError, match="no graph in the format of Amazon"):
        load_amazon(card, tmp_path)


@pytest.mark.data
@pytest.mark.parametrize("card", [PHOTO, COMPUTERS], ids=lambda card: card.name)
def test_the_official_graphs_are_those_of_pyg(card: DatasetCard, data_folder: Path) -> None:
    dataset = load_amazon(card, data_folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch_geometric.io import read_npz

        expected = read_npz(str(locate(card, data_folder) / card.files[0].path))
    forward = expected.edge_index[:, expected.edge_index[0] < expected.edge_index[1]].T
    order = np.lexsort((forward[:, 1].numpy(), forward[:, 0].numpy()))
    assert torch.equal(dataset.graph.links, forward[order])
    assert isinstance(dataset.graph.features, csr_array)
    np.testing.assert_array_equal(dataset.graph.features.toarray(), expected.x.numpy())
