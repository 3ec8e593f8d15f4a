"""The best pairs so far, out of many that are known approximately."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.ranked import RankedLinks

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

# So many pairs wait until they are scored exactly.
WAITING = 1 << 14


class BestPairs:
    """The best k of all pairs that are offered, by exact scores that are computed for few of them.

    Args:
        k: How many.
        exact: The exact scores of pairs.  (P, 2) -> (P,), float64
        minimum: The least score; a threshold that k pairs elsewhere are known to reach serves as well.
    """

    def __init__(self, k: int, exact: Callable[[Tensor], Tensor], minimum: float | None = None) -> None:
        self.k, self.exact = k, exact
        self.minimum = -math.inf if minimum is None else minimum
        self.ranked = RankedLinks(torch.empty(0, 2, dtype=torch.int64), torch.empty(0, dtype=torch.float64))
        self.error_seen = 0.0
        self._waiting: list[tuple[Tensor, Tensor]] = []
        self._count = 0

    @property
    def threshold(self) -> float:
        """The score that a pair must reach."""
        if self.k and len(self.ranked) == self.k:
            return max(self.minimum, float(self.ranked.scores[-1]))
        return self.minimum

    def offer(self, pairs: Tensor, approximate: Tensor, error: float) -> None:
        """Consider pairs whose exact scores differ from the approximate ones by at most ``error``.  (P, 2), (P,)"""
        approximate = approximate.double()
        near = approximate >= self.threshold - error
        if self.k < int(near.sum()):  # k of them are at least the k-th best less the error
            least = approximate[near].topk(self.k).values[-1] if self.k else math.inf
            near &= approximate >= least - 2 * error
        if bool(near.any()):
            self._waiting.append((pairs[near], approximate[near]))
            self._count += int(near.sum())
        if self._count > max(WAITING, self.k) or len(self.ranked) < self.k <= self._count:
            self.settle()

    def settle(self) -> RankedLinks:
        """Score what waits, and keep the best."""
        if self._waiting:
            pairs = torch.cat([each for each, _ in self._waiting])
            approximate = torch.cat([each for _, each in self._waiting])
            self._waiting, self._count = [], 0
            self._merge(pairs, approximate)
        return self.ranked

    def _merge(self, pairs: Tensor, approximate: Tensor) -> None:
        scores = self.exact(pairs)
        self.error_seen = max(self.error_seen, float((scores - approximate).abs().max()))
        enough = scores >= self.minimum
        pairs, scores = torch.cat([self.ranked.pairs, pairs[enough]]), torch.cat([self.ranked.scores, scores[enough]])
        self.ranked = RankedLinks.best(pairs, scores, self.k)
