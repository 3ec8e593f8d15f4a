"""Memory that a step gives back is kept for the next one, where the C library can be told to (decision 0035)."""

from __future__ import annotations

import ctypes
import sys

TRIM_THRESHOLD, TOP_PAD, MMAP_MAX = -1, -2, -4
"""Names of glibc's ``mallopt``."""
NEVER, STEP = -1, 1 << 26
"""Nothing is given back: the largest threshold that there is, 2 GB, is less than what a large step frees."""


def keep_freed_memory() -> bool:
    """Tell the C library to keep what is freed, instead of having every page of it cleared and handed out anew.

    It holds for the whole process, so that commands and workers call this, and the library does not. Nothing happens
    where there is no glibc.

    Returns:
        Whether it was told.
    """
    if sys.platform != "linux":
        return False
    told = getattr(ctypes.CDLL(None), "mallopt", None)
    if told is None or not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"):
        return False
    return all(told(name, value) for name, value in ((MMAP_MAX, 0), (TRIM_THRESHOLD, NEVER), (TOP_PAD, STEP)))
