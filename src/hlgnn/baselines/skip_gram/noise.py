"""Draws from a fixed distribution over nodes in constant time (Walker's alias method)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]
    SmallInts = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Noise:
    """A uniformly drawn node i stands for itself with probability ``keep[i]``, else for ``other[i]``.

    Attributes:
        keep: Probabilities.  (N,)
        other: Nodes.  (N,)
    """

    keep: Doubles
    other: SmallInts

    @classmethod
    def of_counts(cls, counts: npt.NDArray[np.int64], power: float) -> Noise:
        """P(i) ∝ counts_i^power (Mikolov et al., 2013, Sect. 2.2).  (N,)"""
        weight = counts.astype(np.float64) ** power
        mean = weight.mean() if len(weight) else 1.0
        return cls(*_fill(weight / mean))

    def probabilities(self) -> Doubles:
        """P.  (N,)"""
        total = self.keep + np.bincount(self.other, 1.0 - self.keep, minlength=len(self.keep))
        return np.asarray(total / len(self.keep), dtype=np.float64)


@njit(cache=True, nogil=True)
def _fill(keep: Doubles) -> tuple[Doubles, SmallInts]:
    """Give what some have below one from those that have more; starts from N times the probabilities."""
    count = len(keep)
    other = np.arange(count).astype(np.int32)
    queue = np.empty(count, dtype=np.int32)  # small ones from the left, large ones from the right
    small, large = 0, count
    for node in range(count):
        if keep[node] < 1.0:
            queue[small] = node
            small += 1
        else:
            large -= 1
            queue[large] = node
    while small > 0 and large < count:
        small -= 1
        poor, rich = queue[small], queue[large]
        other[poor] = rich
        keep[rich] -= 1.0 - keep[poor]
        if keep[rich] < 1.0:
            large += 1
            queue[small] = rich
            small += 1
    for position in range(small):
        keep[queue[position]] = 1.0
    for position in range(large, count):
        keep[queue[position]] = 1.0
    return keep, other
