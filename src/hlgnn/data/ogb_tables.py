"""The compressed tables of OGB: no header, one line per node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.csv
import torch

from hlgnn.errors import DatasetError
from hlgnn.progress import silent

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

    from hlgnn.progress import Progress

BLOCK = 16 << 20  # bytes of text at a time: features of citation2 are never in memory as text


def read_num_nodes(path: Path) -> int:
    """The number of nodes: the only entry of ``num-node-list.csv.gz``."""
    reader = _open(path, {"f0": pa.int64()})
    numbers = reader.read_all().column(0).to_pylist()
    if len(numbers) != 1:
        raise DatasetError(f"It holds {len(numbers)} numbers of nodes instead of one.", where=str(path))
    return int(numbers[0])


def read_features(path: Path, num_nodes: int, num_features: int, progress: Progress = silent) -> Tensor:
    """The features of each node, block by block into one table: (N, F), float32."""
    features = np.empty((num_nodes, num_features), dtype=np.float32)
    done = 0
    for batch in _open(path, {f"f{column}": pa.float32() for column in range(num_features)}):
        stop = done + batch.num_rows
        if batch.num_columns != num_features or stop > num_nodes:
            raise _wrong_shape(path, max(stop, 1), batch.num_columns, num_nodes, num_features)
        for column in range(num_features):
            features[done:stop, column] = batch.column(column).to_numpy(zero_copy_only=False)
        done = stop
        progress(f"Reading {path.name}", done, num_nodes)
    if done != num_nodes:
        raise _wrong_shape(path, done, num_features, num_nodes, num_features)
    return torch.from_numpy(features)


def _open(path: Path, types: dict[str, pa.DataType]) -> pyarrow.csv.CSVStreamingReader:
    """Blocks of a compressed table; pyarrow knows how to unpack it by its name."""
    try:
        return pyarrow.csv.open_csv(
            path,
            read_options=pyarrow.csv.ReadOptions(autogenerate_column_names=True, block_size=BLOCK),
            convert_options=pyarrow.csv.ConvertOptions(column_types=types),
        )
    except (pa.ArrowInvalid, OSError) as error:
        raise DatasetError(f"It is no compressed table of numbers ({error}).", where=str(path)) from error


def _wrong_shape(path: Path, rows: int, columns: int, num_nodes: int, num_features: int) -> DatasetError:
    return DatasetError(
        f"It holds {rows} rows of {columns} numbers instead of {num_nodes} rows of {num_features}.", where=str(path)
    )
