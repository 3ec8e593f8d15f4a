"""How many of the best k candidates are real, counted from held-out links on the way down a ranking.

Candidates are all pairs that are no links of the message graph. Some of them are links that were held out and are
known to us (``held_out`` in number); some are links that nobody knows of (``missing``); the rest are no links. Nothing
but the draw tells the first two apart, so that both have the same chance r of standing above a given place. A person
who reviews the list sees no held-out links, they are known: a depth of k is therefore the place of the k-th candidate
that is *not* held out, and v(k) counts the held-out links above it. Other hidden links are among these k, as real ones
should be; nothing is ever counted as wrong.

Estimate. Both counts have means in the ratio of the numbers of links, so v(k) · missing / held_out has no bias. A small
k has few held-out links above it, and its count would be all or nothing. It borrows the rate of a longer list: that of
the depth w at which the c-th held-out link has been passed, c = 3. Below w the count is k (c - 1) / w, from w on v(k).
This has no bias either: if every place holds a held-out link with the same chance a, with μ = a / (1 - a) the two parts
have the means k μ P(v(k + 1) < c - 1) and k μ P(v(k + 1) ≥ c - 1), by the negative binomial law. Where precision falls
with the rank, what is borrowed is too low rather than too high. (The isotonic fit of a falling precision adds up to the
least concave majorant of the count, which is never below it: it is too high for every k, and serves probabilities.)

Interval. Given r, v(k) of V held-out links and m of M missing ones are binomial; with the prior of Jeffreys r is
Beta(v + ½, V - v + ½), and m is beta-binomial. This holds the chance of both draws, and nothing is borrowed for it. No
more than k can be real: the lower end and the spread are those of the law cut off at k; the upper end is that of the
whole law, or k if that is less, so that a list in which all are real is within reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import betabinom

from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

SUPPORT = 3
"""How many held-out links a depth has to pass before its count stands for itself."""


@dataclass(frozen=True)
class Estimate:
    """How many of the best k are real.

    Attributes:
        k: How many candidates are reviewed.
        missing: How many links are taken to be missing.
        held_out: How many links were held out to learn this from.
        mean: The estimate.
        spread: The standard deviation of the count.
        low: The lower end of the interval.
        high: The upper end of the interval.
        level: How often the interval holds the count.
    """

    k: int
    missing: int
    held_out: int
    mean: float
    spread: float
    low: int
    high: int
    level: float


def depths(held_out: Tensor) -> Tensor:
    """How many candidates that are not held out stand above each held-out link, best first.  (T,), bool -> (H,)

    Example:
        >>> import torch
        >>> depths(torch.tensor([False, True, True, False, True])).tolist()
        [1, 1, 2]
    """
    return (~held_out).cumsum(dim=0)[held_out]


def by_rank(depth: Tensor, end: int, k: int, missing: int, held_out: int, *, level: float = 0.9) -> Estimate:
    """The estimate for the best k, with its interval.

    Args:
        depth: How many candidates stand above each held-out link, as ``depths`` gives them.  (H,)
        end: How many candidates were ranked, held-out links aside.
        k: How many are reviewed; at most ``end``.
        missing: How many links are missing.
        held_out: How many links were held out, ranked or not.
        level: How often the interval holds the true number.

    Example:
        >>> import torch
        >>> passed = depths(torch.tensor([False, True] * 50))
        >>> estimate = by_rank(passed, 50, k=20, missing=100, held_out=100)
        >>> estimate.mean, estimate.low, estimate.high
        (19.0, 10, 20)
    """
    if not 0 <= k <= end or missing < 0 or held_out < 1 or not 0 < level < 1:
        raise SettingsError(
            f"Nothing can be said of the best {k} of {end} with {missing} missing and {held_out} held-out links "
            f"at the level {level:g}.",
            hint="Use 0 ≤ k ≤ ranked candidates, missing ≥ 0, at least one held-out link, and 0 < level < 1.",
        )
    most, counted = min(k, missing), int((depth < k).sum())
    mean = float(min(most, _smooth_count(depth, end, k, counted) * missing / held_out))
    low, high, spread = _ends(_law(counted, missing, held_out, most), level)
    return Estimate(k, missing, held_out, mean, spread, min(low, int(mean)), max(high, ceil(mean)), level)


def _smooth_count(depth: Tensor, end: int, k: int, counted: int) -> float:
    """v(k), or what the rate of a longer list makes of it as long as it is small."""
    if counted >= SUPPORT or k == end:
        return float(counted)
    if len(depth) < SUPPORT:
        return k * len(depth) / end
    return k * (SUPPORT - 1) / (int(depth[SUPPORT - 1]) + 1)  # the link that ends the window is not counted


def _law(counted: int, missing: int, held_out: int, most: int) -> NDArray[np.float64]:
    """The chance of every number of real links up to ``most``; they may add up to less than one.  -> (most + 1,)"""
    chances = betabinom.pmf(np.arange(most + 1), missing, counted + 0.5, held_out - counted + 0.5)
    return np.asarray(chances, dtype=np.float64) if most else np.ones(1)


def _ends(chances: NDArray[np.float64], level: float) -> tuple[int, int, float]:
    """The ends of the interval and the spread: the lower end and the spread of the law cut off, the upper of all."""
    most, below = len(chances) - 1, chances.cumsum()
    if below[-1] < 1e-9:  # the law is far above what there is
        return most, most, 0.0
    values, cut = np.arange(most + 1), chances / below[-1]
    low, high = np.searchsorted(below / below[-1], (1 - level) / 2), np.searchsorted(below, (1 + level) / 2)
    return int(low), min(most, int(high)), float(np.sqrt(cut @ (values - cut @ values) ** 2))
