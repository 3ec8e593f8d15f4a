"""Sketches of sets of one node each: where all other sketches come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Words = npt.NDArray[np.uint64]

PRIME = np.uint64((1 << 61) - 1)
LOW_32 = np.uint64((1 << 32) - 1)
# MinHash values are made for so many nodes at once, in words of 64 bits.
BLOCK = 1 << 14


def node_hashes(num_nodes: int) -> Words:
    """64 well-mixed bits for each node: the finaliser of SplitMix64 on its number plus one.  (N,)"""
    x = np.arange(1, num_nodes + 1, dtype=np.uint64)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Words = x ^ (x >> np.uint64(31))
    return mixed


def first_minhashes(num_nodes: int, permutations: int, seed: int) -> npt.NDArray[np.uint32]:
    """((a x + b) mod 2^64) mod (2^61 − 1), its low 32 bits, for drawn a and b.  (N, permutations)"""
    generator = np.random.default_rng(seed)
    a = generator.integers(1, int(PRIME), permutations, dtype=np.uint64)  # (permutations,)
    b = generator.integers(0, int(PRIME), permutations, dtype=np.uint64)
    x = node_hashes(num_nodes)
    values = np.empty((num_nodes, permutations), dtype=np.uint32)
    for start in range(0, num_nodes, BLOCK):
        values[start : start + BLOCK] = ((a * x[start : start + BLOCK, None] + b) % PRIME) & LOW_32
    return values


def first_registers(num_nodes: int, precision: int) -> npt.NDArray[np.uint8]:
    """HyperLogLog registers: the low p bits name one, the leading zeros of the others plus one are its value.

    (N, 2^p); the largest value is 64 − p + 1.
    """
    x = node_hashes(num_nodes)
    rest = x >> np.uint64(precision)
    registers = np.zeros((num_nodes, 1 << precision), dtype=np.uint8)
    place = (x & np.uint64((1 << precision) - 1)).astype(np.int64)
    registers[np.arange(num_nodes), place] = 64 - precision + 1 - _bit_length(rest)
    return registers


def _bit_length(x: Words) -> npt.NDArray[np.uint8]:
    """How many bits each number has; in integers, since logarithms round.  (N,)"""
    length = np.zeros(len(x), dtype=np.uint8)
    for step in (32, 16, 8, 4, 2, 1):
        large = x >= np.uint64(1 << step)
        length[large] += step
        x = np.where(large, x >> np.uint64(step), x)
    return length + (x > 0).astype(np.uint8)
