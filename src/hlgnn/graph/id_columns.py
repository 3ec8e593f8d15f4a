"""Arrow columns of node ids: read without surprises, brought to one type, and looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.errors import GraphFormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

TEXT = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)


def read_values(read: Callable[[str], Any], name: str) -> pa.Array:
    """The column as one array without nulls, or the error that names the row."""
    try:
        values = read(name)
    except pa.ArrowException as error:
        hint = "Turn it to text or to numbers first."
        raise GraphFormatError("It holds values of several types.", where=f"column {name!r}", hint=hint) from error
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if values.null_count:
        row = int(np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))[0])
        hint = "Drop or fill such rows first."
        raise GraphFormatError("A value is missing.", where=f"row {row}, column {name!r}", hint=hint)
    return values


def read_ids(read: Callable[[str], Any], name: str) -> pa.Array:
    """The column as int64 or as text; an empty one may have any type.

    Example:
        >>> read_ids(lambda _: pa.array(["a", "b"]).dictionary_encode(), "source").type
        DataType(large_string)
    """
    values = read_values(read, name)
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if len(values) == 0:
        return pa.nulls(0)
    if any(is_text(kind) for is_text in TEXT):
        return values.cast(pa.large_string())
    if not pa.types.is_integer(kind):
        hint = "Cast the column first."
        raise GraphFormatError(f"Ids are text or integers, not {kind}.", where=f"column {name!r}", hint=hint)
    try:
        return values.cast(pa.int64())
    except pa.ArrowInvalid as error:
        hint = "Use text for such ids."
        raise GraphFormatError("An id is too large for int64.", where=f"column {name!r}", hint=hint) from error


def same_type(columns: Sequence[pa.Array]) -> list[pa.Array]:
    """The columns, if those that are not empty have one type; the empty ones get it too."""
    kinds = {column.type for column in columns if len(column)}
    if len(kinds) > 1:
        raise GraphFormatError("Some ids are text and others are integers.", hint="Cast them to one type first.")
    kind = kinds.pop() if kinds else pa.int64()
    return [column if len(column) else pa.array([], kind) for column in columns]


def ascending(columns: Sequence[pa.Array]) -> pa.Array:
    """Every id of the columns once, in order.

    Example:
        >>> ascending([pa.array([7, 1]), pa.array([1, 3])]).to_pylist()
        [1, 3, 7]
    """
    ids = pa.concat_arrays(columns).unique()
    return ids.take(pc.array_sort_indices(ids))


def find(column: pa.Array, known: pa.Array, name: str) -> NDArray[np.int64]:
    """Where each id of the column is among the known ones."""
    found = pc.index_in(column, value_set=known)
    if found.null_count:
        row = int(np.flatnonzero(found.is_null().to_numpy(zero_copy_only=False))[0])
        raise GraphFormatError(
            f"The id {column[row].as_py()!r} is not among the nodes.",
            where=f"row {row}, column {name!r}",
            hint="List all ids in nodes, or leave it out.",
        )
    return found.to_numpy().astype(np.int64)  # type: ignore[no-any-return]
