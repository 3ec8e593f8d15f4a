"""Numbers as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hlgnn.report.values import Interval

MISSING = "–"
MINUS = "−"
WRITTEN_OUT = 1e7
"""Larger numbers have an exponent."""

APART = "\u202f"  # a narrow space at which no line breaks


def decimal(value: float | None, digits: int = 3) -> str:
    """A number with that many digits after the point.

    Example:
        >>> decimal(0.96414), decimal(-0.0001), decimal(None)
        ('0.964', '0.000', '–')
    """
    return MISSING if value is None else _signs(f"{value:.{digits}f}")


def signed(value: float, digits: int = 3) -> str:
    """The same with its sign, for differences.

    Example:
        >>> signed(0.0123), signed(-0.0123), signed(0.0)
        ('+0.012', '−0.012', '0.000')
    """
    found = decimal(value, digits)
    return found if found.startswith(MINUS) or float(found) == 0 else f"+{found}"


def significant(value: float | None, digits: int = 4) -> str:
    """A number of any size with that many digits that matter.

    Example:
        >>> significant(37.18, 3), significant(7.0), significant(-0.00012345), significant(132.1, 2)
        ('37.2', '7', '−0.0001234', '130')
    """
    if value is None:
        return MISSING
    rounded = f"{value:.{digits}g}"
    whole = 10.0 ** (digits - 1) <= abs(value) < WRITTEN_OUT
    return _signs(f"{float(rounded):.0f}" if whole and "e" in rounded else rounded)


def score(value: float | None) -> str:
    """The same with zeros at its end, so that numbers in a column stand below one another.

    Example:
        >>> score(9.8), score(1234.0)
        ('9.800', '1234')
    """
    return MISSING if value is None else _signs(f"{value:#.4g}".removesuffix("."))


def count(value: float | None) -> str:
    """A whole number with its thousands apart.

    Example:
        >>> count(12345).split(APART), count(None)
        (['12', '345'], '–')
    """
    return MISSING if value is None else _signs(f"{value:,.0f}").replace(",", APART)


def amount(value: float | None) -> str:
    """How many are expected: whole numbers where they are large, three digits otherwise.

    Example:
        >>> amount(7.42), amount(37.2), amount(123.4)
        ('7.42', '37.2', '123')
    """
    return count(value) if value is not None and abs(value) >= 100 else significant(value, 3)


def percent(share: float | None) -> str:
    """A share of one in percent; only zero is called 0 %, and only one 100 %.

    Example:
        >>> percent(0.37), percent(0.0042), percent(0.9994), percent(0.0), percent(1e-5)
        ('37 %', '0.4 %', '99.9 %', '0 %', 'below 0.1 %')
    """
    if share is None:
        return MISSING
    if 0 < share < 0.001:
        return "below 0.1 %"
    if 0.9995 <= share < 1:
        return "above 99.9 %"
    return _signs(f"{100 * share:.1f} %" if 0 < share < 0.1 or 0.99 < share < 1 else f"{100 * share:.0f} %")


def span(found: Interval, digits: int = 3) -> str:
    """The two ends of an interval.

    Example:
        >>> from hlgnn.report.values import Interval
        >>> span(Interval(0.95, 0.96, 0.98))
        '0.950 to 0.980'
    """
    return f"{decimal(found.low, digits)} to {decimal(found.high, digits)}"


def duration(seconds: float | None) -> str:
    """A time in the units that fit it.

    Example:
        >>> duration(0.04), duration(12.3), duration(200), duration(3700), duration(None)
        ('0.04 s', '12 s', '3 min 20 s', '1 h 1 min', '–')
    """
    if seconds is None:
        return MISSING
    if 0 < seconds < 0.01:
        return "below 0.01 s"
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def memory(gigabytes: float | None) -> str:
    """An amount of memory.

    Example:
        >>> memory(1.25), memory(0.3)
        ('1.2 GB', '300 MB')
    """
    if gigabytes is None:
        return MISSING
    return f"{gigabytes:.1f} GB" if gigabytes >= 1 else f"{1000 * gigabytes:.0f} MB"


def plural(value: float, noun: str) -> str:
    """A count with its noun.

    Example:
        >>> plural(1, "link"), plural(3, "link")
        ('1 link', '3 links')
    """
    return f"{count(value)} {noun}" if value == 1 else f"{count(value)} {noun}s"


def _signs(found: str) -> str:
    """No negative zero, and a minus that is as wide as a plus."""
    if found.startswith("-") and not any(digit in found for digit in "123456789"):
        return found[1:]
    return found.replace("-", MINUS)
