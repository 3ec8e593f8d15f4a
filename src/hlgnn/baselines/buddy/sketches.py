"""MinHash and HyperLogLog sketches of the neighbourhoods of all nodes (Chamberlain et al., 2023, Sect. 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.baselines.buddy.cardinality import count_rows, count_tables
from hlgnn.baselines.buddy.hashes import first_minhashes, first_registers
from hlgnn.baselines.buddy.sketch_kernels import largest_rows, sketched_intersections, smallest_rows
from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.baselines.buddy.settings import BuddySettings
    from hlgnn.graph import Graph

# More ranges than threads: rows and pairs do not all cost the same.
RANGES_PER_THREAD = 4
# Fewer pairs are finished before a second thread has started.
LEAST_PAIRS_FOR_THREADS = 512


@dataclass(frozen=True, eq=False)
class Sketches:
    """Closed neighbourhoods N_1 … N_K of all nodes, each node in its own.

    They take K (4 · permutations + 2^p) bytes for each node. The share of equal values of two MinHashes has the
    standard error √(J (1 − J) / permutations) around Jaccard's index J; sizes have that of ``cardinality``.

    Attributes:
        hashes: The smallest hash of a neighbourhood under each permutation.  (K, N, permutations)
        registers: Its HyperLogLog registers.  (K, N, 2^p)
        sizes: Its estimated size.  (N, K), float64
        tables: What sizes are estimated with.
    """

    hashes: npt.NDArray[np.uint32]
    registers: npt.NDArray[np.uint8]
    sizes: Tensor
    tables: tuple[npt.NDArray[np.float64], ...]

    def intersections(self, pairs: Tensor) -> Tensor:
        """Estimates of |N_k(i) ∩ N_l(j)|.  (P, 2) -> (P, K, K), float64"""
        hops = len(self.hashes)
        result = np.empty((len(pairs), hops, hops))
        ends = np.ascontiguousarray(pairs.numpy(), dtype=np.int64)
        run_ranges(sketched_intersections, (ends, self.hashes, self.registers, *self.tables, result), len(pairs))
        return torch.from_numpy(result)


def build_sketches(graph: Graph, settings: BuddySettings) -> Sketches:
    """K passes over the links: the sketch of a union is the minimum, or maximum, of the sketches."""
    count = graph.num_nodes
    tables = count_tables(settings.precision)
    smallest = first_minhashes(count, settings.permutations, settings.sketch_seed)
    largest = first_registers(count, settings.precision)
    hashes = np.empty((settings.hops, *smallest.shape), dtype=np.uint32)
    registers = np.empty((settings.hops, *largest.shape), dtype=np.uint8)
    sizes = np.empty((settings.hops, count))
    links = graph.adjacency.offset.numpy(), graph.adjacency.neighbor.numpy()
    for hop in range(settings.hops):
        run_ranges(smallest_rows, (*links, smallest, hashes[hop]), count, least=1)
        run_ranges(largest_rows, (*links, largest, registers[hop]), count, least=1)
        run_ranges(count_rows, (registers[hop], *tables, sizes[hop]), count, least=1)
        smallest, largest = hashes[hop], registers[hop]
    return Sketches(hashes, registers, torch.from_numpy(np.ascontiguousarray(sizes.T)), tables)


def run_ranges(
    kernel: Callable[..., None], arguments: tuple[Any, ...], length: int, *, least: int = LEAST_PAIRS_FOR_THREADS
) -> None:
    """Run a kernel that takes a range last, on several threads unless there is little to do."""
    parts = 1 if length <= least else RANGES_PER_THREAD * num_threads()
    run_all(kernel, [(*arguments, start, stop) for start, stop in spans(length, parts)])
