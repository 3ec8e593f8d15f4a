"""Weighted walks between the ends of a pair: entries of powers of Ã_sym, met in the middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import torch
from scipy.sparse import csr_array

from hlgnn.errors import SettingsError
from hlgnn.graph.threads import run_spans

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

    Array = npt.NDArray[Any]

# What a walk of weight nought counts as; weights below it are as good as none.
FLOOR = 1e-4
# A power takes twelve bytes for each entry, once for every message graph.
MOST_ENTRIES = 200_000_000
FEW_PAIRS = 4096


@dataclass(frozen=True, eq=False)
class Walks:
    """A message graph as walks are counted in it.

    Attributes:
        powers: Ã_sym, Ã_sym², … up to half of the longest walk, as stored entries.
        returns: (Ã_sym^2m)_ii, the weight of the walks that come back, for each of these powers.  (M, N)
        longest: The length of the longest walks.
    """

    powers: tuple[csr_array, ...]
    returns: Tensor
    longest: int


def walks(normalized: Normalized, longest: int) -> Walks:
    """The powers that walks of two to ``longest`` steps are put together from.

    Raises:
        SettingsError: If there are too many walks to store.
    """
    first = _symmetric(normalized)
    powers = [first]
    for _ in range(-(-longest // 2) - 1):
        power = csr_array(powers[-1] @ first)
        power.sort_indices()
        if power.nnz > MOST_ENTRIES:
            raise SettingsError(
                f"Walks of {longest} steps meet in {power.nnz:,} pairs of nodes, which is too many to store.",
                where="head.walks",
                hint="Choose shorter walks, or 0.",
            )
        powers.append(power)
    returns = np.stack([np.asarray(power.multiply(power).sum(axis=1)).ravel() for power in powers])
    return Walks(tuple(powers), torch.from_numpy(returns.astype(np.float32)), longest)


def walk_numbers(counted: Walks, pairs: Tensor) -> Tensor:
    """Logarithms of w_l + 10⁻⁴ with w_l = (Ã_sym^l)_ij for l = 2 … longest, and w_l / √(w_l,ii w_l,jj) for even l.

    (P, 2) -> (P, C), symmetric in the ends
    """
    ends = pairs.sort(dim=1).values.numpy()  # the sums of (i, j) and of (j, i) are then rounded alike
    weights = torch.stack([_walks_of(counted, length, ends) for length in _lengths(counted.longest)], dim=1)  # (P, W)
    back = counted.returns[:, pairs].prod(dim=2)  # (M, P)
    return walk_columns(weights, back)


def walk_columns(weights: Tensor, back: Tensor) -> Tensor:
    """The numbers of pairs from w_2 … w_longest and the products w_2m,ii w_2m,jj.  (P, W), (M, P) -> (P, C)"""
    even = weights[:, ::2]  # lengths 2, 4, 6 …
    scale = back[: even.shape[1]].T.sqrt().clamp(min=1e-12)
    return torch.cat([(weights + FLOOR).log(), even / scale], dim=1)


def walk_names(longest: int) -> list[str]:
    """What the numbers are called."""
    names = [f"logarithm of the walks of {length} steps" for length in _lengths(longest)]
    return names + [f"walks of {length} steps beside those that return" for length in _lengths(longest)[::2]]


def _lengths(longest: int) -> range:
    return range(2, longest + 1)


def _walks_of(counted: Walks, length: int, ends: Array) -> Tensor:
    """(Ã_sym^l)_ij = ⟨row i of Ã_sym^⌊l/2⌋, row j of Ã_sym^⌈l/2⌉⟩.  (P, 2) -> (P,)"""
    left, right = counted.powers[length // 2 - 1], counted.powers[-(-length // 2) - 1]
    out = np.empty(len(ends), np.float32)
    rows = (left.indptr, left.indices, left.data, right.indptr, right.indices, right.data, ends, out)
    run_spans(_row_products, rows, len(ends), fewest=FEW_PAIRS)
    return torch.from_numpy(out)


def _symmetric(normalized: Normalized) -> csr_array:
    """Ã_sym with its stored entries.  (N, N)"""
    adjacency, count = normalized.adjacency, normalized.num_nodes
    offset, neighbor = adjacency.offset.numpy(), adjacency.neighbor.numpy()
    weight = np.ones(len(neighbor), np.float32) if normalized.weight is None else normalized.weight.float().numpy()
    matrix = csr_array((weight, neighbor, offset), shape=(count, count))
    if normalized.self_loops:
        matrix = csr_array(matrix + csr_array((np.ones(count, np.float32), np.arange(count), np.arange(count + 1))))
    root = normalized.root.float().numpy()
    matrix = csr_array(matrix.multiply(root[:, None]).multiply(root[None, :]), dtype=np.float32)
    matrix.sort_indices()
    return matrix


@numba.njit(nogil=True, cache=True)
def _row_products(
    first_offset: Array,
    first_column: Array,
    first_value: Array,
    second_offset: Array,
    second_column: Array,
    second_value: Array,
    ends: Array,
    out: Array,
    start: int,
    stop: int,
) -> None:
    """Inner products of a row of one matrix with a row of another; the columns of a row are in order."""
    for place in range(start, stop):
        here, end = first_offset[ends[place, 0]], first_offset[ends[place, 0] + 1]
        there, last = second_offset[ends[place, 1]], second_offset[ends[place, 1] + 1]
        total = 0.0
        while here < end and there < last:
            if first_column[here] < second_column[there]:
                here += 1
            elif first_column[here] > second_column[there]:
                there += 1
            else:
                total += first_value[here] * second_value[there]
                here, there = here + 1, there + 1
        out[place] = total
