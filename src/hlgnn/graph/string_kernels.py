"""Compiled loops over the buffers of Arrow strings: string i is ``data[offsets[i]:offsets[i + 1]]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Offsets = npt.NDArray[Any]  # (n + 1,) int32 or int64
    Bytes = npt.NDArray[np.uint8]

Word = np.uint64

# What the processor fetches ahead of its use.
BATCH = 256
HASH_BITS = Word(2**63 - 1)


@numba.njit(inline="always")
def _word(data: Bytes, position: Any) -> Any:
    """The eight bytes at ``position`` as one number, lowest byte first; the compiler makes it a single load."""
    word = Word(data[position])
    for k in range(1, 8):
        word |= Word(data[position + Word(k)]) << Word(8 * k)
    return word


@numba.njit(inline="always")
def _tail(data: Bytes, start: Any, stop: Any) -> Any:
    """Up to seven bytes as one number, lowest byte first."""
    if stop >= Word(8):  # one load of what ends there, without a loop over the bytes
        return _word(data, stop - Word(8)) >> Word(8) * (Word(7) - (stop - start)) >> Word(8)
    word = Word(0)
    while start < stop:
        stop -= Word(1)
        word = (word << Word(8)) | Word(data[stop])
    return word


@numba.njit(inline="always")
def _slot(key: Any, slots: int) -> Any:
    """Where in a table of ``slots`` slots, each two words, to look for ``key`` first."""
    return key & Word(2 * slots - 2)


@numba.njit(inline="always")
def _next(slot: Any, slots: int) -> Any:
    """Where to look after ``slot``."""
    return (slot + Word(2)) & Word(2 * slots - 2)


@numba.njit(inline="always")
def _mix(state: Any) -> Any:
    """One round of multiply and fold."""
    state = state * Word(0x9E3779B97F4A7C15)
    return state ^ (state >> Word(32))


@numba.njit(inline="always")
def _begins(data: Bytes, start: Any, stop: Any, prefix: Bytes, first_word: Any) -> Any:
    """Whether a string begins with ``prefix``, at most eight bytes, which ``first_word`` holds as well."""
    size = Word(len(prefix))
    if stop - start < size:
        return False
    if start + Word(8) <= Word(len(data)):
        return size == Word(0) or (_word(data, start) ^ first_word) << Word(8) * (Word(8) - size) == Word(0)
    for k in range(len(prefix)):  # noqa: SIM110 - numba knows no generators
        if data[start + Word(k)] != prefix[k]:
            return False
    return True


@numba.njit(nogil=True, cache=True)
def hash_strings(offsets: Offsets, data: Bytes, prefix: Bytes, mask: np.uint64, out: npt.NDArray[np.uint64]) -> int:
    """Write a 64-bit hash of every string to ``out`` (n,), and count the hashes that two strings might share.

    Up to seven bytes behind ``prefix``, and how many they are, fit 59 bits; mixed by steps that can all be undone, they
    give an odd hash that no other string has. Every other string gets an even hash, of which ``mask`` keeps some bits.

    Returns:
        How many of the hashes are even.
    """
    first_word, skip, doubtful = _tail(prefix, Word(0), Word(len(prefix))), Word(len(prefix)), 0
    for i in range(len(offsets) - 1):
        start, stop = Word(offsets[i]), Word(offsets[i + 1])
        if stop - start < skip + Word(8) and _begins(data, start, stop, prefix, first_word):
            word = _tail(data, start + skip, stop) | (stop - start - skip) << Word(56)
            out[i] = (_mix(_mix(word) & HASH_BITS) & HASH_BITS) << Word(1) | Word(1)
            continue
        doubtful += 1
        state = _mix(stop - start + Word(0x51ED270B1))
        while stop - start > Word(7):
            state = _mix(state ^ _word(data, start))
            start += Word(8)
        out[i] = _mix(_mix(state ^ _tail(data, start, stop))) << Word(1) & mask
    return doubtful


@numba.njit(nogil=True, cache=True)
def copy_table(table: npt.NDArray[np.uint64], larger: npt.NDArray[np.uint64]) -> None:
    """Enter the hashes and numbers of a table into a larger one, which is empty.

    A slot is two words side by side: 1 + the number of the hash (0 if the slot is free), and the hash.
    """
    slots = len(larger) // 2
    for old in range(0, len(table), 2):
        if table[old] != Word(0):
            slot = _slot(table[old + 1], slots)
            while larger[slot] != Word(0):
                slot = _next(slot, slots)
            larger[slot], larger[slot + Word(1)] = table[old], table[old + 1]


@numba.njit(nogil=True, cache=True)
def number_hashes(
    hashes: npt.NDArray[np.uint64],
    span: tuple[int, int],
    share: tuple[int, int],
    table: npt.NDArray[np.uint64],
    first: npt.NDArray[np.int64],
    count: int,
    codes: npt.NDArray[np.int32],
) -> tuple[int, int]:
    """Number the distinct hashes of one part of several, by first appearance, and write them to ``codes``.

    The k-th distinct hash of ``part`` gets the code ``k · parts + part``, so parts share no code. A hash belongs to the
    part that its upper half selects; every part is one thread's, with a table of its own.

    Args:
        hashes: Some hashes, after all those that ``table`` knows.
        span: Where among them to begin, and the row of the first of them.
        share: ``part`` and ``parts``.
        table: The slots of this part: see ``copy_table``.
        first: Room for the rows where distinct hashes appear first; as long as a half of the slots.
        count: How many distinct hashes there are so far.
        codes: Where to write, beside ``hashes``.

    Returns:
        How far it came before ``first`` was full, and how many distinct hashes there are.
    """
    part, parts = share
    begin, row = span
    slots = len(table) // 2
    mine, keys, entries = np.empty(BATCH, np.int64), np.empty(BATCH, np.uint64), np.empty(BATCH, np.uint64)
    for start in range(begin, len(hashes), BATCH):
        size = 0
        for i in range(start, min(start + BATCH, len(hashes))):  # keep ours, without a branch to mispredict
            mine[size], keys[size] = i, hashes[i]
            size += ((hashes[i] >> Word(32)) * Word(parts)) >> Word(32) == Word(part)
        if count + size > len(first):
            return start, count
        for k in range(size):  # independent loads, so that the waits for memory overlap
            entries[k] = table[_slot(keys[k], slots)]
        for k in range(size):
            slot, number = _slot(keys[k], slots), entries[k]
            if number == Word(0):
                number = table[slot]  # an earlier string of this batch may have filled it
            while number != Word(0) and table[slot + Word(1)] != keys[k]:
                slot = _next(slot, slots)
                number = table[slot]
            if number == Word(0):
                first[count] = row + mine[k]
                count += 1
                number = Word(count)
                table[slot], table[slot + Word(1)] = number, keys[k]
            codes[mine[k]] = np.int32((np.int64(number) - 1) * parts + part)
    return len(hashes), count


@numba.njit(inline="always")
def _same(data: Bytes, start: Any, stop: Any, other: Bytes, other_start: Any, other_stop: Any) -> Any:
    """Whether two strings have the same bytes."""
    if stop - start != other_stop - other_start:
        return False
    if stop - start < Word(8):
        while start < stop:
            if data[start] != other[other_start]:
                return False
            start += Word(1)
            other_start += Word(1)
        return True
    while stop - start > Word(8):
        if _word(data, start) != _word(other, other_start):
            return False
        start += Word(8)
        other_start += Word(8)
    return _word(data, stop - Word(8)) == _word(other, other_stop - Word(8))


@numba.njit(nogil=True, cache=True)
def rank_codes(codes: npt.NDArray[np.int32], rank: npt.NDArray[np.int32]) -> None:
    """Replace every code by its rank."""
    for i in range(len(codes)):
        codes[i] = rank[codes[i]]


@numba.njit(nogil=True, cache=True)
def count_different(
    offsets: Offsets, data: Bytes, codes: npt.NDArray[np.int32], unique_offsets: Offsets, unique_data: Bytes
) -> int:
    """How many strings differ from the unique string that their code names."""
    different = 0
    starts, stops = np.empty(BATCH, np.uint64), np.empty(BATCH, np.uint64)
    for begin in range(0, len(codes), BATCH):
        size = min(BATCH, len(codes) - begin)
        for k in range(size):  # independent loads, as above
            starts[k] = unique_offsets[codes[begin + k]]
            stops[k] = unique_offsets[codes[begin + k] + 1]
        for k in range(size):
            start, stop = Word(offsets[begin + k]), Word(offsets[begin + k + 1])
            different += not _same(data, start, stop, unique_data, starts[k], stops[k])
    return different
