"""Amazon Photo and Amazon Computers: goods that are often bought together."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from scipy.sparse import csr_array

from hlgnn.data.dataset import Dataset
from hlgnn.data.official_files import require_files
from hlgnn.errors import DatasetError
from hlgnn.graph import Graph
from hlgnn.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hlgnn.data.dataset import DatasetCard
    from hlgnn.progress import Progress


def load_amazon(card: DatasetCard, home: Path, progress: Progress = silent) -> Dataset:
    """Read the official file of an Amazon data set.

    Raises:
        DatasetError: If the file is missing, is not an official one, or does not hold what it should.
    """
    (path,) = require_files(card, home, progress).values()
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return _dataset(card, arrays)
    except (KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise DatasetError(f"It is no graph in the format of Amazon ({error}).", where=str(path)) from error


def _dataset(card: DatasetCard, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Dataset:
    adjacency = _rows(arrays, "adj").tocoo()
    edges = np.stack([adjacency.row, adjacency.col], axis=1).astype(np.int64)  # each in one direction, or in both
    features = _rows(arrays, "attr").astype(np.float32)
    features.sort_indices()
    graph = Graph.from_edges(adjacency.shape[0], torch.from_numpy(edges), features=features)
    labels = tuple(str(name) for name in arrays["class_names"][arrays["labels"]])
    return Dataset(card.name, graph, card.metric, labels=labels)


def _rows(arrays: Mapping[str, np.ndarray[Any, Any]], name: str) -> csr_array:
    parts = (arrays[f"{name}_data"], arrays[f"{name}_indices"], arrays[f"{name}_indptr"])
    num_rows, num_columns = arrays[f"{name}_shape"].tolist()
    return csr_array(parts, shape=(num_rows, num_columns))
