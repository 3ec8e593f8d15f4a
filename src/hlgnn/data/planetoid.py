"""Cora, Citeseer and Pubmed as Planetoid publishes them: pickled pieces that are put back into one graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from scipy.sparse import csr_array, vstack

from hlgnn.data.dataset import Dataset
from hlgnn.data.official_files import require_files
from hlgnn.data.safe_pickle import read_pickle
from hlgnn.errors import DatasetError
from hlgnn.graph import Graph
from hlgnn.progress import silent

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data.dataset import DatasetCard
    from hlgnn.progress import Progress

NO_CLASS = "unknown"


def load_planetoid(card: DatasetCard, home: Path, progress: Progress = silent) -> Dataset:
    """Read the official files of a Planetoid data set; classes are called by their numbers.

    Raises:
        DatasetError: If a file is missing, is not the official one, or does not hold what it should.
    """
    paths = require_files(card, home, progress)
    pieces = {path.name.split(".", 2)[2]: path for path in paths.values()}  # ind.cora.allx -> allx
    rows = _row_of_each_node(pieces)
    graph = Graph.from_edges(len(rows), _read_edges(pieces["graph"]), features=_read_features(pieces, rows))
    return Dataset(card.name, graph, card.metric, labels=_read_classes(pieces, rows))


def _row_of_each_node(pieces: dict[str, Path]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Which row of ``allx`` over ``tx`` over one row of zeros describes each node: (N,).

    The nodes of ``allx`` come first; row k of ``tx`` describes the node on line k of ``test.index``. Numbers that
    are skipped there (Citeseer has 15) are nodes about which nothing is known: they get the row of zeros.
    """
    test_nodes = np.array(pieces["test.index"].read_text("ascii").split(), dtype=np.int64)
    first = _read_array(pieces["ally"]).shape[0]
    zeros = first + len(test_nodes)
    rows = np.full(int(test_nodes.max()) + 1, zeros)
    rows[:first] = np.arange(first)
    rows[test_nodes] = np.arange(first, zeros)
    return rows


def _read_features(pieces: dict[str, Path], rows: np.ndarray[Any, np.dtype[np.int64]]) -> csr_array:
    """Bags of words, as published: (N, F)."""
    known, test = (read_pickle(pieces[name], encoding="latin1") for name in ("allx", "tx"))
    if not isinstance(known, csr_array) or not isinstance(test, csr_array):
        raise DatasetError("It holds no sparse features.", where=str(pieces["allx"]))
    zeros = csr_array((1, known.shape[1]), dtype=np.float32)
    features = csr_array(vstack([known, test, zeros], format="csr")[rows])
    features.sort_indices()
    return features


def _read_classes(pieces: dict[str, Path], rows: np.ndarray[Any, np.dtype[np.int64]]) -> tuple[str, ...]:
    """The class of each node, one-hot in the files; a row without a one has no class."""
    one_hot = np.concatenate([_read_array(pieces["ally"]), _read_array(pieces["ty"])])  # (N', C)
    names = [str(number) for number in range(one_hot.shape[1])] + [NO_CLASS]
    number = np.where(one_hot.any(axis=1), one_hot.argmax(axis=1), -1)
    return tuple(names[number] for number in np.append(number, -1)[rows])


def _read_edges(path: Path) -> torch.Tensor:
    """The dictionary of neighbours as edges: (E, 2)."""
    neighbors = read_pickle(path, encoding="latin1")
    if not isinstance(neighbors, dict):
        raise DatasetError("It holds no dictionary of neighbours.", where=str(path))
    source = np.repeat(list(neighbors), [len(row) for row in neighbors.values()])
    target = np.concatenate([np.array(row, dtype=np.int64) for row in neighbors.values()])
    return torch.from_numpy(np.stack([source, target], axis=1))


def _read_array(path: Path) -> np.ndarray[Any, Any]:
    array = read_pickle(path, encoding="latin1")
    if not isinstance(array, np.ndarray) or array.ndim != 2:
        raise DatasetError("It holds no table of classes.", where=str(path))
    return array
