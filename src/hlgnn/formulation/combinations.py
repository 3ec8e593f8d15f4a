"""How a sum over common neighbours and two degrees become one score."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]


class Combination(IntEnum):
    """The function of (s, a_i, a_j): a is the degree, or a power of it for ``QUOTIENT``."""

    QUOTIENT = 0
    JACCARD = 1
    SALTON = 2
    SORENSEN = 3
    HUB_PROMOTED = 4
    HUB_DEPRESSED = 5
    ATTACHMENT = 6


@njit(cache=True, nogil=True)
def quotient(shared: float, left: float, right: float) -> float:
    """The sum by a_i a_j, where 0 / 0 is 0."""
    below = left * right
    return shared / below if below > 0.0 else 0.0


@njit(cache=True, nogil=True)
def jaccard(shared: float, left: float, right: float) -> float:
    """|Γ_i ∩ Γ_j| / |Γ_i ∪ Γ_j|, where 0 / 0 is 0."""
    below = left + right - shared
    return shared / below if below > 0.0 else 0.0


@njit(cache=True, nogil=True)
def salton(shared: float, left: float, right: float) -> float:
    """|Γ_i ∩ Γ_j| / √(d_i d_j), where 0 / 0 is 0."""
    below = np.sqrt(left * right)
    return shared / below if below > 0.0 else 0.0


@njit(cache=True, nogil=True)
def sorensen(shared: float, left: float, right: float) -> float:
    """2 |Γ_i ∩ Γ_j| / (d_i + d_j), where 0 / 0 is 0."""
    below = left + right
    return 2.0 * shared / below if below > 0.0 else 0.0


@njit(cache=True, nogil=True)
def hub_promoted(shared: float, left: float, right: float) -> float:
    """|Γ_i ∩ Γ_j| / min(d_i, d_j), where 0 / 0 is 0."""
    below = min(left, right)
    return shared / below if below > 0.0 else 0.0


@njit(cache=True, nogil=True)
def hub_depressed(shared: float, left: float, right: float) -> float:
    """|Γ_i ∩ Γ_j| / max(d_i, d_j), where 0 / 0 is 0."""
    below = max(left, right)
    return shared / below if below > 0.0 else 0.0


@njit(cache=True, nogil=True)
def combine(  # noqa: PLR0911 - one line for each combination
    combination: int, scale: float, shared: float, left: float, right: float
) -> float:
    """The score of one pair, to the last bit the same when ``left`` and ``right`` are swapped."""
    if combination == Combination.QUOTIENT:
        return scale * quotient(shared, left, right)
    if combination == Combination.JACCARD:
        return scale * jaccard(shared, left, right)
    if combination == Combination.SALTON:
        return scale * salton(shared, left, right)
    if combination == Combination.SORENSEN:
        return scale * sorensen(shared, left, right)
    if combination == Combination.HUB_PROMOTED:
        return scale * hub_promoted(shared, left, right)
    if combination == Combination.HUB_DEPRESSED:
        return scale * hub_depressed(shared, left, right)
    return scale * (left * right)


@njit(cache=True, nogil=True)
def combine_all(combination: int, scale: float, shared: Floats, left: Floats, right: Floats) -> Floats:
    """``combine`` of arrays.  (P,), (P,), (P,) -> (P,)"""
    scores = np.empty(len(shared))
    for pair in range(len(shared)):
        scores[pair] = combine(combination, scale, shared[pair], left[pair], right[pair])
    return scores


@njit(cache=True, nogil=True)
def combine_pairs(
    combination: int,
    scale: float,
    sums: Floats,
    column: int,
    left: Floats,
    right: Floats,
    pairs: npt.NDArray[np.int64],
    scores: Floats,
) -> None:
    """``combine`` of the pairs (P, 2), whose sums are in a column of (P, M), or zero for the column −1, into (P,)."""
    for pair in range(len(pairs)):
        shared = sums[pair, column] if column >= 0 else 0.0
        scores[pair] = combine(combination, scale, shared, left[pairs[pair, 0]], right[pairs[pair, 1]])
