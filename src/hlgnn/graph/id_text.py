"""The ids in a table: bytes that become nodes, or an error that says which line is at fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.errors import GraphFormatError
from hlgnn.graph.encode_ids import encode
from hlgnn.graph.labels import unlike_when_trimmed
from hlgnn.graph.node_ids import NodeIds

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from hlgnn.graph.read_table import RawTable

    Codes = npt.NDArray[np.int32]


def id_text(table: RawTable, column: int, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column of ids as text or bytes.

    Raises:
        GraphFormatError: If ids are missing, or are neither text nor integers.
    """
    kind = values.type
    if pa.types.is_dictionary(kind):
        values, kind = values.cast(kind.value_type), kind.value_type
    if values.null_count:
        raise empty_id(table, int(pc.index(values.is_null(), value=True).as_py()))
    if pa.types.is_integer(kind) or pa.types.is_string_view(kind):
        return values.cast(pa.large_string())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind):
        return values
    raise GraphFormatError(
        f"Column {table.column_name(column)} holds {kind}, but ids are text or integers.",
        where=str(table.path),
        hint="Turn the ids into text, or name another column.",
    )


def number_ids(table: RawTable, columns: Sequence[pa.ChunkedArray], *, strip_ids: bool) -> tuple[list[Codes], NodeIds]:
    """Codes of the ids in every column, and the nodes that they stand for.

    Raises:
        GraphFormatError: If an id is empty or not UTF-8, or two differ by white space only.
    """
    try:
        codes, ids = encode(columns)
    except pa.ArrowInvalid as error:
        raise table.diagnose({}, str(error)) from error
    if pa.types.is_integer(ids.type) or not _has_blanks(ids):
        return codes, NodeIds.from_unique(ids)
    trimmed = pc.utf8_trim_whitespace(ids)
    empty = np.flatnonzero(pc.equal(trimmed, "").to_numpy(zero_copy_only=False))
    if len(empty):
        raise empty_id(table, min(first_row(codes, int(code)) for code in empty))
    if strip_ids:
        (position,), ids = encode([pa.chunked_array([trimmed])])
        return [position[column] for column in codes], NodeIds.from_unique(ids)
    twins = unlike_when_trimmed(ids)
    if twins is not None:
        raise _twins(table, ids, codes, twins)
    return codes, NodeIds.from_unique(ids)


def _has_blanks(ids: pa.Array) -> bool:
    """Whether an id is empty, or white space stands around it."""
    trimmed = pc.utf8_trim_whitespace(ids)
    return ids[0].as_py() == "" or not trimmed.equals(ids)


def first_row(codes: Sequence[Codes], code: int) -> int:
    """The first row that has ``code`` in any of its columns."""
    found = [np.flatnonzero(column == code)[:1] for column in codes]
    return int(min(rows[0] for rows in found if len(rows)))


def empty_id(table: RawTable, row: int) -> GraphFormatError:
    """The error for a row without an id."""
    return GraphFormatError(
        "An id is empty.", where=table.place(row), hint="Give both nodes an id, or remove the line."
    )


def _twins(table: RawTable, ids: pa.Array, codes: Sequence[Codes], twins: tuple[int, int]) -> GraphFormatError:
    rows = {code: first_row(codes, code) for code in twins}
    first, second = sorted(twins, key=rows.__getitem__)
    return GraphFormatError(
        f"The ids {ids[first].as_py()!r} ({table.short_place(rows[first])}) and {ids[second].as_py()!r} "
        f"({table.short_place(rows[second])}) differ by white space only.",
        where=table.place(rows[second]),
        hint="Remove the white space around ids, or, for edges, set strip_ids to True (--strip-ids).",
    )
