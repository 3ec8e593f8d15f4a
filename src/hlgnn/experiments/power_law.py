"""With which power a time grows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import t as student

from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 0.95
LEAST = 2


@dataclass(frozen=True)
class PowerLaw:
    """y ≈ factor · x^exponent.

    Attributes:
        exponent: The slope in logarithms.
        half_width: Half of its interval of 95 %; infinite where two points leave nothing to judge it by.
        factor: y at x = 1.
    """

    exponent: float
    half_width: float
    factor: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.exponent - self.half_width

    @property
    def high(self) -> float:
        """The upper end."""
        return self.exponent + self.half_width

    def __call__(self, x: float) -> float:
        """The fitted y."""
        return self.factor * math.pow(x, self.exponent)


def fit_power_law(x: Sequence[float], y: Sequence[float]) -> PowerLaw:
    """Least squares in logarithms, with the interval of Student's t.

    Raises:
        SettingsError: If there are fewer than two different x, or a number is not positive.

    Example:
        >>> law = fit_power_law([1, 2, 4], [3, 12, 48])
        >>> round(law.exponent, 9), round(law.factor, 9)
        (2.0, 3.0)
    """
    if len(set(x)) < LEAST or min(*x, *y) <= 0:
        raise SettingsError("A power needs two positive sizes at least.", where="x")
    along, up = np.log(np.asarray(x, dtype=np.float64)), np.log(np.asarray(y, dtype=np.float64))
    centred = along - along.mean()
    slope = float(centred @ up / (centred @ centred))
    start = float(up.mean() - slope * along.mean())
    free = len(x) - 2
    if free == 0:
        return PowerLaw(slope, math.inf, math.exp(start))
    left = up - start - slope * along
    error = math.sqrt(float(left @ left) / free / float(centred @ centred))
    return PowerLaw(slope, float(student.ppf(0.5 + CONFIDENCE / 2, free)) * error, math.exp(start))
