"""Which entries are dropped, by a hash of their places: nothing is drawn one after the other, and nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import torch

from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    Numbers = npt.NDArray[Any]
    Word = np.uint64

STEPS = 1 << 16
"""A share is a multiple of one in so many, and the others are scaled up by what it really is."""
HASHES = 256
"""Hashes of 64 bits are made so many at a time, each for four entries of a block of four times as many."""
BLOCK = 4 * HASHES
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
# Starting threads takes longer than so many blocks do.
SINGLE_THREADED = 1 << 11


def dropped(x: Tensor, key: int, share: float) -> Tensor:
    """A share of the entries at zero, the others scaled up; the same ones for the same key and shape.  (…) -> (…)"""
    entries = x.detach().to("cpu").contiguous()
    y, (least, scale) = torch.empty_like(entries), share_in_steps(share)
    factor = np.array([scale], entries.view(-1)[:0].numpy().dtype)
    shared = (entries.view(-1).numpy(), y.view(-1).numpy(), np.uint64(key), np.uint64(least), factor)
    blocks = -(-x.numel() // BLOCK)
    parts = num_threads() if blocks > SINGLE_THREADED else 1
    run_all(drop_blocks, [(*shared, *span) for span in spans(blocks, parts)])
    return y.to(x.device)


def share_in_steps(share: float) -> tuple[int, float]:
    """The least 16 bits that are kept, and what is kept is multiplied by.

    Example:
        >>> share_in_steps(0.5), share_in_steps(0.0)
        ((32768, 2.0), (0, 1.0))
    """
    least = min(max(round(share * STEPS), 1), STEPS - 1) if share else 0
    return least, STEPS / (STEPS - least)


@numba.njit(nogil=True, cache=True)
def drop_blocks(x: Numbers, y: Numbers, key: Word, least: Word, factor: Numbers, start: int, stop: int) -> None:
    """Blocks ``start`` to ``stop`` of y, which is factor · x where the 16 bits of a place are ``least`` or more."""
    hashes = np.empty(HASHES, np.uint64)
    for block in range(start, stop):
        fill_hashes(hashes, key + np.uint64(block * HASHES) * GOLDEN)
        for quarter in range(4):
            begin, shift = block * BLOCK + quarter * HASHES, np.uint64(16 * quarter)
            end = min(len(x), begin + HASHES)
            if begin < end:
                _drop(x[begin:end], y[begin:end], hashes, shift, least, factor[0])


@numba.njit(nogil=True, cache=True)
def fill_hashes(hashes: Numbers, key: Word) -> None:
    """Numbers of SplitMix64 that follow the key."""
    for place in range(len(hashes)):
        word = key + np.uint64(place + 1) * GOLDEN
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        hashes[place] = word ^ (word >> np.uint64(31))


@numba.njit(nogil=True, cache=True)
def _drop(x: Numbers, y: Numbers, hashes: Numbers, shift: Word, least: Word, factor: float) -> None:
    for place in range(len(x)):
        kept = ((hashes[place] >> shift) & np.uint64(0xFFFF)) >= least
        y[place] = x[place] * factor if kept else x.dtype.type(0)
