"""Compiled: a sparse matrix, or its transpose, times a table, rows indexed in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[Any]

# Sums may be reordered and fused, which vectorises them; NaN and infinity keep their meaning.
FAST = {"contract", "reassoc", "nsz"}


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def multiply(
    offset: Numbers, column: Numbers, value: Numbers, table: Numbers, out: Numbers, start: int, stop: int
) -> None:
    """Rows ``start`` to ``stop`` of X T, entries taken four at a time.  (R + 1,), (E,), (E,), (F, H), (R, H)"""
    for row in range(start, stop):
        for place in range(table.shape[1]):
            out[row, place] = table.dtype.type(0)
        entry, end = offset[row], offset[row + 1]
        while entry + 3 < end:
            i, j, k, m = column[entry], column[entry + 1], column[entry + 2], column[entry + 3]
            a, b, c, d = value[entry], value[entry + 1], value[entry + 2], value[entry + 3]
            for place in range(table.shape[1]):
                out[row, place] += a * table[i, place] + b * table[j, place] + c * table[k, place] + d * table[m, place]
            entry += 4
        while entry < end:
            i, a = column[entry], value[entry]
            for place in range(table.shape[1]):
                out[row, place] += a * table[i, place]
            entry += 1


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def add_transposed(
    offset: Numbers, column: Numbers, value: Numbers, table: Numbers, out: Numbers, start: int, stop: int
) -> None:
    """Add columns ``start`` to ``stop`` of Xᵀ T, entries two at a time.  (R + 1,), (E,), (E,), (R, H), (F, H)"""
    for row in range(len(offset) - 1):
        read = table[row, start:stop]
        entry, end = offset[row], offset[row + 1]
        while entry + 1 < end:
            a, b = value[entry], value[entry + 1]
            first, second = out[column[entry], start:stop], out[column[entry + 1], start:stop]
            for place in range(stop - start):
                first[place] += a * read[place]
                second[place] += b * read[place]
            entry += 2
        if entry < end:
            a, first = value[entry], out[column[entry], start:stop]
            for place in range(stop - start):
                first[place] += a * read[place]
