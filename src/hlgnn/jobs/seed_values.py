"""The values of one method over several seeds."""

from __future__ import annotations

from statistics import fmean, stdev


class SeedValues(tuple[float, ...]):
    """One value for each seed, from 0 to 1.

    Example:
        >>> values = SeedValues([0.4, 0.6])
        >>> values.mean, round(values.deviation, 3)
        (0.5, 0.141)
    """

    __slots__ = ()

    @property
    def mean(self) -> float:
        """The mean over seeds."""
        return fmean(self)

    @property
    def deviation(self) -> float:
        """The standard deviation over seeds, zero for one seed."""
        return stdev(self) if len(self) > 1 else 0.0
