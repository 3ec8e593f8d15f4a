"""Named things, and a helpful answer when a name is unknown."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar, overload

from hlgnn.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")
Default = TypeVar("Default")


class Registry(Mapping[str, T]):
    """A read-only mapping whose keys ignore case, and treat ``_`` and blanks as ``-``.

    What is no text is never a key: to look it up is a ``KeyError``.

    Example:
        >>> colours = Registry("colour", {"dark-red": 1, "green": 2})
        >>> colours["Dark_Red"]
        1
        >>> colours.get("blue", 0)
        0
        >>> colours["gren"]
        Traceback (most recent call last):
        hlgnn.errors.UnknownNameError: There is no colour called 'gren'. Did you mean 'green'? All: dark-red, green.
    """

    def __init__(self, kind: str, entries: Mapping[str, T]) -> None:
        self.kind = kind
        self._entries = {_normal(name): entry for name, entry in entries.items()}

    def __getitem__(self, name: str) -> T:
        if not isinstance(name, str):
            raise KeyError(name)
        try:
            return self._entries[_normal(name)]
        except KeyError:
            raise self.unknown(name) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _normal(name) in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"Registry({self.kind!r}: {', '.join(self)})"

    @overload
    def get(self, name: str, /) -> T | None: ...

    @overload
    def get(self, name: str, default: T | Default, /) -> T | Default: ...

    def get(self, name: str, default: object = None, /) -> object:
        """The entry of that name, or ``default`` if there is none."""
        try:
            return self[name]
        except (KeyError, UnknownNameError):
            return default

    def unknown(self, name: str, *others: str) -> UnknownNameError:
        """The error for a name that is not here, with the nearest one that is; others are understood beside these.

        Example:
            >>> Registry("model", {"salton": 1}).unknown("atuo", "auto").hint
            "Did you mean 'auto'? All: salton, auto."
        """
        known = (*self, *others)
        near = difflib.get_close_matches(_normal(name), known, n=1, cutoff=0.5)
        guess = f"Did you mean {near[0]!r}? " if near else ""
        return UnknownNameError(f"There is no {self.kind} called {name!r}.", hint=f"{guess}All: {', '.join(known)}.")


def _normal(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(" ", "-")
