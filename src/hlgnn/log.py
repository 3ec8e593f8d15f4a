"""Logging for the command line; the library itself only asks for loggers."""

from __future__ import annotations

import logging
import sys


class _Plain(logging.Formatter):
    """A sentence for people: the level in words, then the message."""

    def format(self, record: logging.LogRecord) -> str:
        word = {"DEBUG": "Detail", "INFO": "Note", "WARNING": "Notice"}.get(record.levelname, "Error")
        return f"{word}: {record.getMessage()}"


def show_log(*, quiet: bool = False, debug: bool = False) -> None:
    """Send what the library logs to standard error: notices and errors, everything with ``debug``."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Plain())
    logger = logging.getLogger("hlgnn")
    logger.handlers[:] = [handler]
    logger.propagate = False
    logger.setLevel(logging.DEBUG if debug else logging.ERROR if quiet else logging.WARNING)
