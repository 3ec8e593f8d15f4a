"""Features of nodes in a file: one row for each node."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.errors import GraphFormatError
from hlgnn.graph.columns import ID_NAMES, choose_id_column
from hlgnn.graph.id_text import id_text, number_ids
from hlgnn.graph.node_ids import NodeIds
from hlgnn.graph.read_table import is_number, open_table
from hlgnn.graph.text_layout import is_integer

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from hlgnn.graph.read_table import RawTable

    Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Features in the order of the nodes.

    Attributes:
        values: One row for each node.  (N, F)
        names: The names of the columns.  (F,)
        node_ids: The nodes; more than the caller gave if the file has others and these were to be added.
    """

    values: Matrix
    names: tuple[str, ...]
    node_ids: NodeIds


def read_features(
    path: str | os.PathLike[str],
    node_ids: NodeIds,
    *,
    id_column: str | None = None,
    unknown: Literal["error", "add", "drop"] = "error",
    header: bool | None = None,
    delimiter: str | None = None,
) -> FeatureTable:
    """The features in a file: a column of ids, and numbers in all others (Parquet: or one column of lists).

    Args:
        path: A file as for ``read_edges``.
        node_ids: The nodes that must have features.
        id_column: The column of ids; by default one with a common name (id, node, …), else the first.
        unknown: What to do with rows of other nodes: refuse the file, add nodes without links, or drop the rows.
        header: Whether the first line names the columns; by default it does if it looks so.
        delimiter: What stands between cells; by default what the ending tells.

    Raises:
        MissingFileError: If there is no such file.
        GraphFormatError: If a value is not finite, or a node has no row or two; the message names the line.
    """
    table = open_table(Path(path), delimiter=delimiter, header=header, is_header=partial(_is_header, id_column))
    id_position = choose_id_column(table.names, table.width, id_column, table.top)
    others = [column for column in range(table.width) if column != id_position]
    if not others:
        raise GraphFormatError(
            "There is one column, so no features.", where=table.top, hint="Set delimiter (--delimiter)."
        )
    columns = table.read({id_position: pa.binary(), **dict.fromkeys(others, pa.float32())})
    (codes,), given = number_ids(table, [id_text(table, id_position, columns.pop(id_position))], strip_ids=False)
    values, names = _matrix(table, columns)
    _reject_repeats(table, codes, given)
    position = node_ids.find(given.to_arrow())[codes]  # (rows,)
    if unknown == "error" and (position < 0).any():
        raise _unknown_rows(table, position, codes, given)
    if unknown == "add":
        node_ids, position = _extended(node_ids, given), position.copy()
        added = position < 0
        position[added] = node_ids.find(given.to_arrow())[codes][added]
    known = position >= 0
    _reject_gaps(table, node_ids, position[known])
    ordered = np.empty((len(node_ids), values.shape[1]), np.float32)
    ordered[position[known]] = values[known]
    return FeatureTable(ordered, names, node_ids)


def _is_header(id_column: str | None, first: list[str], rest: list[list[str]]) -> bool:
    """Whether ``first`` names columns: the one the caller names, an id by a common name, or no number above numbers."""
    cells = [cell.strip().lower() for cell in first]
    named = () if id_column is None or is_integer(id_column) else (id_column.strip().lower(),)
    if any(cell in named or cell in ID_NAMES for cell in cells):
        return True
    below = [is_number(cell) for row in rest for cell in row[1:]]
    return bool(below) and all(below) and not any(is_number(cell) for cell in cells[1:])


def _matrix(table: RawTable, columns: dict[int, pa.ChunkedArray]) -> tuple[Matrix, tuple[str, ...]]:
    """Finite numbers, and the names of their columns: (rows, F), (F,)."""
    (first, only), *more = columns.items()
    if not more and _is_list(only.type):
        values = _from_lists(table, first, only)
        names = tuple(f"{(table.names or ())[first]}_{k}" for k in range(values.shape[1]))
        origin = [first] * len(names)
    else:
        values = np.column_stack([_numbers(table, column, cells) for column, cells in columns.items()])
        names = tuple(table.names[column] if table.names else str(column + 1) for column in columns)
        origin = list(columns)
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        row, column = (int(k) for k in wrong[0])
        raise GraphFormatError(
            f"The value in column {table.column_name(origin[column])} is {values[row, column]}, not a finite number.",
            where=table.place(row),
            hint="Fill in or remove missing values.",
        )
    return values, names


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _numbers(table: RawTable, column: int, cells: pa.ChunkedArray) -> Matrix:
    """One column of numbers, nothing as NaN: (rows,)."""
    kind = cells.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        raise GraphFormatError(
            f"Column {table.column_name(column)} holds {kind}, but features are numbers.",
            where=str(table.path),
            hint="Turn text into numbers, or leave the column out.",
        )
    return np.asarray(pc.fill_null(cells.cast(pa.float32(), safe=False), float("nan")).to_numpy())


def _from_lists(table: RawTable, column: int, lists: pa.ChunkedArray) -> Matrix:
    """One column of lists of the same length: (rows, F)."""
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    uneven = np.flatnonzero(lengths != lengths[0])
    if len(uneven) or lengths[0] == 0:
        row = int(uneven[0]) if len(uneven) else 0
        raise GraphFormatError(
            f"The list in column {table.column_name(column)} has {lengths[row]} values, "
            f"{'but the first one has ' + str(lengths[0]) if row else 'so there are no features'}.",
            where=table.place(row),
            hint="Give every node a list of the same length.",
        )
    return _numbers(table, column, pc.list_flatten(lists)).reshape(len(lists), int(lengths[0]))


def _extended(node_ids: NodeIds, given: NodeIds) -> NodeIds:
    """The nodes, and behind them those among ``given`` that are new."""
    new = given.take(np.flatnonzero(node_ids.find(given.to_arrow()) < 0))
    return NodeIds.from_labels([*node_ids, *new])


def _reject_repeats(table: RawTable, codes: npt.NDArray[np.int32], given: NodeIds) -> None:
    order = np.argsort(codes, kind="stable")
    repeats = np.flatnonzero(codes[order][1:] == codes[order][:-1])
    if len(repeats):
        first, second = (int(row) for row in order[repeats[0] : repeats[0] + 2])
        raise GraphFormatError(
            f"Node {given[int(codes[first])]!r} has two rows of features (the first is {table.short_place(first)}).",
            where=table.place(second),
            hint="Keep one row for each node.",
        )


def _reject_gaps(table: RawTable, node_ids: NodeIds, position: npt.NDArray[np.int64]) -> None:
    missing = np.flatnonzero(np.bincount(position, minlength=len(node_ids)) == 0)
    if len(missing):
        names = ", ".join(repr(node_ids[int(node)]) for node in missing[:3])
        ends = " If these are names of columns, in the first line of the table of edges, set header to True (--header)."
        raise GraphFormatError(
            f"{len(missing)} of {len(node_ids)} nodes have no features: {names}{', …' if len(missing) > 3 else ''}.",
            where=str(table.path),
            hint=f"Add a row for each of them.{ends if len(missing) <= 2 else ''}",
        )


def _unknown_rows(
    table: RawTable, position: npt.NDArray[np.int64], codes: npt.NDArray[np.int32], given: NodeIds
) -> GraphFormatError:
    rows = np.flatnonzero(position < 0)
    names = ", ".join(f"{given[int(codes[row])]!r} ({table.short_place(int(row))})" for row in rows[:3])
    return GraphFormatError(
        f"{len(rows)} rows belong to nodes that the graph does not have: {names}{', …' if len(rows) > 3 else ''}.",
        where=table.place(int(rows[0])),
        hint='Set unknown (--unknown) to "add" to add these nodes without links, or to "drop" to leave the rows out.',
    )
