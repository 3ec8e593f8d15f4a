"""Pairs of ids in any form that people have them in, as Arrow columns and as positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import torch

from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.graph.columns import Wanted, choose_columns
from hlgnn.graph.id_columns import read_ids
from hlgnn.graph.labels import as_labels

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import NodeIds


def comes_from(value: Any, package: str) -> bool:
    """Whether the type of a value, or one that it inherits from, is of a package; which need not be installed.

    Example:
        >>> comes_from(np.zeros(3), "numpy"), comes_from([], "numpy")
        (True, False)
    """
    return any(kind.__module__.partition(".")[0] == package for kind in type(value).__mro__)


def as_table(value: Any) -> pa.Table | None:
    """A frame of pandas or polars, or an Arrow table, as an Arrow table; ``None`` for anything else."""
    if isinstance(value, pa.Table):
        return value
    if comes_from(value, "pandas") and hasattr(value, "columns"):
        columns = {str(name): value[name] for name in value.columns}
        return pa.table({name: _column(name, column) for name, column in columns.items()})
    if comes_from(value, "polars") and hasattr(value, "columns"):
        return value.to_arrow()
    return None


def id_table(pairs: Any, wanted: Wanted | None = None, *, where: str = "pairs") -> pa.Table:
    """Pairs as a table with the columns ``source`` and ``target``, and weight and time if a frame has them.  (P, 2)

    Args:
        pairs: An array, tensor or list of pairs of ids, or a frame, whose columns are found as in files.
        wanted: The names of the columns of a frame.
        where: What to call the pairs in an error.

    Raises:
        SettingsError: If these are no pairs.
        GraphFormatError: If ids are neither text nor integers, or one is missing.

    Example:
        >>> id_table([("ann", "bob")]).to_pylist()
        [{'source': 'ann', 'target': 'bob'}]
    """
    frame = as_table(pairs)
    if frame is not None:
        return _chosen(frame, wanted or Wanted(), where)
    ids = _array(pairs, where)
    return pa.table({name: _labels(ids[:, end], f"{where}, {name}") for end, name in enumerate(("source", "target"))})


def positions(pairs: Any, node_ids: NodeIds, *, where: str = "pairs") -> Tensor:
    """The positions of the nodes of each pair.  (P, 2) -> (P, 2)

    Raises:
        SettingsError: If these are no pairs.
        GraphFormatError: If a node is unknown; the message names it.
    """
    table = id_table(pairs, where=where)
    ends = [node_ids.index(table[name].combine_chunks()) for name in ("source", "target")]
    return torch.from_numpy(np.stack(ends, axis=1))


def _array(pairs: Any, where: str) -> np.ndarray[Any, Any]:
    if isinstance(pairs, torch.Tensor):
        pairs = pairs.detach().cpu().numpy()
    ids = pairs if isinstance(pairs, np.ndarray) else _listed(pairs, where)
    if ids.ndim != 2 or ids.shape[1] != 2:
        raise SettingsError(
            f"Pairs have the shape (P, 2), not {ids.shape}.", where=where, hint="Give the ids of two nodes in each row."
        )
    return ids


def _listed(pairs: Any, where: str) -> np.ndarray[Any, Any]:
    """Rows of two: integers in one go, anything else row by row."""
    try:
        ids = np.asarray(pairs)
    except ValueError:
        ids = np.empty(0)  # rows of several lengths
    if ids.dtype.kind in "iu" and ids.ndim == 2:
        return ids
    return np.array(_rows(pairs, where), dtype=object).reshape(-1, 2)


def _rows(values: Any, where: str) -> list[list[Any]]:
    """Rows of two as they are: numpy would turn the number in ``("ann", 3)`` to text of its own making."""
    try:
        rows = [list(row) if not isinstance(row, str) else [row] for row in values]
    except TypeError:
        rows = [[]]
    if any(len(row) != 2 for row in rows):
        wrong = next(number for number, row in enumerate(rows) if len(row) != 2)
        raise SettingsError(
            f"Pairs have the shape (P, 2), but row {wrong} is no pair.",
            where=where,
            hint="Give the ids of two nodes in each row.",
        )
    return rows


def _labels(values: np.ndarray[Any, Any], where: str) -> pa.Array:
    if values.dtype.kind == "O":
        values = [value.item() if isinstance(value, np.generic) else value for value in values]  # type: ignore[assignment]
    labels = as_labels(values)
    if labels.null_count:
        raise GraphFormatError("An id is missing.", where=where, hint="Drop such rows first.")
    return labels


def _chosen(frame: pa.Table, wanted: Wanted, where: str) -> pa.Table:
    names = frame.column_names
    if len(names) < 2:
        raise GraphFormatError(f"A pair needs two columns, and there is {len(names)}.", where=where)
    found = choose_columns(names, len(names), wanted, where)
    ends = {"source": found.source, "target": found.target}
    columns = {name: read_ids(frame.column, names[at]) for name, at in ends.items()}
    columns = {name: column if len(column) else pa.array([], pa.int64()) for name, column in columns.items()}
    more = {"weight": found.weight, "time": found.time}
    return pa.table(columns | {name: frame.column(at) for name, at in more.items() if at is not None})


def _column(name: str, column: Any) -> pa.Array:
    try:
        return pa.array(column, from_pandas=True)
    except pa.ArrowException as error:
        hint = "Turn it to text or to numbers first."
        raise GraphFormatError("It holds values of several types.", where=f"column {name!r}", hint=hint) from error
