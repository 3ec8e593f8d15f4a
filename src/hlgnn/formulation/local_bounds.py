"""What a source can reach at most: the numbers that let a search for the best pairs stop early."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from hlgnn.formulation.combinations import Combination, combine
from hlgnn.formulation.local_kernels import edge_weight

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]

# A bound that is computed in another way than the scores below it may be rounded to less than they are.
ROUNDING = 1.0 + 1e-9


class Rows(NamedTuple):
    """Compressed rows: where each starts, what it holds, and with which weights."""

    offset: Ints  # (N + 1,)
    neighbor: SmallInts  # (E,)
    weight: Floats | None  # (E,)


class Scoring(NamedTuple):
    """A symmetric rule: scale · f(Σ_k w_ik w_kj v_k, a_i, a_j)."""

    combination: int
    scale: float
    power: float  # a = d^power, for a quotient
    loop: float  # one if a node is its own neighbour
    counted: bool  # whether v and w are all one: sums are counts, and exact
    values: Floats  # v  (N,)
    ends: Floats  # a  (N,)


class Reach(NamedTuple):
    """What bounds the sums of pairs with each node.  (N,) each"""

    total: Floats  # no sum exceeds it
    peak: Floats  # the largest w_ik v_k
    heaviest: Floats  # the largest weight in a row; zero for a node with one neighbour, which no two nodes share
    walks: Ints  # two-step walks


@njit(cache=True, nogil=True)
def reach_of_nodes(rows: Rows, values: Floats) -> Reach:
    """Sum up what each node may share.

    The terms are rounded and added in the order of the sums that they bound, and rounding is monotonic: ``total`` holds
    to the last bit.
    """
    offset, neighbor, weight = rows.offset, rows.neighbor, rows.weight
    num_nodes = len(offset) - 1
    heaviest = np.zeros(num_nodes)
    for node in range(num_nodes):
        if offset[node + 1] - offset[node] > 1:
            for edge in range(offset[node], offset[node + 1]):
                heaviest[node] = max(heaviest[node], edge_weight(weight, edge))
    total, peak, walks = np.zeros(num_nodes), np.zeros(num_nodes), np.zeros(num_nodes, dtype=np.int64)
    for node in range(num_nodes):
        for edge in range(offset[node], offset[node + 1]):
            middle = neighbor[edge]
            walks[node] += offset[middle + 1] - offset[middle]
            if heaviest[middle] > 0.0:
                total[node] += (edge_weight(weight, edge) * heaviest[middle]) * values[middle]
                peak[node] = max(peak[node], edge_weight(weight, edge) * values[middle])
    return Reach(total, peak, heaviest, walks)


@njit(cache=True, nogil=True)
def _end(scoring: Scoring, degree: float) -> float:
    """What divides the sums of a node with this degree."""
    if scoring.combination != Combination.QUOTIENT or scoring.power == 1.0:
        return degree
    return np.sqrt(degree) if scoring.power == 0.5 else 1.0


@njit(cache=True, nogil=True)
def bound_of(scoring: Scoring, node: int, total: float, peak: float) -> float:
    """What no score of a pair with ``node`` exceeds if its sum is at most ``total``.

    Counts: the sum s is also at most the degree of the other end, and every f is largest when both are ``total``. Else,
    for s / (d_i d_j)^p with 0 ≤ p ≤ 1: s ≤ d_j x, where x is the largest w_ik v_k, so that
    s / d_j^p ≤ s^(1 − p) x^p ≤ total^(1 − p) x^p.
    """
    if total <= 0.0:
        return 0.0
    if scoring.counted:
        other = _end(scoring, total + scoring.loop)
        return combine(scoring.combination, scoring.scale, total, scoring.ends[node], other)
    if scoring.power == 0.0:
        return scoring.scale * total
    power = scoring.power
    return float(scoring.scale * (total ** (1.0 - power) * peak**power / scoring.ends[node]) * ROUNDING)


@njit(cache=True, nogil=True)
def bounds_of_nodes(scoring: Scoring, reach: Reach) -> Floats:
    """What no score of a pair with each node exceeds.  (N,)"""
    bounds = np.empty(len(reach.total))
    for node in range(len(bounds)):
        bounds[node] = bound_of(scoring, node, reach.total[node], reach.peak[node])
    return bounds


@njit(cache=True, nogil=True)
def skippable(heavy_first: Rows, scoring: Scoring, reach: Reach, node: int, floor: float) -> tuple[int, float]:
    """How many of the neighbours of ``node``, longest rows first, do not lift a pair to ``floor`` by themselves.

    Returns:
        The first edge of ``heavy_first`` that is needed, and what the edges before it add to a sum at most.
    """
    offset, neighbor, weight = heavy_first.offset, heavy_first.neighbor, heavy_first.weight
    skipped = 0.0
    for edge in range(offset[node], offset[node + 1]):
        middle = neighbor[edge]
        more = skipped + (edge_weight(weight, edge) * reach.heaviest[middle]) * scoring.values[middle]
        safe = more if scoring.counted else more * ROUNDING  # added in another order than the sums below it
        if bound_of(scoring, node, safe, reach.peak[node]) >= floor:
            return edge, skipped
        skipped = more
    return offset[node + 1], skipped
