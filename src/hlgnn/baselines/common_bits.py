"""Common neighbours on dense graphs: a row of bits for each node, and 64 candidates with one operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]
    Words = npt.NDArray[np.uint64]

MOST_BYTES = 1 << 26
"""Rows of bits for up to 23 000 nodes."""


def bits_pay(offset: Ints, pairs: Ints) -> bool:
    """Whether bits are fewer than what merging the rows of all pairs would look at."""
    nodes = len(offset) - 1
    words = -(-nodes // 64)
    if 8 * words * nodes > MOST_BYTES:
        return False
    degree = np.diff(offset)
    merged = int(degree[pairs[:, 0]].sum() + degree[pairs[:, 1]].sum())
    return 2 * words * len(pairs) + words * nodes + int(offset[-1]) < merged


@njit(cache=True, nogil=True)
def rows_of_bits(offset: Ints, neighbor: SmallInts) -> tuple[Words, SmallInts]:
    """A bit for each neighbour, and how many come before each word.  (N, W), (N, W)"""
    nodes = len(offset) - 1
    words = (nodes + 63) // 64
    bits, before = np.zeros((nodes, words), np.uint64), np.zeros((nodes, words), np.int32)
    for node in range(nodes):
        for edge in range(offset[node], offset[node + 1]):
            bits[node, neighbor[edge] >> 6] |= np.uint64(1) << np.uint64(neighbor[edge] & 63)
        for word in range(1, words):
            before[node, word] = before[node, word - 1] + ones(bits[node, word - 1])
    return bits, before


@njit(cache=True, nogil=True)
def count_bits(bits: Words, pairs: Ints) -> Ints:
    """|N(i) ∩ N(j)| of every pair.  (N, W), (P, 2) -> (P,)"""
    counts = np.zeros(len(pairs), dtype=np.int64)
    for pair in range(len(pairs)):
        left, right = bits[pairs[pair, 0]], bits[pairs[pair, 1]]
        count = np.int64(0)
        for word in range(bits.shape[1]):
            count += ones(left[word] & right[word])
        counts[pair] = count
    return counts


@njit(cache=True, nogil=True)
def fill_bits(
    offset: Ints, bits: Words, before: SmallInts, pairs: Ints, starts: Ints, left_edge: Ints, right_edge: Ints
) -> None:
    """The stored edges from both ends to each common neighbour, ascending within a pair."""
    for pair in range(len(pairs)):
        first, second = pairs[pair, 0], pairs[pair, 1]
        at, left, right = starts[pair], bits[first], bits[second]
        for word in range(bits.shape[1]):
            both = left[word] & right[word]
            while both != np.uint64(0):
                lowest = both & (~both + np.uint64(1))
                smaller = lowest - np.uint64(1)
                left_edge[at] = offset[first] + before[first, word] + ones(left[word] & smaller)
                right_edge[at] = offset[second] + before[second, word] + ones(right[word] & smaller)
                at += 1
                both ^= lowest


@intrinsic
def _ones(_context: Any, word: Any) -> Any:
    """Inside compiled code: how many bits of a word are set."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(word), generate


# A caller names the word; the first parameter is numba's own.
ones: Any = _ones
