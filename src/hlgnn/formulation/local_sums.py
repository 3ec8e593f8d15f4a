"""Sums over the common neighbours of millions of pairs."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.formulation.local_kernels import group_pairs, sum_common
from hlgnn.graph.threads import num_threads, run_all
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

# Grouping needs 12 bytes of scratch for each pair of a block; blocks are also the steps in which progress is told.
PAIRS_AT_ONCE = 1 << 22
# Fewer pairs are finished before a second thread has started.
LEAST_PAIRS_FOR_THREADS = 4096
# More ranges than threads: a thread that is held up by another process leaves the rest to the others.
RANGES_PER_THREAD = 4
# What a pair costs beside the neighbours that are walked, counted in neighbours.
COST_OF_A_PAIR = 8
# The cost of every so-manieth pair stands for that of its neighbours in the order of work.
COST_SAMPLE = 64


def local_sums(normalized: Normalized, pairs: Tensor, values: Tensor, *, progress: Progress = silent) -> Tensor:
    """Σ_k ã_ik ã_kj values[m, k] for every pair (i, j), all M sums in one pass.  (P, 2), (M, N) -> (P, M)

    This is entry (i, j) of Ã diag(values[m]) Ã, in double precision. With ``normalized.self_loops`` a node is its own
    neighbour: the link (i, j) then has the terms k = i and k = j too, and i = j sums over the closed neighbourhood.

    Pairs come in any order, may repeat, and have any integer type. Each costs the degree of its end with fewer
    neighbours; the sums do not depend on the number of threads, nor on which end comes first.

    Args:
        normalized: The graph.
        pairs: The pairs (i, j).  (P, 2)
        values: What a common neighbour counts, one row for each sum.  (M, N)
        progress: Told the number of finished pairs.

    Example:
        >>> from hlgnn.formulation.normalization import normalize
        >>> from hlgnn.graph import star
        >>> graph = normalize(star(leaves=4).adjacency)
        >>> values = torch.stack([torch.ones(5), graph.inverse])
        >>> local_sums(graph, torch.tensor([[1, 2]]), values)  # one common neighbour, of degree 4 + 1
        tensor([[1.0000, 0.2000]], dtype=torch.float64)
    """
    numbers = pair_numbers(pairs, normalized.num_nodes)  # (P, 2)
    blocks = _columns_in_fours(values, normalized.num_nodes)  # (⌈M / 4⌉, N, 4)
    sums = np.empty((len(numbers), len(values)))
    for start in range(0, len(numbers), PAIRS_AT_ONCE):
        stop = min(start + PAIRS_AT_ONCE, len(numbers))
        if len(values) > 0:
            _sum_block(normalized, numbers[start:stop], blocks, sums[start:stop])
        progress("common neighbours", stop, len(numbers))
    return torch.from_numpy(sums)


def pair_numbers(pairs: Tensor, num_nodes: int) -> Ints:
    """Pairs as an array that kernels may trust: whole numbers in a table of two columns, all of them nodes.  (P, 2)"""
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise GraphFormatError(f"Pairs have the shape (P, 2), not {tuple(pairs.shape)}.")
    if pairs.is_floating_point() or pairs.is_complex() or pairs.dtype == torch.bool:
        raise GraphFormatError(f"Pairs are numbers of nodes, not {pairs.dtype}.", hint="Convert them with .long().")
    numbers = np.ascontiguousarray(pairs.numpy(), dtype=np.int64)
    if len(numbers) > 0 and (numbers.min() < 0 or numbers.max() >= num_nodes):
        outside = (numbers < 0) | (numbers >= num_nodes)
        row = int(outside.any(axis=1).argmax())
        raise GraphFormatError(
            f"There is no node {numbers[row][outside[row]][0]}.",
            where=f"pair {row}",
            hint=f"Nodes are numbered from 0 to {num_nodes - 1}.",
        )
    return numbers


def _columns_in_fours(values: Tensor, num_nodes: int) -> Floats:
    """Rows of values as columns of a node, four side by side, completed with zeros.  (M, N) -> (⌈M / 4⌉, N, 4)"""
    if values.ndim != 2 or values.shape[1] != num_nodes:
        raise SettingsError(f"Values have the shape (M, {num_nodes}), not {tuple(values.shape)}.")
    count = len(values)
    columns = np.zeros((-(-count // 4), num_nodes, 4))
    for row in range(count):
        columns[row // 4, :, row % 4] = values[row].numpy()
    return columns


def _sum_block(normalized: Normalized, pairs: Ints, values: Floats, sums: Floats) -> None:
    """Group one block of pairs, and let every thread sum up ranges of it."""
    adjacency = normalized.adjacency
    offset, neighbor = adjacency.offset.numpy(), adjacency.neighbor.numpy()
    weight = None if normalized.weight is None else normalized.weight.double().numpy()
    degree = np.diff(offset).astype(np.int32)
    start, order, small = group_pairs(pairs, degree)

    def work(begin: int, end: int) -> None:
        size = normalized.num_nodes
        mark = np.zeros(size, dtype=np.uint8) if weight is None else np.zeros(size)
        loop = float(normalized.self_loops)
        sum_common(offset, neighbor, weight, start, order, small, values, loop, begin, end, mark, sums)

    run_all(work, _ranges_of_equal_cost(degree[small[::COST_SAMPLE]], len(pairs)))


def _ranges_of_equal_cost(sampled_degree: npt.NDArray[np.int32], num_pairs: int) -> list[tuple[int, int]]:
    """Cut the grouped pairs where the sampled costs, summed up, are about equal."""
    if num_pairs < LEAST_PAIRS_FOR_THREADS or num_threads() == 1:
        return [(0, num_pairs)]
    cost = np.cumsum(sampled_degree + COST_OF_A_PAIR, dtype=np.int64)
    ranges = num_threads() * RANGES_PER_THREAD
    cuts = np.searchsorted(cost, cost[-1] * np.arange(1, ranges) // ranges) * COST_SAMPLE
    bounds = [0, *cuts.tolist(), num_pairs]
    return [(begin, end) for begin, end in itertools.pairwise(bounds) if begin < end]
