"""Features of nodes in any form that people have them in, as the table that training reads."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from scipy.sparse import issparse

from hlgnn.errors import MissingFileError, SettingsError
from hlgnn.estimators.id_arrays import as_table

if TYPE_CHECKING:
    import numpy.typing as npt

FEATURES = "nodes.parquet"


def write_features(features: Any, ids: pa.Array | None, folder: Path) -> str:
    """Write features into a folder, and return the path of the file.

    Args:
        features: A path, a frame with a column of ids, or rows of numbers, dense or sparse.  (N, F)
        ids: The node of each row, or ``None`` if nobody knows.  (N,)
        folder: Where to.

    Raises:
        MissingFileError: If there is no such file.
        SettingsError: If rows do not fit the nodes.
    """
    if isinstance(features, str | Path):
        path = Path(features)
        if not path.is_file():
            raise MissingFileError("There is no such file.", where=str(path), hint="Check the path of the features.")
        return str(shutil.copyfile(path, folder / f"nodes-{path.name}"))
    table = as_table(features)
    if table is None:
        table = _with_ids(_dense(features), ids)
    pq.write_table(table, folder / FEATURES)
    return str(folder / FEATURES)


def _dense(features: Any) -> npt.NDArray[np.float32]:
    """The rows, sparse ones written out.  (N, F)"""
    sparse: bool = issparse(features)
    if sparse:
        features = features.toarray()
    elif isinstance(features, torch.Tensor):
        features = features.detach().cpu().to_dense().numpy()
    values = np.asarray(features)
    if values.ndim != 2 or values.dtype.kind not in "biuf" or values.shape[1] == 0:
        raise SettingsError(f"Features are numbers of the shape (N, F), not {values.shape}.", where="features")
    return np.ascontiguousarray(values, dtype=np.float32)


def _with_ids(values: npt.NDArray[np.float32], ids: pa.Array | None) -> pa.Table:
    if ids is None:
        raise SettingsError(
            "Nothing says which node each row is of.", where="features", hint="Give a frame with a column of ids."
        )
    if len(values) != len(ids):
        raise SettingsError(
            f"There are {len(values)} rows for {len(ids)} nodes.", where="features", hint="Name all nodes by nodes=…."
        )
    rows = pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values.shape[1])
    return pa.table({"id": ids, "feature": rows})
