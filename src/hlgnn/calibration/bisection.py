"""Where a rising function takes a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = 80


def bisect(function: Callable[[float], float], value: float, low: float, high: float) -> float:
    """The argument between ``low`` and ``high`` with that value; the nearer end if there is none.

    Example:
        >>> round(bisect(lambda x: x * x, 2.0, 0.0, 10.0), 6)
        1.414214
    """
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < value else (low, middle)
    return high
