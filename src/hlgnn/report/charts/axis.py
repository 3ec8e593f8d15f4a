"""The axes of a chart of series: numbers, factors or names, with what is written beside them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from hlgnn.report.charts.frame import LETTERS
from hlgnn.report.charts.scale import SMALLEST, Scale, nice_range, ticks
from hlgnn.report.numbers import APART, MINUS

if TYPE_CHECKING:
    from collections.abc import Sequence

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PADDING = 0.05
MOST_OWN = 7
MOST_LEVELS = 5


class Mark(NamedTuple):
    """A place on an axis, and what is written there."""

    value: float
    text: str


class Axis(NamedTuple):
    """A scale with its marks.

    Attributes:
        scale: From values, or from their logarithms, to places.
        marks: What is written beside it.
        log: Whether equal distances are equal factors.
    """

    scale: Scale
    marks: tuple[Mark, ...]
    log: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value; those beyond an end stand at that end."""
        if not self.log:
            return self.scale(value)
        return self.scale(math.log10(value) if value > 0 else self.scale.low)

    def between(self, start: float, stop: float) -> Axis:
        """The same axis from one place to another."""
        return self._replace(scale=self.scale._replace(start=start, stop=stop))


def text_width(text: str) -> float:
    """About how wide a line of letters is."""
    return 0.56 * LETTERS * len(text)


def names_axis(names: Sequence[str]) -> Axis:
    """Names at equal distances, at 0, 1, 2, …"""
    marks = tuple(Mark(float(place), name) for place, name in enumerate(names))
    return Axis(Scale(-0.5, len(names) - 0.5, 0.0, 1.0), marks)


def upright_axis(values: Sequence[float], *, log: bool) -> Axis:
    """All values between two round numbers, or with a little room beside them if steps are factors."""
    if log:
        scale = _padded(*(math.log10(end) for end in (min(values), max(values))), alone=0.3)
        return Axis(scale, _marks(factor_ticks(scale.low, scale.high, MOST_LEVELS), log=True), log=True)
    low, high = nice_range(min(values), max(values), MOST_LEVELS)
    return Axis(Scale(low, high, 0.0, 1.0), _marks(ticks(low, high, MOST_LEVELS + 2)))


def level_axis(values: Sequence[float], width: float, *, log: bool) -> Axis:
    """All values with a little room beside them; where they are few and apart, they are the marks themselves."""
    ends = (min(values), max(values))
    scale = _padded(*(math.log10(end) for end in ends), alone=0.3) if log else _padded(*ends, alone=0.5)
    own = sorted(set(values)) if len(set(values)) <= MOST_OWN else []
    round_numbers = [(factor_ticks if log else ticks)(scale.low, scale.high, most) for most in (6, 3)]
    axes = [Axis(scale, _marks(found, log=log), log) for found in (own, *round_numbers) if found]
    return next((axis for axis in axes if _apart(axis, width)), axes[-1])


def factor_ticks(low: float, high: float, most: int = 4) -> list[float]:
    """Powers of ten between two logarithms, with 2 and 5 times them where they are few.

    Example:
        >>> factor_ticks(0.0, 3.0), factor_ticks(0.9, 2.1)
        ([1.0, 10.0, 100.0, 1000.0], [10.0, 20.0, 50.0, 100.0])
    """
    powers = range(math.floor(low), math.ceil(high) + 1)
    if high - low >= 2:
        step = math.ceil((high - low) / most)
        return [10.0**power for power in powers if low <= power <= high and power % step == 0]
    between = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    found = [value for value in between if low - 1e-9 <= math.log10(value) <= high + 1e-9]
    return found if len(found) > 2 else ticks(10.0**low, 10.0**high, most)


def mark_text(value: float, power: int | None = None) -> str:
    """A number beside an axis, in full or as a multiple of a power of ten.

    Args:
        value: The number.
        power: The exponent that all numbers of the axis share; its own one if there is none.

    Example:
        >>> mark_text(0.25), mark_text(20000).split(APART), mark_text(-0.1), mark_text(1e-5), mark_text(2.5e6, 6)
        ('0.25', ['20', '000'], '−0.1', '10⁻⁵', '2.5×10⁶')
    """
    if abs(value) < SMALLEST:
        return "0"
    if power is None and 1e-4 <= abs(value) < 1e6:
        plain = f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.10g}"
        return plain.replace(",", APART).replace("-", MINUS)
    own = math.floor(math.log10(abs(value)) + 1e-9) if power is None else power
    raised = f"10{str(own).translate(RAISED)}"
    factor = f"{value / 10.0**own:.6g}".replace("-", MINUS)
    return raised if factor == "1" and power is None else f"{factor}×{raised}"


def _marks(values: Sequence[float], *, log: bool = False) -> tuple[Mark, ...]:
    """Numbers that are very large or small are multiples of one power of ten, unless steps are factors."""
    largest = max((abs(value) for value in values), default=0.0)
    extreme = not log and largest >= SMALLEST and not 1e-3 <= largest < 1e6
    power = 3 * math.floor(math.log10(largest) / 3 + 1e-9) if extreme else None
    return tuple(Mark(value, mark_text(value, power)) for value in values)


def _padded(low: float, high: float, *, alone: float) -> Scale:
    """A scale with some room beside its ends, and with that much beside a single value."""
    apart = high - low > max(SMALLEST, 1e-9 * max(abs(low), abs(high)))
    room = PADDING * (high - low) if apart else max(alone, 1e-3 * abs(low))
    return Scale(low - room, high + room, 0.0, 1.0)


def _apart(axis: Axis, width: float) -> bool:
    """Whether no two marks overlap on an axis of that width."""
    placed = axis.between(0.0, width)
    return all(
        placed(two.value) - placed(one.value) >= (text_width(one.text) + text_width(two.text)) / 2 + LETTERS / 2
        for one, two in pairwise(axis.marks)
    )
