"""How much memory work may take, and what to say when that is too little."""

from __future__ import annotations

from hlgnn.errors import SettingsError

DEFAULT_MEMORY = 2 << 30
"""Two gigabytes: what work in blocks takes at most unless told otherwise."""

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def readable(size: float) -> str:
    """A number of bytes as people say it; rounded up, so that what is named suffices.

    Example:
        >>> readable(1536)
        '1.6 kB'
        >>> readable(12)
        '12 bytes'
    """
    value, unit = float(size), 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    if unit == 0:
        return f"{int(value)} bytes"
    return f"{-(-value * 10 // 1) / 10:g} {_UNITS[unit]}"


def most_columns(memory: int, fixed: int, per_column: int, *, what: str) -> int:
    """How many columns fit into ``memory`` beside ``fixed`` bytes.

    Raises:
        SettingsError: If not even one does; it says how much would suffice.
    """
    columns = (memory - fixed) // max(1, per_column)
    if columns < 1:
        raise SettingsError(
            f"{readable(memory)} of memory are too little for {what}.",
            where="memory",
            hint=f"{readable(fixed + per_column)} suffice.",
        )
    return int(columns)
