"""Weights and times of edges: numbers, checked, with the line of the first bad one."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.errors import GraphFormatError
from hlgnn.graph.read_table import is_number

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.graph.read_table import RawTable

NANOSECONDS = pa.timestamp("ns")
NANOSECONDS_UTC = pa.timestamp("ns", "UTC")


def weights_of(table: RawTable, column: int, values: pa.ChunkedArray) -> npt.NDArray[np.float32]:
    """A column of weights in single precision: (E,).

    Raises:
        GraphFormatError: If a weight is no positive number.
    """
    if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
        raise GraphFormatError(
            f"Column {table.column_name(column)} holds {values.type}, but weights are numbers.",
            where=str(table.path),
            hint="Turn the weights into numbers, or name another column.",
        )
    weight = pc.fill_null(values.cast(pa.float32(), safe=False), float("nan")).to_numpy()
    wrong = np.flatnonzero(~((weight > 0) & np.isfinite(weight)))
    if len(wrong):
        row = int(wrong[0])
        raise GraphFormatError(
            f"The weight in column {table.column_name(column)} is {values[row].as_py()}, not a positive number "
            "below 3.4e38.",
            where=table.place(row),
            hint="Drop links without weight, and shift or clip negative ones.",
        )
    return np.asarray(weight)


def times_of(table: RawTable, column: int, values: pa.ChunkedArray) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
    """A column of times (E,): numbers as they are, dates as nanoseconds since 1970, in UTC where no zone is given.

    Raises:
        GraphFormatError: If a time is neither.
    """
    kind = values.type
    if values.null_count:
        raise _no_time(table, column, int(pc.index(values.is_null(), value=True).as_py()), "nothing")
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return _numpy(values.cast(pa.timestamp("ns", getattr(kind, "tz", None))).cast(pa.int64()))
    for numbers in (pa.int64(), pa.float64(), NANOSECONDS, NANOSECONDS_UTC):
        try:
            times = values.cast(numbers)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            continue
        result = _numpy(times.cast(pa.int64()) if pa.types.is_timestamp(numbers) else times)
        if np.isfinite(result).all():
            return result
    texts = values.to_pylist()
    row = next((row for row, text in enumerate(texts) if not _is_time(text)), None)
    if row is not None:
        raise _no_time(table, column, row, repr(texts[row]))
    raise GraphFormatError(
        f"Column {table.column_name(column)} mixes numbers, dates, and dates with a time zone.",
        where=str(table.path),
        hint="Write all times in one way.",
    )


def _numpy(values: pa.ChunkedArray) -> npt.NDArray[Any]:
    return np.asarray(values.to_numpy())


def _is_time(text: object) -> bool:
    if is_number(str(text)):
        return bool(np.isfinite(float(str(text))))
    try:
        year = datetime.datetime.fromisoformat(str(text)).year
    except ValueError:
        return False
    return 1678 <= year <= 2261  # what 64 bits of nanoseconds reach


def _no_time(table: RawTable, column: int, row: int, found: str) -> GraphFormatError:
    return GraphFormatError(
        f"{found} in column {table.column_name(column)} is not a time.",
        where=table.place(row),
        hint="Give a number, or a date such as 2024-05-31 or 2024-05-31T12:00:00Z.",
    )
