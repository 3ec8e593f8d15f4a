"""Columns of text as integer codes into one sorted list of unique ids."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.errors import GraphFormatError
from hlgnn.graph.hash_table import HashTable
from hlgnn.graph.labels import integers_of, string_buffers
from hlgnn.graph.string_kernels import count_different, hash_strings, rank_codes
from hlgnn.graph.string_order import sort_order
from hlgnn.graph.threads import num_threads, run_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Codes = npt.NDArray[np.int32]

ALL_BITS = np.uint64(2**64 - 1)

# What one thread takes at a time, and the most that fits the 32-bit offsets of an Arrow string.
STRINGS_PER_BLOCK = 1 << 18
BLOCKS_PER_SEGMENT = 8
SAMPLES_PER_BLOCK = 16
MOST_BYTES = 2**31 - 1
MOST_CODES = 2**31


def encode(columns: Sequence[pa.ChunkedArray]) -> tuple[list[Codes], pa.Array]:
    """Codes of every column, and the unique ids that they point into.

    The ids are sorted, so the codes do not depend on the order of the rows: by number, as int64, if every one of them
    is an integer in its usual spelling (``"7"``, ``"-12"``, but not ``"007"``), and by their bytes otherwise.

    Args:
        columns: Strings, or bytes that ought to be UTF-8, without nulls.

    Raises:
        GraphFormatError: If there are more unique ids than 32-bit codes.
        pyarrow.ArrowInvalid: If an id is not UTF-8.

    Example:
        >>> codes, ids = encode([pa.chunked_array([["b", "a"]]), pa.chunked_array([["c", "b"]])])
        >>> [column.tolist() for column in codes], ids.to_pylist()
        ([[1, 0], [2, 1]], ['a', 'b', 'c'])
    """
    return encode_with(ALL_BITS, columns)


def encode_with(hash_mask: np.uint64, columns: Sequence[pa.ChunkedArray]) -> tuple[list[Codes], pa.Array]:
    """``encode``, looking at those bits of the hash only that are set in ``hash_mask``."""
    chunks = _blocks(columns)
    if not chunks:
        return [np.empty(0, np.int32) for _ in columns], pa.array([], pa.string())
    bounds = np.cumsum([0, *(len(chunk) for chunk in chunks)])
    codes = np.empty(bounds[-1], np.int32)
    first, doubtful = _number(chunks, bounds, hash_mask, codes)
    unique = _take(chunks, bounds, first)
    order = sort_order(unique)
    rank = np.empty(codes[first].max() + 1, np.int32)
    rank[codes[first[order]]] = np.arange(len(order), dtype=np.int32)
    unique = unique.take(pa.array(order))
    pieces = [codes[start:stop] for start, stop in itertools.pairwise(bounds)]
    run_all(rank_codes, [(piece, rank) for piece in pieces])
    different = run_all(
        count_different,
        [
            (*string_buffers(chunk), piece, *string_buffers(unique))
            for chunk, piece, doubts in zip(chunks, pieces, doubtful, strict=True)
            if doubts
        ],
    )
    if sum(different):  # two strings share a hash: once in a lifetime, but it must not merge two nodes
        codes, unique = _encode_slowly(chunks)
    ends = np.cumsum([len(column) for column in columns])[:-1]
    return _numbers_if_canonical(np.split(codes, ends), unique)


def _number(
    chunks: list[pa.Array], bounds: npt.NDArray[np.int64], hash_mask: np.uint64, codes: Codes
) -> tuple[npt.NDArray[np.int64], list[int]]:
    """Write a number for each distinct hash to ``codes``.

    Hashes are made and used up segment by segment: all of them at once would cost more memory than the strings.

    Returns:
        Where each number appears first, ascending, and for each chunk how many of its hashes need a second look.
    """
    prefix, parts = _usual_prefix(chunks), num_threads()
    tables = [HashTable(part, parts) for part in range(parts)]
    doubtful: list[int] = []
    hashes = np.empty(min(BLOCKS_PER_SEGMENT * STRINGS_PER_BLOCK, len(codes)), np.uint64)
    for low in range(0, len(chunks), BLOCKS_PER_SEGMENT):
        ends = bounds[low : low + BLOCKS_PER_SEGMENT + 1].tolist()
        start, stop = ends[0], ends[-1]
        segment = zip(chunks[low : low + BLOCKS_PER_SEGMENT], itertools.pairwise(ends), strict=True)
        doubtful += run_all(
            hash_strings,
            [(*string_buffers(chunk), prefix, hash_mask, hashes[a - start : b - start]) for chunk, (a, b) in segment],
        )
        run_all(HashTable.number, [(table, hashes[: stop - start], start, codes[start:stop]) for table in tables])
    if parts * max(table.count for table in tables) > MOST_CODES:
        raise GraphFormatError("There are too many different ids.", hint=f"At most {MOST_CODES} can be told apart.")
    appearances = np.concatenate([table.first[: table.count] for table in tables])
    return np.sort(appearances, kind="stable"), doubtful  # merges what is sorted already


def _blocks(columns: Sequence[pa.ChunkedArray]) -> list[pa.Array]:
    """All strings as arrays of one type, each small enough that threads share the work evenly."""
    chunks = [chunk for column in columns for chunk in column.chunks]
    if any(chunk.null_count for chunk in chunks):
        raise GraphFormatError("An id is missing.", hint="Give every row both of its ids.")
    large = any(pa.types.is_large_string(chunk.type) or pa.types.is_large_binary(chunk.type) for chunk in chunks)
    large = large or sum(chunk.nbytes for chunk in chunks) > MOST_BYTES
    chunks = [chunk.cast(pa.large_binary() if large else pa.binary()) for chunk in chunks]
    return [
        chunk.slice(start, STRINGS_PER_BLOCK) for chunk in chunks for start in range(0, len(chunk), STRINGS_PER_BLOCK)
    ]


def _usual_prefix(chunks: list[pa.Array]) -> npt.NDArray[np.uint8]:
    """What a sample of the strings begins with in common, at most eight bytes, as in ``user_1``, ``user_2``."""
    sample = [chunk[i].as_py() for chunk in chunks for i in range(0, len(chunk), 1 + len(chunk) // SAMPLES_PER_BLOCK)]
    first, last = min(sample), max(sample)  # all others lie between them
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first[:8], last[:8], strict=False))
    return np.array([byte for byte, _ in same], np.uint8)


def _take(chunks: list[pa.Array], bounds: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> pa.Array:
    """The strings at ascending ``rows`` of all chunks together."""
    splits = np.searchsorted(rows, bounds)
    taken = [
        chunk.take(pa.array(rows[low:high] - start))
        for chunk, start, low, high in zip(chunks, bounds, splits, splits[1:], strict=False)
    ]
    return pa.concat_arrays(taken)


def _encode_slowly(chunks: list[pa.Array]) -> tuple[Codes, pa.Array]:
    """Codes and sorted unique ids by pyarrow, which compares every string in full."""
    encoded = pa.chunked_array(chunks).dictionary_encode().combine_chunks()
    unique = encoded.dictionary if isinstance(encoded, pa.DictionaryArray) else encoded.chunk(0).dictionary
    order = pc.sort_indices(unique).to_numpy()
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[encoded.indices.to_numpy()], unique.take(pa.array(order))


def _numbers_if_canonical(codes: list[Codes], unique: pa.Array) -> tuple[list[Codes], pa.Array]:
    """Ids as int64, sorted by number, if every one of them is the usual spelling of an integer; else text."""
    text = unique.cast(pa.large_string() if pa.types.is_large_binary(unique.type) else pa.string())
    if not integers_of(text.slice(0, 1))[1].all():
        return codes, text
    values, valid = integers_of(text)
    if not valid.all():
        return codes, text
    order = np.argsort(values)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return [rank[column] for column in codes], pa.array(values[order])
