"""The form of all kinds of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hlgnn.progress import Progress

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """A kind of work that cells can ask for.

    Attributes:
        name: What it is called in the store.
        revision: Counts the changes of the program after which the same settings give other results.
        run: ``run(settings, seed, progress)`` does the work and returns plain values of JSON.
        label: A short name for people, made of letters, digits and hyphens.
        data: A digest of the data that the result depends on, or ``None``; it may not read much.
    """

    name: str
    revision: int
    run: Callable[[Values, int, Progress], dict[str, Any]]
    label: Callable[[Values], str]
    data: Callable[[Values], str | None] = lambda _: None
