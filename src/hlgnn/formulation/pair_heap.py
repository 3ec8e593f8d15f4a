"""The best pairs so far, in a heap whose root is the worst of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]


@njit(cache=True, nogil=True)
def improves(score: float, key: int, other_score: float, other_key: int) -> bool:
    """Whether the first pair comes before the second one: a higher score, or the same one and a smaller key."""
    return score > other_score or (score == other_score and key < other_key)


@njit(cache=True, nogil=True)
def push(scores: Floats, keys: Ints, size: int, most: int, score: float, key: int) -> tuple[Floats, Ints, int]:
    """Add a pair that is better than the root; it replaces the root if there are ``most`` already.

    Returns:
        The heap, which may have moved to larger arrays, and its size.
    """
    if size == most:
        scores[0], keys[0] = score, key
        _sink(scores, keys, size)
        return scores, keys, size
    if size == len(scores):
        room = min(most, 2 * size)
        larger_scores, larger_keys = np.empty(room), np.empty(room, dtype=np.int64)
        larger_scores[:size], larger_keys[:size] = scores, keys
        scores, keys = larger_scores, larger_keys
    scores[size], keys[size] = score, key
    _rise(scores, keys, size)
    return scores, keys, size + 1


@njit(cache=True, nogil=True)
def _sink(scores: Floats, keys: Ints, size: int) -> None:
    """Let the root sink to its place."""
    parent = 0
    while 2 * parent + 1 < size:
        child = 2 * parent + 1
        if child + 1 < size and improves(scores[child], keys[child], scores[child + 1], keys[child + 1]):
            child += 1
        if not improves(scores[parent], keys[parent], scores[child], keys[child]):
            return
        scores[parent], scores[child] = scores[child], scores[parent]
        keys[parent], keys[child] = keys[child], keys[parent]
        parent = child


@njit(cache=True, nogil=True)
def _rise(scores: Floats, keys: Ints, child: int) -> None:
    """Let the last entry rise to its place."""
    while child > 0:
        parent = (child - 1) // 2
        if not improves(scores[parent], keys[parent], scores[child], keys[child]):
            return
        scores[parent], scores[child] = scores[child], scores[parent]
        keys[parent], keys[child] = keys[child], keys[parent]
        child = parent
