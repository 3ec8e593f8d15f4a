"""From values to places in a picture, and the round numbers beside an axis."""

from __future__ import annotations

import math
from typing import NamedTuple

SMALLEST = 1e-100


class Scale(NamedTuple):
    """A line from ``low`` at ``start`` to ``high`` at ``stop``.

    Example:
        >>> Scale(0.0, 2.0, 100.0, 300.0)(0.5)
        150.0
    """

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        """The place of a value; those beyond an end stand at that end."""
        if self.high == self.low:
            return (self.start + self.stop) / 2
        share = min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))
        return self.start + share * (self.stop - self.start)


def nice_step(width: float, most: int = 4) -> float:
    """The least of 1, 2, 2.5, 5 times a power of ten that divides a width into at most that many parts.

    Example:
        >>> nice_step(1.0), nice_step(0.3), nice_step(900.0)
        (0.25, 0.1, 250.0)
    """
    power = 10.0 ** math.floor(math.log10(width / most))
    steps = (power * factor for factor in (1, 2, 2.5, 5, 10, 20))
    return next(step for step in steps if width / step <= most * (1 + 1e-9))


def nice_range(low: float, high: float, most: int = 4) -> tuple[float, float]:
    """The least range between round numbers that holds both; never empty. Equal values share it with zero.

    Up to that many steps lie between the two values.

    Example:
        >>> nice_range(0.13, 0.88), nice_range(0.0, 0.0)
        ((0.0, 1.0), (0.0, 1.0))
    """
    largest = max(abs(low), abs(high))
    if largest < SMALLEST:
        return 0.0, 1.0
    if high - low < 1e-9 * largest:
        low, high = min(0.0, low), max(0.0, high)
    step = nice_step(high - low, most)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def nice_top(high: float) -> float:
    """The round number at or above a value that bars from zero are drawn to; 1 if there is nothing to draw."""
    return nice_range(0.0, high)[1] if high > 0 else 1.0


def ticks(low: float, high: float, most: int = 4) -> list[float]:
    """Round numbers from one end to the other, with at most that many steps between them.

    Example:
        >>> ticks(0.0, 1.0)
        [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    step = nice_step(high - low, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [place * step for place in range(first, last + 1)]


def tick_text(value: float) -> str:
    """A round number beside an axis.

    Example:
        >>> tick_text(0.25), tick_text(-0.1), tick_text(0.30000000000000004)
        ('0.25', '−0.1', '0.3')
    """
    return f"{value:.6g}".replace("-", "−") if value else "0"
