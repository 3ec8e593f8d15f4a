"""Second-order random walks (Grover and Leskovec, 2016, Sect. 3.2), exact and without tables of probabilities.

A walk that came from t to v goes on to a neighbour x of v with a weight of 1/p if x = t, of 1 if x is a neighbour of t,
and of 1/q otherwise. A neighbour is drawn uniformly and kept with its weight over the largest one; else it is drawn
again. With p = q = 1 every draw is kept: the uniform walk of DeepWalk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.baselines.skip_gram.random_stream import GOLDEN, below, share, stream
from hlgnn.graph.threads import run_all, spans

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.graph import Graph

    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]

# Parts that a set of walks is cut into; no result depends on it.
PARTS = 16


@dataclass(frozen=True)
class WalkRule:
    """How walks go.

    Attributes:
        length: How many nodes a walk has, the first one included.
        back: p; the larger, the less often a walk returns to where it came from.
        out: q; the larger, the more a walk stays near where it came from.
    """

    length: int
    back: float = 1.0
    out: float = 1.0


def draw_walks(graph: Graph, rule: WalkRule, seed: int, turn: int = 0) -> SmallInts:
    """One walk from every node; a walk that cannot leave its node stays there.  (N, length)

    Args:
        graph: Where to walk; weights of links are not read.
        rule: Length, p and q.
        seed: What is drawn from.
        turn: Which of several sets of walks; each has streams of its own.
    """
    offset, neighbor = graph.adjacency.offset.numpy(), graph.adjacency.neighbor.numpy()
    walks = np.empty((graph.num_nodes, rule.length), dtype=np.int32)
    run_all(
        _walk_from,
        (
            (offset, neighbor, walks, start, stop, rule.back, rule.out, np.uint64(seed), turn)
            for start, stop in spans(graph.num_nodes, PARTS)
        ),
    )
    return walks


@njit(cache=True, nogil=True)
def _walk_from(
    offset: Ints,
    neighbor: SmallInts,
    walks: SmallInts,
    start: int,
    stop: int,
    back: float,
    out: float,
    seed: np.uint64,
    turn: int,
) -> None:
    """The walks from the nodes ``start`` … ``stop`` − 1."""
    most = max(1.0, 1.0 / back, 1.0 / out)
    chances = (1.0 / (back * most), 1.0 / most, 1.0 / (out * most))
    for node in range(start, stop):
        state = stream(seed, np.uint64(turn * (len(offset) - 1) + node))
        _walk(offset, neighbor, walks[node], node, chances, state)


@njit(cache=True, nogil=True)
def _walk(
    offset: Ints,
    neighbor: SmallInts,
    walk: SmallInts,
    node: int,
    chances: tuple[float, float, float],
    state: np.uint64,
) -> None:
    """One walk; ``chances`` are those of a node to be kept: the last one, a neighbour of it, any other."""
    walk[0] = node
    least = min(chances[0], chances[1], chances[2])
    for step in range(1, len(walk)):
        at = walk[step - 1]
        first, degree = offset[at], offset[at + 1] - offset[at]
        if degree == 0:
            walk[step] = at
            continue
        while True:
            state += GOLDEN
            drawn = neighbor[first + below(state, degree)]
            if step == 1 or least == 1.0:
                break
            state += GOLDEN
            chance = share(state)
            if chance < least or chance < _chance(offset, neighbor, walk[step - 2], drawn, chances):
                break
        walk[step] = drawn


@njit(cache=True, nogil=True)
def _chance(offset: Ints, neighbor: SmallInts, last: int, drawn: int, chances: tuple[float, float, float]) -> float:
    """How often a draw is kept, after a step from ``last``; looks it up among the sorted neighbours of ``last``."""
    if drawn == last:
        return chances[0]
    low, high = offset[last], offset[last + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbor[middle] < drawn:
            low = middle + 1
        else:
            high = middle
    return chances[1] if low < offset[last + 1] and neighbor[low] == drawn else chances[2]
