"""Sorting strings by their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.graph.labels import string_buffers
from hlgnn.graph.string_kernels import Word

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.graph.string_kernels import Bytes, Offsets


def sort_order(strings: pa.Array) -> npt.NDArray[np.int32]:
    """The permutation that sorts unique strings by their bytes.

    Eight bytes behind the common prefix decide nearly always, and numbers sort fast; ties go to pyarrow.
    """
    if len(strings) == 0:
        return np.empty(0, np.int32)
    offsets, data = string_buffers(strings)
    keys = np.empty(len(strings), np.uint64)
    _prefix_keys(offsets, data, _common_prefix(offsets, data), keys)
    order = _sort_keys(keys)
    step = keys[1:] != keys[:-1]
    if step.all():
        return order
    tied = np.flatnonzero(~np.append(step, True) | ~np.append(True, step))
    run = np.append(0, np.cumsum(step))[tied]
    table = pa.table({"run": run, "string": strings.take(pa.array(order[tied]))})
    within = pc.sort_indices(table, sort_keys=[("run", "ascending"), ("string", "ascending")]).to_numpy()
    order[tied] = order[tied][within]
    return order


@numba.njit(nogil=True, cache=True)
def _common_prefix(offsets: Offsets, data: Bytes) -> int:
    """How many bytes all strings (at least one) begin with in common."""
    begin, shared = offsets[0], offsets[1] - offsets[0]
    for i in range(1, len(offsets) - 1):
        shared = min(shared, offsets[i + 1] - offsets[i])
        k = 0
        while k < shared and data[offsets[i] + k] == data[begin + k]:
            k += 1
        shared = k
    return int(shared)


@numba.njit(nogil=True, cache=True)
def _prefix_keys(offsets: Offsets, data: Bytes, skip: int, out: npt.NDArray[np.uint64]) -> None:
    """Write the eight bytes after the first ``skip`` of every string as numbers that sort as the bytes do.

    A string that ends sooner is filled up with zeros; equal keys therefore say nothing about the order.
    """
    for i in range(len(offsets) - 1):
        start, stop = offsets[i] + skip, offsets[i + 1]
        key = Word(0)
        for k in range(8):
            key <<= Word(8)
            if start + k < stop:
                key |= Word(data[start + k])
        out[i] = key


@numba.njit(nogil=True, cache=True)
def _sort_keys(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
    """The stable permutation that sorts ``keys``, which it sorts in place, byte by byte from the lowest."""
    order, next_order = np.arange(len(keys)).astype(np.int32), np.empty(len(keys), np.int32)
    now, later, ends = keys, np.empty_like(keys), np.empty(257, np.int64)
    for shift in range(0, 64, 8):
        ends[:] = 0
        for i in range(len(now)):
            ends[((now[i] >> Word(shift)) & Word(255)) + Word(1)] += 1
        if ends[((now[0] >> Word(shift)) & Word(255)) + Word(1)] == len(now):  # all alike in this byte
            continue
        for byte in range(256):
            ends[byte + 1] += ends[byte]
        for i in range(len(now)):
            byte_now = (now[i] >> Word(shift)) & Word(255)
            later[ends[byte_now]], next_order[ends[byte_now]] = now[i], order[i]
            ends[byte_now] += 1
        now, later, order, next_order = later, now, next_order, order
    keys[:] = now
    return order
