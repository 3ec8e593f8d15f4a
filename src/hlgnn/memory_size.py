"""Amounts of memory: as people say them, and as a process has had."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

from hlgnn.errors import SettingsError

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def memory_bytes(amount: str | int) -> int:
    """A number of bytes, or such as ``6GB``, as a number of bytes.

    Raises:
        SettingsError: If it is neither, or nothing.

    Example:
        >>> memory_bytes("1.5 GB"), memory_bytes(4096)
        (1500000000, 4096)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", str(amount).lower())
    if match is None or float(match[1]) == 0:
        raise SettingsError(f"{amount!r} is no amount of memory.", where="memory", hint="Say for example '500MB'.")
    return int(float(match[1]) * UNITS[match[2]])


def resident_bytes() -> int:
    """The memory that this process has now; the most that it has had where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    except OSError:
        return peak_bytes()


def peak_bytes() -> int:
    """The most memory that this process has had so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak  # macOS counts bytes, Linux kilobytes
