"""Labels of nodes in any form that users have them in, as Arrow arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numba
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.errors import GraphFormatError
from hlgnn.graph.string_kernels import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from hlgnn.graph.string_kernels import Bytes, Offsets

    Labels: TypeAlias = Sequence[str] | Sequence[int] | Sequence[str | int] | npt.NDArray[Any] | pa.Array


def as_labels(labels: Labels) -> pa.Array:
    """Labels as int64, or as strings (an integer among text becomes its text): (n,).

    Raises:
        GraphFormatError: If labels are neither text nor integers.
    """
    array = _as_array(labels)
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_integer(array.type):
        return _cast(array, pa.int64())
    if pa.types.is_null(array.type):  # nothing, or nothing but None
        return array.cast(pa.string())
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        return array
    if pa.types.is_string_view(array.type):
        return array.cast(pa.large_string())
    raise _neither(str(array.type))


def _as_array(labels: Labels) -> pa.Array:
    if isinstance(labels, pa.ChunkedArray):
        return pa.concat_arrays(labels.chunks) if labels.num_chunks else pa.array([], labels.type)
    if isinstance(labels, pa.Array):
        return labels
    values = labels.tolist() if isinstance(labels, np.ndarray) and labels.dtype.kind not in "iu" else labels
    if not isinstance(values, np.ndarray) and any(isinstance(value, str) for value in values):
        values = [str(v) if isinstance(v, int | np.integer) and not isinstance(v, bool) else v for v in values]
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise _neither(str(error)) from error


def _cast(array: pa.Array, kind: pa.DataType) -> pa.Array:
    try:
        return array.cast(kind)
    except pa.ArrowInvalid as error:
        raise GraphFormatError("An integer label does not fit 64 bits.", hint="Give such labels as text.") from error


def _neither(found: str) -> GraphFormatError:
    return GraphFormatError(f"Labels must be text or integers ({found}).", hint="Turn them into strings.")


def text_of(labels: pa.Array) -> pa.Array:
    """Labels as large strings."""
    return labels.cast(pa.large_string())


def integers_of(labels: pa.Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Labels as integers, and which of them are integers in their usual spelling: (n,), (n,)."""
    present = labels.is_valid().to_numpy(zero_copy_only=False)
    if pa.types.is_integer(labels.type):
        return labels.fill_null(0).to_numpy(), present
    values, valid = np.zeros(len(labels), np.int64), np.zeros(len(labels), np.bool_)
    _parse_integers(*string_buffers(labels.fill_null("")), values, valid)
    return values, valid & present


def string_buffers(strings: pa.Array) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
    """Offsets (n + 1,) and bytes of an array of strings, without a copy."""
    wide = pa.types.is_large_binary(strings.type) or pa.types.is_large_string(strings.type)
    _, offsets, data = strings.buffers()
    rows = slice(strings.offset, strings.offset + len(strings) + 1)
    return (
        np.frombuffer(offsets or bytes(8), np.int64 if wide else np.int32)[rows],
        np.frombuffer(data or b"", np.uint8),
    )


@numba.njit(nogil=True, cache=True)
def _parse_integers(offsets: Offsets, data: Bytes, out: npt.NDArray[np.int64], valid: npt.NDArray[np.bool_]) -> None:
    """Write every string to ``out`` as a number, and to ``valid`` whether it is the usual spelling of an int64."""
    largest = Word(2**63 - 1)
    for i in range(len(offsets) - 1):
        start, stop = offsets[i], offsets[i + 1]
        negative = start < stop and data[start] == 45  # "-"
        start += negative
        digits = stop - start
        good = 1 <= digits <= 19 and not (data[start] == 48 and (digits > 1 or negative))  # "007", "-0"
        value = Word(0)
        for position in range(start, stop if good else start):
            digit = Word(data[position]) - Word(48)
            good = good and digit <= Word(9)
            value = value * Word(10) + digit
        valid[i] = good and value <= largest + Word(negative)
        out[i] = -np.int64(value) if negative else np.int64(value)


def unlike_when_trimmed(labels: pa.Array) -> tuple[int, int] | None:
    """The positions of two different labels that are equal without the white space around them, if there are any."""
    trimmed = pc.utf8_trim_whitespace(labels)
    changed = pc.not_equal(trimmed, labels)
    if not pc.any(changed).as_py():
        return None
    codes = trimmed.dictionary_encode().indices.to_numpy()
    order = np.argsort(codes, kind="stable")
    same = np.flatnonzero(codes[order][1:] == codes[order][:-1])
    return (int(order[same[0]]), int(order[same[0] + 1])) if len(same) else None
