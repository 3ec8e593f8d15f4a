"""Compiled functions that let go of the interpreter lock, run side by side."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Result = TypeVar("Result")

# Every thread of a counting sort keeps counters of its own; more than eight only fight for memory.
MOST_THREADS = 8


def num_threads() -> int:
    """How many threads are worth starting: the processors this process may use, at most ``MOST_THREADS``.

    ``OMP_NUM_THREADS`` allows fewer, as it does for torch: processes that share a machine are told their share so.
    """
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    told = os.environ.get("OMP_NUM_THREADS", "")
    return min(len(usable), MOST_THREADS, max(1, int(told)) if told.isdecimal() else MOST_THREADS)


def run_all(function: Callable[..., Result], arguments: Iterable[tuple[object, ...]]) -> list[Result]:
    """``[function(*a) for a in arguments]``, on ``num_threads()`` threads.

    A pool of Python threads around single-threaded kernels, and not numba's own: that one ends the process when two
    Python threads enter it at once, or after a fork.
    """
    calls = [partial(function, *each) for each in arguments]
    if len(calls) <= 1 or num_threads() == 1:
        return [call() for call in calls]
    with ThreadPoolExecutor(num_threads()) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def spans(length: int, parts: int) -> list[tuple[int, int]]:
    """``parts`` neighbouring ranges of nearly equal size that cover ``range(length)``; empty ones are left out.

    Example:
        >>> spans(10, 3)
        [(0, 3), (3, 6), (6, 10)]
    """
    bounds = [length * part // parts for part in range(parts + 1)]
    return [(start, stop) for start, stop in itertools.pairwise(bounds) if start < stop]


def run_spans(function: Callable[..., Result], shared: tuple[object, ...], length: int, *, fewest: int) -> list[Result]:
    """``function(*shared, start, stop)`` for parts of ``range(length)``, one for each thread.

    Args:
        function: What does a part.
        shared: What all parts are given.
        length: How much there is to do.
        fewest: Less than this is done in one part, before a second thread has started.

    Example:
        >>> run_spans(lambda values, start, stop: sum(values[start:stop]), ([1, 2, 3],), 3, fewest=10)
        [6]
    """
    parts = spans(length, num_threads() if length >= fewest else 1)
    return run_all(function, [(*shared, *part) for part in parts])
