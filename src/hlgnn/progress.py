"""How long work tells its caller how far it is; the library itself shows nothing."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called as ``progress(what, done, total)``; the command line draws it, with the time left."""


def silent(what: str, done: int, total: int) -> None:
    """Show nothing: the default of every function that takes a ``Progress``."""
