"""Numbers that a heuristic takes: their defaults, their legal ranges, and how they are read from text."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hlgnn.errors import SettingsError

Value = int | float | bool | None
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class Parameter:
    """One number or switch.

    Attributes:
        name: What it is called.
        default: What it is unless given; its type is the legal type, and ``None`` stands for whole numbers.
        above: Legal numbers are larger than this.
        below: Legal numbers are smaller than this.
        optional: Whether ``none`` is legal.
        meaning: What it does, for help texts.
    """

    name: str
    default: Value
    above: float = -math.inf
    below: float = math.inf
    optional: bool = False
    meaning: str = ""

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are legal."""
        return self.default is None or (isinstance(self.default, int) and not isinstance(self.default, bool))

    @property
    def legal(self) -> str:
        """What is legal, in words.

        Example:
            >>> Parameter("alpha", 0.85, above=0, below=1).legal
            'a number above 0 and below 1'
        """
        if isinstance(self.default, bool):
            return "true or false"
        low = f" above {self.above:g}" if self.above > -math.inf else ""
        high = f"{' and' if low else ''} below {self.below:g}" if self.below < math.inf else ""
        return f"{'a whole number' if self.whole else 'a number'}{low}{high}{' or none' if self.optional else ''}"

    def check(self, value: Value, owner: str) -> None:
        """Accept a legal value.

        Raises:
            SettingsError: If it is of the wrong kind or out of range.
        """
        if isinstance(self.default, bool) or isinstance(value, bool):
            legal = isinstance(self.default, bool) and isinstance(value, bool)
        elif value is None:
            legal = self.optional
        else:
            legal = self.above < value < self.below and (not self.whole or isinstance(value, int))
        if not legal:
            raise self._error(str(value), owner)

    def read(self, text: str, owner: str) -> Value:
        """The value that ``text`` stands for.

        Raises:
            SettingsError: If it is none, or an illegal one.
        """
        try:
            value = self._convert(text.strip().lower())
        except (ValueError, KeyError):
            raise self._error(repr(text.strip()), owner) from None
        self.check(value, owner)
        return value

    def _convert(self, text: str) -> Value:
        if isinstance(self.default, bool):
            return _BOOLEANS[text]
        if text == "none" and self.optional:
            return None
        return int(text) if self.whole else float(text)

    def _error(self, shown: str, owner: str) -> SettingsError:
        return SettingsError(f"{self.name} is {shown}.", where=f"{owner}.{self.name}", hint=f"It must be {self.legal}.")
