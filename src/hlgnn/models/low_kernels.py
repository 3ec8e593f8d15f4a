"""Compiled: what stands between the products of a perceptron in bfloat16, each in one pass over the numbers.

A number of 16 bits is the upper half of one of 32. Rows are widened into a row of room, worked on, and rounded to the
nearest again, ties to even, as torch does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from hlgnn.models.dropout_kernel import GOLDEN, fill_hashes

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[Any]


@numba.njit(nogil=True, cache=True, error_model="numpy")
def write_products(z: Numbers, pairs: Numbers, out: Numbers, start: int, stop: int) -> None:
    """z_i ⊙ z_j of the pairs ``start`` to ``stop``.  (N, F), (P, 2), (P, F) of 16 bits"""
    bits = np.empty(z.shape[1], np.uint32)
    product = bits.view(np.float32)
    for pair in range(start, stop):
        left, right = z[pairs[pair, 0]], z[pairs[pair, 1]]
        for column in range(len(product)):
            product[column] = left[column] * right[column]
        _round(bits, out[pair])


@numba.njit(nogil=True, cache=True, error_model="numpy")
def add_product_gradients(z: Numbers, pairs: Numbers, grad: Numbers, out: Numbers, start: int, stop: int) -> None:
    """Columns ``start`` to ``stop`` of Σ g z_j for each i and Σ g z_i for each j, pair by pair.

    (N, F), (P, 2), (P, F) of 16 bits, (N, F)
    """
    bits = np.empty(stop - start, np.uint32)
    pulled = bits.view(np.float32)
    for pair in range(len(pairs)):
        first, second = pairs[pair, 0], pairs[pair, 1]
        _widen(grad[pair, start:stop], bits)
        left, right = z[first, start:stop], z[second, start:stop]
        of_left, of_right = out[first, start:stop], out[second, start:stop]
        for column in range(len(pulled)):
            of_left[column] += pulled[column] * right[column]
        for column in range(len(pulled)):
            of_right[column] += pulled[column] * left[column]


@numba.njit(nogil=True, cache=True, error_model="numpy")
def activate(
    y: Numbers, bias: Numbers, key: np.uint64, least: np.uint16, factor: np.float32, start: int, stop: int
) -> None:
    """Rows ``start`` to ``stop`` become factor · max(0, y + b) where the 16 bits of a place are ``least`` or more.

    Those of the others become zero.  (P, H) of 16 bits, (H,)
    """
    words = (y.shape[1] + 3) // 4
    bits, hashes = np.empty(y.shape[1], np.uint32), np.empty(words, np.uint64)
    numbers, draws = bits.view(np.float32), hashes.view(np.uint16)
    for row in range(start, stop):
        _widen(y[row], bits)
        fill_hashes(hashes, key + np.uint64(row * words) * GOLDEN)
        for column in range(len(numbers)):
            shifted = numbers[column] + bias[column]
            gone = (shifted <= np.float32(0)) or (draws[column] < least)  # what is no number is not, and is noticed
            numbers[column] = np.float32(0) if gone else shifted * factor
        _round(bits, y[row])


@numba.njit(nogil=True, cache=True, error_model="numpy")
def pull_back_activation(
    grad: Numbers, y: Numbers, factor: np.float32, out: Numbers, of_bias: Numbers, start: int, stop: int
) -> None:
    """Columns ``start`` to ``stop`` of the gradient before ``activate``, which is zero where y is, and of the bias.

    (P, H), (P, H), (P, H) of 16 bits, (H,)
    """
    bits = np.empty(stop - start, np.uint32)
    numbers, sums = bits.view(np.float32), of_bias[start:stop]
    for row in range(len(grad)):
        _widen(grad[row, start:stop], bits)
        active = y[row, start:stop]
        for column in range(len(numbers)):
            numbers[column] = numbers[column] * factor if active[column] != np.uint16(0) else np.float32(0)
        for column in range(len(numbers)):
            sums[column] += numbers[column]
        _round(bits, out[row, start:stop])


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _widen(row: Numbers, bits: Numbers) -> None:
    for column in range(len(bits)):
        bits[column] = np.uint32(row[column]) << np.uint32(16)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _round(bits: Numbers, row: Numbers) -> None:
    for column in range(len(bits)):
        word = bits[column]
        half = word >> np.uint32(16)
        nearest = (word + np.uint32(0x7FFF) + (half & np.uint32(1))) >> np.uint32(16)
        none = (word & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)  # rounding up could make a number of it
        row[column] = np.uint16(half | np.uint32(0x40) if none else nearest)
