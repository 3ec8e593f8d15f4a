"""Compiled: sum, largest, smallest and standard deviation of the messages to each state, in one sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

FAST = {"contract", "reassoc", "nsz"}
LEAST_VARIANCE = 1e-6


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def aggregate_rows(
    offset: Array, column: Array, table: Array, out: Array, largest: Array, smallest: Array, start: int, stop: int
) -> None:
    """Rows ``start`` to ``stop``; each names at least one row of the table.

    Args:
        offset: Where the names of each row begin.
        column: Rows of the table.
        table: What is put together.  (T, D)
        out: Takes sums, largest, smallest and standard deviations.  (R, 4 D)
        largest: Takes where the largest came from.  (R, D)
        smallest: Takes where the smallest came from.  (R, D)
        start: The first row.
        stop: The row after the last one.
    """
    width, floor = table.shape[1], table.dtype.type(LEAST_VARIANCE)
    high, low, spread = width, 2 * width, 3 * width
    for i in range(start, stop):
        j = column[offset[i]]
        for f in range(width):
            out[i, f] = out[i, high + f] = out[i, low + f] = table[j, f]
            largest[i, f] = smallest[i, f] = j
        for edge in range(offset[i] + 1, offset[i + 1]):
            j = column[edge]
            for f in range(width):
                value, most, least = table[j, f], out[i, high + f], out[i, low + f]
                out[i, f] += value
                out[i, high + f] = value if value > most else most
                largest[i, f] = j if value > most else largest[i, f]
                out[i, low + f] = value if value < least else least
                smallest[i, f] = j if value < least else smallest[i, f]
        share = table.dtype.type(1) / table.dtype.type(offset[i + 1] - offset[i])
        for f in range(width):
            out[i, spread + f] = 0
        for edge in range(offset[i], offset[i + 1]):
            j = column[edge]
            for f in range(width):
                away = table[j, f] - share * out[i, f]
                out[i, spread + f] += away * away
        for f in range(width):
            out[i, spread + f] = np.sqrt(max(share * out[i, spread + f], floor))


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def spread_columns(
    offset: Array,
    column: Array,
    table: Array,
    out: Array,
    largest: Array,
    smallest: Array,
    grad: Array,
    grad_table: Array,
    start: int,
    stop: int,
) -> None:
    """The gradient of the table's columns ``start`` to ``stop``, added up row by row in a fixed order."""
    width, number = table.shape[1], table.dtype.type
    high, low, spread = width, 2 * width, 3 * width
    floor = np.sqrt(number(LEAST_VARIANCE))
    fixed, slope = np.empty(width, table.dtype), np.empty(width, table.dtype)
    for i in range(len(offset) - 1):
        share = number(1) / number(offset[i + 1] - offset[i])
        for f in range(start, stop):
            deviation = out[i, spread + f]
            slope[f] = share * grad[i, spread + f] / deviation if deviation > floor else number(0)
            fixed[f] = grad[i, f] - slope[f] * share * out[i, f]
        for edge in range(offset[i], offset[i + 1]):
            j = column[edge]
            for f in range(start, stop):
                grad_table[j, f] += fixed[f] + slope[f] * table[j, f]
        for f in range(start, stop):
            grad_table[largest[i, f], f] += grad[i, high + f]
            grad_table[smallest[i, f], f] += grad[i, low + f]
