"""Random numbers inside compiled code: SplitMix64, one stream for each number that work is counted by.

A stream depends on the seed and its number only, so that results do not depend on which thread does what.
"""

from __future__ import annotations

import numpy as np
from numba import njit

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
UNIT = 2.0**-53


@njit(cache=True, nogil=True)
def mix(state: np.uint64) -> np.uint64:
    """The number that a state stands for; the next state is ``state + GOLDEN``."""
    state = (state ^ (state >> np.uint64(30))) * FIRST
    state = (state ^ (state >> np.uint64(27))) * SECOND
    return state ^ (state >> np.uint64(31))


@njit(cache=True, nogil=True)
def stream(seed: np.uint64, number: np.uint64) -> np.uint64:
    """The first state of a stream."""
    return mix(mix(seed + GOLDEN) + number * GOLDEN)


@njit(cache=True, nogil=True)
def below(state: np.uint64, count: int) -> int:
    """An integer 0 … count − 1, for counts that fit into 32 bits."""
    return int(np.int64(((mix(state) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32)))


@njit(cache=True, nogil=True)
def share(state: np.uint64) -> float:
    """A number in [0, 1)."""
    return np.float64(mix(state) >> np.uint64(11)) * UNIT
