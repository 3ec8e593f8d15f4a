"""Which way to score pairs is cheapest, counted in steps along edges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numba import njit

from hlgnn.formulation.blocks import BlockPlan, plan_blocks
from hlgnn.formulation.memory import most_columns
from hlgnn.graph.threads import num_threads

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.chain import Chain, Floats, Nodes, Weights

    SmallInts = npt.NDArray[np.int32]

Way = Literal["local", "meet", "lanes", "rows", "columns", "search", "closed", "solved"]

# Beyond this depth both halves of a walk have long filled the graph.
DEEPEST_MEETING = 8
# A sparse vector costs a random access where a dense block streams: measured, and only a guide to the choice.
STEP_NANOSECONDS = 6.0
ENTRY_NANOSECONDS = 0.8
EDGE_NANOSECONDS = 3.0
# Costs of long lists are taken from this many of their pairs.
SAMPLED_PAIRS = 20_000
# What growing two sparse vectors takes for each node: four vectors and their supports.
MEETING_BYTES = 48


@dataclass(frozen=True)
class Plan:
    """How pairs are scored.

    Attributes:
        way: "meet": sparse vectors from both ends; "lanes": dense ones; "rows" or "columns": dense blocks of
            sources or of targets; "local": a merge of two neighbourhoods; "search": breadth first; "closed": one dense
            inverse; "solved": equations for some of its columns.
        steps: How many edges are followed, or in blocks how many entries are multiplied.
        nanoseconds: What that takes on one thread of a typical machine.
        size: Bytes of workspace.
        middle: How many hops the left vector makes.
        by_target: Whether pairs with the same target stand together, rather than those with the same source.
        blocks: The size of dense blocks.
    """

    way: Way
    steps: float
    nanoseconds: float
    size: int
    middle: int = 0
    by_target: bool = False
    blocks: BlockPlan | None = None


def plan_pairs(chain: Chain, left: Nodes, right: Nodes, memory: int) -> Plan:
    """The cheapest way to the entries of C at (left, right).

    Raises:
        SettingsError: If ``memory`` is too little for every way.
    """
    num_rows, num_columns = len(np.unique(left)), len(np.unique(right))
    if chain.depth > DEEPEST_MEETING or MEETING_BYTES * chain.num_nodes > memory:
        return plan_dense(chain, num_rows, num_columns, memory)
    step = max(1, len(left) // SAMPLED_PAIRS)
    ends = np.concatenate([left[::step], right[::step]])
    hops = hop_costs(chain.weights, ends, chain.depth, float(chain.num_edges))  # (L, 2 S): edges followed by hop h
    sampled = len(ends) // 2
    growth = Growth(hops[:, :sampled], hops[:, sampled:], len(left), num_rows, num_columns)
    plans = [_plan_sparse(chain, growth, memory), plan_dense(chain, num_rows, num_columns, memory, growth)]
    if chain.depth > 0:
        plans.append(_plan_lanes(chain, growth, memory))
    return min(plans, key=lambda plan: plan.nanoseconds)


class Growth(NamedTuple):
    """How vectors grow from the ends of pairs.

    Attributes:
        left: Edges that the h-th hop follows from the left ends of some of the pairs.  (L, S)
        right: The same from their right ends.  (L, S)
        num_pairs: How many pairs there are in all.
        num_rows: How many different left ends.
        num_columns: How many different right ends.
    """

    left: Floats
    right: Floats
    num_pairs: int
    num_rows: int
    num_columns: int

    def passes(self, side: Floats, hops: int, width: int, num_edges: int) -> float:
        """What ``hops`` hops of a block cost, counted in passes over all edges: early hops reach little."""
        return float(np.minimum(1.0, width * side[:hops].mean(axis=1) / max(1, num_edges)).sum())


def plan_dense(chain: Chain, num_rows: int, num_columns: int, memory: int, growth: Growth | None = None) -> Plan:
    """Dense blocks of the rows or of the columns of C, whichever are fewer."""
    by_rows = num_rows <= num_columns
    count = min(num_rows, num_columns)
    blocks = plan_blocks(chain, count, memory, rows=by_rows)
    passes = float(chain.depth)
    if growth is not None:
        side = growth.left if by_rows else growth.right
        passes = growth.passes(side, chain.depth, blocks.width, chain.num_edges)
    return _dense_plan("rows" if by_rows else "columns", chain, count * passes, blocks)


def _plan_lanes(chain: Chain, growth: Growth, memory: int) -> Plan:
    """The best place to meet for dense lanes, one for each pair."""
    blocks = plan_blocks(chain, growth.num_pairs, memory, rows=True, copies=1)
    measure = partial(growth.passes, width=blocks.width, num_edges=chain.num_edges)
    costs = []
    for middle in range(chain.depth):
        rest = chain.depth - middle - 1
        between = min(growth.left[middle].mean(), growth.right[rest].mean())
        meeting = min(1.0, blocks.width * float(between) / max(1, chain.num_edges))
        costs.append(measure(growth.left, middle) + measure(growth.right, rest) + meeting)
    middle = int(np.argmin(costs))
    return replace(_dense_plan("lanes", chain, growth.num_pairs * costs[middle], blocks), middle=middle)


def _dense_plan(way: Way, chain: Chain, passes: float, blocks: BlockPlan) -> Plan:
    entries = passes * chain.num_edges
    nanoseconds = entries * (ENTRY_NANOSECONDS + EDGE_NANOSECONDS / blocks.width)
    return Plan(way, entries, nanoseconds, blocks.size, blocks=blocks)


def _plan_sparse(chain: Chain, growth: Growth, memory: int) -> Plan:
    """The best place to meet for sparse vectors, and the side that is grown once."""
    zero = np.zeros((1, growth.left.shape[1]))
    left = np.concatenate([zero, np.cumsum(growth.left, axis=0)])  # (L + 1, S)
    right = np.concatenate([zero, np.cumsum(growth.right, axis=0)])
    best = (np.inf, 0, False)
    for middle in range(chain.depth + 1):
        rest = chain.depth - middle - 1
        from_left, from_right, between = float(left[middle].mean()), 0.0, 0.0
        if rest >= 0:
            from_right = float(right[rest].mean())
            between = growth.num_pairs * float(np.minimum(growth.left[middle], growth.right[rest]).mean())
        by_source = growth.num_rows * from_left + growth.num_pairs * from_right + between
        by_target = growth.num_pairs * from_left + growth.num_columns * from_right + between
        best = min(best, (by_source, middle, False), (by_target, middle, True))
    size = MEETING_BYTES * chain.num_nodes
    at_once = min(num_threads(), most_columns(memory, 0, size, what="sparse vectors"))
    return Plan("meet", best[0], best[0] * STEP_NANOSECONDS, size * at_once, best[1], best[2])


def hop_costs(weights: Weights, ends: Nodes, depth: int, most: float) -> Floats:
    """How many edges the h-th hop from each end follows, at most: the walks of length h, or all edges.  (S,) -> (L, S)

    Three hops are counted; from then on they multiply by the neighbours that the end of an edge has on average.
    """
    degree = np.diff(weights.offset) + weights.loop
    branching = float((degree**2).sum()) / max(1.0, float(degree.sum()))
    costs = np.empty((depth, len(ends)))
    counted = walk_counts(weights, ends, most)  # (3, S)
    costs[:3] = counted[:depth]
    for hop in range(3, depth):
        costs[hop] = np.minimum(costs[hop - 1] * max(1.0, branching), most)
    return costs


@njit(cache=True, nogil=True)
def walk_counts(weights: Weights, ends: Nodes, most: float) -> Floats:
    """The number of walks of length 1, 2 and 3 from each end, or ``most`` if there are more.  (S,) -> (3, S)"""
    offset, neighbor, loop = weights[0], weights[1], weights[3]
    second = np.full(len(offset) - 1, -1.0)  # walks of length two from the nodes that are asked for
    counts = np.empty((3, len(ends)))
    for position in range(len(ends)):
        end = ends[position]
        total = loop * _two_steps(offset, neighbor, loop, end, second)
        for edge in range(offset[end], offset[end + 1]):
            total += _two_steps(offset, neighbor, loop, neighbor[edge], second)
        counts[0, position] = min(float(offset[end + 1] - offset[end]) + loop, most)
        counts[1, position] = min(_two_steps(offset, neighbor, loop, end, second), most)
        counts[2, position] = min(total, most)
    return counts


@njit(cache=True, nogil=True)
def _two_steps(offset: Nodes, neighbor: SmallInts, loop: float, node: int, known: Floats) -> float:
    """Walks of length two from a node: the degrees of its neighbours, summed up once."""
    if known[node] < 0.0:
        total = loop * (float(offset[node + 1] - offset[node]) + loop)
        for edge in range(offset[node], offset[node + 1]):
            total += float(offset[neighbor[edge] + 1] - offset[neighbor[edge]]) + loop
        known[node] = total
    return float(known[node])
