"""Edge lists, pairs and features in files: CSV, TSV, white space or Parquet, as text also compressed by gzip."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.errors import GraphFormatError
from hlgnn.graph.columns import Wanted, choose_columns
from hlgnn.graph.edge_values import times_of, weights_of
from hlgnn.graph.feature_table import FeatureTable, read_features
from hlgnn.graph.id_text import first_row, id_text, number_ids
from hlgnn.graph.read_table import open_table
from hlgnn.graph.write_table import write_links

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from hlgnn.graph.node_ids import NodeIds
    from hlgnn.graph.read_table import RawTable

__all__ = ["EdgeTable", "FeatureTable", "read_edges", "read_features", "read_pairs", "write_links"]


@dataclass(frozen=True, eq=False)
class EdgeTable:
    """A list of edges as it stood in a file: not merged, not sorted.

    Attributes:
        source: The node each edge leaves, as a position in ``node_ids``.  (E,)
        target: The node each edge enters.  (E,)
        weight: The weight of each edge, or None.  (E,)
        time: When each edge came about, as a number or as nanoseconds since 1970, or None.  (E,)
        node_ids: The ids of all nodes, sorted.
        path: The file.
        lines: How many edges it has.
        unused_columns: The columns that were not read, by name or number.
        has_header: Whether its columns have names.
        skipped_lines: How many lines at its top were skipped as comments.
        first_skipped: The first of them.
        unexpected_delimiter: What stands between its cells, if the ending of its name tells something else.
    """

    source: npt.NDArray[np.int32]
    target: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float32] | None
    time: npt.NDArray[np.int64] | npt.NDArray[np.float64] | None
    node_ids: NodeIds
    path: Path
    lines: int
    unused_columns: tuple[str, ...]
    has_header: bool = True
    skipped_lines: int = 0
    first_skipped: str = ""
    unexpected_delimiter: str | None = None


def read_edges(
    path: str | os.PathLike[str],
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    time: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    strip_ids: bool = False,
) -> EdgeTable:
    """The edges in a file, one on each line.

    The ending of the name tells the format. Lines at the top that begin with ``#`` or ``%`` are skipped.

    Args:
        path: A .csv, .tsv, .txt, .edges or .edgelist file, each also with .gz, or a .parquet file.
        source: The column of the first node: its name, or its number from "1" if there is no header. By default a
            column with a common name (source, from, u, …), else the first.
        target: The column of the second node, likewise.
        weight: The column of weights; by default the one named "weight", if there is one.
        time: The column of times; by default none.
        header: Whether the first line names the columns; by default it does if it looks so.
        delimiter: What stands between cells; by default what the ending tells.
        strip_ids: Whether to ignore white space around ids.

    Raises:
        MissingFileError: If there is no such file.
        GraphFormatError: If anything in it is wrong; the message names the line.
        SettingsError: If ``delimiter`` is not one character.
    """
    wanted = Wanted(source, target, weight, time)
    table = open_table(Path(path), delimiter=delimiter, header=header, is_header=wanted.is_header)
    columns = choose_columns(table.names, table.width, wanted, table.top)
    types = {columns.source: pa.binary(), columns.target: pa.binary()}
    if columns.weight is not None:
        types[columns.weight] = pa.float32()
    if columns.time is not None:
        types[columns.time] = pa.string()
    values = table.read(types)
    ids = [_ids(table, column, values) for column in (columns.source, columns.target)]
    weights = None if columns.weight is None else weights_of(table, columns.weight, values.pop(columns.weight))
    times = None if columns.time is None else times_of(table, columns.time, values.pop(columns.time))
    del values
    (sources, targets), node_ids = number_ids(table, ids, strip_ids=strip_ids)
    _reject_nul(table, [sources, targets], node_ids)
    layout = table.layout
    comments = layout.comments if layout else ()
    return EdgeTable(
        sources,
        targets,
        weights,
        times,
        node_ids,
        table.path,
        lines=len(sources),
        unused_columns=columns.unused,
        has_header=table.names is not None,
        skipped_lines=len(comments),
        first_skipped=comments[0] if comments else "",
        unexpected_delimiter=layout.delimiter if layout and layout.unexpected else None,
    )


def read_pairs(
    path: str | os.PathLike[str],
    node_ids: NodeIds,
    *,
    source: str | None = None,
    target: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
) -> npt.NDArray[np.int64]:
    """The pairs of nodes in a file, as positions in ``node_ids``: (P, 2).

    Arguments are those of ``read_edges``.

    Raises:
        MissingFileError: If there is no such file.
        GraphFormatError: If anything in it is wrong, or a node is not in ``node_ids``; the message names the line.
    """
    wanted = Wanted(source, target)
    table = open_table(Path(path), delimiter=delimiter, header=header, is_header=wanted.is_header)
    columns = choose_columns(table.names, table.width, wanted, table.top)
    values = table.read({columns.source: pa.binary(), columns.target: pa.binary()})
    ids = [_ids(table, column, values) for column in (columns.source, columns.target)]
    codes, given = number_ids(table, ids, strip_ids=False)
    found = node_ids.find(given.to_arrow())
    pairs = np.stack([found[column] for column in codes], axis=1)  # (P, 2)
    unknown = np.argwhere(pairs < 0)
    if len(unknown):
        raise _unknown_nodes(table, unknown, codes, given)
    return pairs


def _ids(table: RawTable, column: int, values: dict[int, pa.ChunkedArray]) -> pa.ChunkedArray:
    if len(values[column]) == 0:
        raise GraphFormatError("The table has no rows.", where=str(table.path), hint="Put one edge in each row.")
    return id_text(table, column, values[column])


def _reject_nul(table: RawTable, codes: list[npt.NDArray[np.int32]], node_ids: NodeIds) -> None:
    """Raise if an id holds a NUL byte: no text does, and other tools would cut the id off there."""
    if not node_ids.are_text:
        return
    labels = node_ids.to_arrow()
    found = pc.index(pc.match_substring(labels, "\0"), value=True).as_py()
    if found >= 0:
        raise GraphFormatError(
            f"The id {labels[found].as_py()!r} holds a NUL byte.",
            where=table.place(first_row(codes, found)),
            hint="Remove it, or check that the file is text.",
        )


def _unknown_nodes(
    table: RawTable, unknown: npt.NDArray[np.int64], codes: list[npt.NDArray[np.int32]], given: NodeIds
) -> GraphFormatError:
    names = [f"{given[int(codes[end][row])]!r} ({table.short_place(int(row))})" for row, end in unknown[:3]]
    rows = len(np.unique(unknown[:, 0]))
    return GraphFormatError(
        f"The graph has no node {', '.join(names)}{', …' if len(unknown) > 3 else ''}; "
        f"{rows} {'pair names' if rows == 1 else 'pairs name'} unknown nodes.",
        where=table.place(int(unknown[0, 0])),
        hint="Remove these pairs, or read a graph that has their nodes.",
    )
