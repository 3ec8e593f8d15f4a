"""Reading a study document: whatever is missing, or is not what it should be, reads as nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Document = Mapping[str, Any]
LARGEST = 1e100


class Interval(NamedTuple):
    """A value and the interval around it; without an interval, all three are the same."""

    low: float
    value: float
    high: float


def text(value: object) -> str:
    """A string or a number as text, anything else as none.

    Example:
        >>> text("a"), text(7), text(None), text([1])
        ('a', '7', '', '')
    """
    if isinstance(value, str):
        return value.strip()
    return "" if number(value) is None else str(value)


def texts(value: object) -> list[str]:
    """The texts of a list that are not empty."""
    return [found for each in value if (found := text(each))] if isinstance(value, list | tuple) else []


def number(value: object) -> float | None:
    """A number that can be drawn, or none.

    Example:
        >>> number(2), number("2"), number(float("nan")), number(True)
        (2.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if abs(found) < LARGEST else None


def mapping(value: object) -> Document:
    """A dictionary, empty if there is none."""
    return value if isinstance(value, Mapping) else {}


def rows(value: object) -> list[Document]:
    """The dictionaries of a list that hold something."""
    return [each for each in value if isinstance(each, Mapping) and each] if isinstance(value, list | tuple) else []


def interval(value: object, *, centre: str = "value") -> Interval | None:
    """The numbers of a dictionary with ``low``, ``high`` and the key of the centre; none without a centre.

    Example:
        >>> interval({"low": 0.1, "value": 0.3, "high": 0.4})
        Interval(low=0.1, value=0.3, high=0.4)
        >>> interval({"value": 0.3})
        Interval(low=0.3, value=0.3, high=0.3)
    """
    found = mapping(value)
    middle, low, high = (number(found.get(key)) for key in (centre, "low", "high"))
    if middle is None:
        return None
    return Interval(middle if low is None else low, middle, middle if high is None else high)
