"""A list of edges as an undirected simple graph in compressed sparse rows."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlgnn.errors import GraphFormatError
from hlgnn.graph.build_kernels import count_smaller, fill_rows, merge_rows, scatter_keys
from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    import numpy.typing as npt

# Keys hold a node and a direction in 32 bits, and neighbours are 32-bit integers.
MOST_NODES = 2**31 - 1


class CsrBuild(NamedTuple):
    """An undirected simple graph: row i lists the neighbours of node i, ascending; every link is stored twice.

    Attributes:
        offset: Where each row begins.  (N + 1,)
        neighbor: The rows, one behind the other.  (E,)
        weight: The weight of each entry, or None.  (E,)
        self_loops: Rows of the input that joined a node to itself.
        repeats: Rows that stated again a link from the same source to the same target.
        both_directions: Links that were stated from either end.
    """

    offset: npt.NDArray[np.int64]
    neighbor: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float32] | None
    self_loops: int
    repeats: int
    both_directions: int


def build_csr(
    num_nodes: int,
    source: npt.NDArray[np.integer[Any]],
    target: npt.NDArray[np.integer[Any]],
    weight: npt.NDArray[np.float32] | None = None,
) -> CsrBuild:
    """The undirected simple graph that rows (source, target) state, whatever their order.

    The weight of {i, j} is max(Σ w(i→j), Σ w(j→i)): rows that repeat a direction add up, and a list that states both
    directions of every link is not counted double.

    Raises:
        GraphFormatError: If an end is not in 0 … num_nodes − 1, or lengths differ.

    Example:
        >>> graph = build_csr(3, np.array([0, 2, 2, 1]), np.array([2, 0, 1, 1]))
        >>> graph.offset.tolist(), graph.neighbor.tolist()
        ([0, 1, 2, 4], [2, 2, 0, 1])
        >>> graph.self_loops, graph.repeats, graph.both_directions
        (1, 0, 1)
    """
    _check(num_nodes, source, target, weight)
    weights = np.empty(0, np.float32) if weight is None else np.ascontiguousarray(weight, np.float32)
    self_loops, upper, keys, moved = _bucket(num_nodes, source, target, weights)
    kept, lower, bounds, directed = _merge(upper, keys, moved)
    final = _offsets(lower.sum(axis=0) + kept)  # (N + 1,)
    neighbor = np.empty(final[-1], np.int32)
    out = np.empty(final[-1] if weight is not None else 0, np.float32)
    cursor = _cursors(final, lower)
    run_all(
        fill_rows,
        [
            (upper, start, stop, keys, moved, kept, cursor[part], final, neighbor, out)
            for part, (start, stop) in enumerate(bounds)
        ],
    )
    if not np.isfinite(out).all():
        raise GraphFormatError(
            "The weights of a link add up to more than single precision holds (3.4e38).",
            where="weights",
            hint="Divide all weights by the same number.",
        )
    return CsrBuild(
        offset=final,
        neighbor=neighbor,
        weight=None if weight is None else out,
        self_loops=self_loops,
        repeats=len(source) - self_loops - directed,
        both_directions=directed - len(neighbor) // 2,
    )


def _check(num_nodes: int, source: npt.NDArray[Any], target: npt.NDArray[Any], weight: npt.NDArray[Any] | None) -> None:
    lengths = {len(source), len(target), len(source if weight is None else weight)}
    if len(lengths) > 1:
        raise GraphFormatError(
            f"There are {len(source)} sources, {len(target)} targets"
            + ("." if weight is None else f" and {len(weight)} weights."),
            hint="Give one of each for every edge.",
        )
    if num_nodes > MOST_NODES:
        raise GraphFormatError(f"A graph of {num_nodes} nodes is too large.", hint=f"At most {MOST_NODES} nodes fit.")


def _parts(num_nodes: int, rows: int) -> int:
    """How many threads share the rows: counters of their own must not cost more than the rows themselves."""
    return max(1, min(num_threads(), rows // (num_nodes + 1)))


def _bucket(
    num_nodes: int, source: npt.NDArray[Any], target: npt.NDArray[Any], weight: npt.NDArray[np.float32]
) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
    """Number of self-loops, and the keys and weights of all other rows, sorted by smaller end, in their order."""
    bounds = spans(len(source), _parts(num_nodes, len(source)))
    counts = np.zeros((len(bounds), num_nodes), np.int32)
    cut = [(source[start:stop], target[start:stop], weight[start:stop]) for start, stop in bounds]
    loops = run_all(count_smaller, [(s, t, num_nodes, counts[part]) for part, (s, t, _) in enumerate(cut)])
    if -1 in loops:
        raise _outside(num_nodes, source, target)
    offset = _offsets(counts.sum(axis=0))
    keys = np.empty(offset[-1], np.uint32)
    moved = np.empty(offset[-1] if len(weight) else 0, np.float32)
    cursor = _cursors(offset, counts)
    run_all(scatter_keys, [(s, t, w, cursor[part], keys, moved) for part, (s, t, w) in enumerate(cut)])
    return sum(loops), offset, keys, moved


def _merge(
    offset: npt.NDArray[np.int64], keys: npt.NDArray[np.uint32], weight: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], list[tuple[int, int]], int]:
    """Merge the repeats of every row.

    Returns:
        Links per row (N,), links that point at each node (parts, N), the rows of each part, distinct directed pairs.
    """
    num_nodes = len(offset) - 1
    shares = np.linspace(0, offset[-1], _parts(num_nodes, len(keys)) + 1)[1:-1]
    ends = [0, *np.searchsorted(offset, shares).tolist(), num_nodes]
    bounds = list(itertools.pairwise(ends))
    kept = np.empty(num_nodes, np.int32)
    lower = np.zeros((len(bounds), num_nodes), np.int32)
    directed = run_all(
        merge_rows,
        [(offset, start, stop, keys, weight, kept, lower[part]) for part, (start, stop) in enumerate(bounds)],
    )
    return kept, lower, bounds, sum(directed)


def _offsets(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where rows of these lengths begin: (N,) -> (N + 1,)."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def _cursors(offset: npt.NDArray[np.int64], counts: npt.NDArray[np.int32]) -> npt.NDArray[Any]:
    """Where each part begins to write in each row: behind what the parts before it write there: (parts, N)."""
    kind = np.int32 if offset[-1] < 2**31 else np.int64  # what is smaller stays nearer to the processor
    cursor = np.empty((max(1, len(counts)), len(offset) - 1), kind)
    cursor[0] = offset[:-1]
    for part in range(1, len(cursor)):
        np.add(cursor[part - 1], counts[part - 1], out=cursor[part])
    return cursor


def _outside(num_nodes: int, source: npt.NDArray[Any], target: npt.NDArray[Any]) -> GraphFormatError:
    """The error for the first row with an end that is no node."""
    wrong = (np.minimum(source, target) < 0) | (np.maximum(source, target) >= num_nodes)
    row = int(np.flatnonzero(wrong)[0])
    return GraphFormatError(
        f"The edge ({source[row]}, {target[row]}) leaves the nodes 0 … {num_nodes - 1}.",
        where=f"edge {row}",
        hint="Number the nodes from 0, or give a larger number of nodes.",
    )
