"""The kind of every node, from a table with a column of ids and a column of kinds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from hlgnn.errors import GraphFormatError
from hlgnn.graph.columns import ID_NAMES, choose_id_column
from hlgnn.graph.id_text import id_text, number_ids
from hlgnn.graph.read_table import open_table

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from hlgnn.graph.node_ids import NodeIds


def read_kinds(
    path: str | os.PathLike[str], node_ids: NodeIds, *, column: str | None = None
) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
    """The number of the kind of each node, and the names of the kinds: (N,), in the order of their first node.

    Args:
        path: A file as for ``read_features``; rows of unknown nodes are ignored.
        node_ids: The nodes that must have a kind.
        column: The column of kinds; by default the only one beside the ids.

    Raises:
        MissingFileError: If there is no such file.
        GraphFormatError: If a node has no kind or two, or the column is not clear.
    """
    table = open_table(Path(path), delimiter=None, header=None, is_header=lambda first, _: _is_header(first, column))
    ids = choose_id_column(table.names, table.width, None, table.top)
    kinds = _kind_column(table.names, table.width, ids, column, table.top)
    values = table.read({ids: pa.binary(), kinds: pa.string()})
    (codes,), given = number_ids(table, [id_text(table, ids, values[ids])], strip_ids=False)
    position = node_ids.find(given.to_arrow())[codes]  # (rows,)
    labels = [str(value) for value in values[kinds].to_pylist()]
    found: dict[int, str] = {}
    for row, (node, label) in enumerate(zip(position.tolist(), labels, strict=True)):
        if node >= 0 and found.setdefault(node, label) != label:
            raise GraphFormatError(
                f"Node {node_ids[node]!r} is a {found[node]!r} and a {label!r}.", where=table.place(row)
            )
    missing = [node for node in range(len(node_ids)) if node not in found]
    if missing:
        raise GraphFormatError(
            f"{len(missing)} of {len(node_ids)} nodes have no kind, the first is {node_ids[missing[0]]!r}.",
            where=str(table.path),
            hint="Add a row for each of them.",
        )
    names = tuple(dict.fromkeys(found[node] for node in range(len(node_ids))))
    number = {name: place for place, name in enumerate(names)}
    return np.array([number[found[node]] for node in range(len(node_ids))], dtype=np.int64), names


def _is_header(first: list[str], column: str | None) -> bool:
    cells = [cell.strip().lower() for cell in first]
    return column in first or any(cell in ID_NAMES for cell in cells)


def _kind_column(
    names: tuple[str, ...] | list[str] | None, width: int, ids: int, column: str | None, where: str
) -> int:
    if column is not None:
        if names is None or column not in names:
            raise GraphFormatError(f"There is no column {column!r}.", where=where)
        return list(names).index(column)
    others = [each for each in range(width) if each != ids]
    if len(others) != 1:
        raise GraphFormatError(
            f"There are {len(others)} columns beside the ids.", where=where, hint="Name one: --kind-column."
        )
    return others[0]
