"""What scoring pairs will take, before it is done."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from hlgnn.formulation import closed_series
from hlgnn.formulation.blocks import WIDEST, solve
from hlgnn.formulation.chain import chain_of
from hlgnn.formulation.cost import EDGE_NANOSECONDS, ENTRY_NANOSECONDS, Way, plan_pairs
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.local_rules import as_local
from hlgnn.formulation.local_sums import pair_numbers
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.operators import ADJ, ROW
from hlgnn.formulation.pair_kernels import meet
from hlgnn.formulation.series import Series
from hlgnn.formulation.shortest_path import BYTES_PER_NODE, ShortestPath
from hlgnn.formulation.symmetrized import Symmetrized, finite, reversal
from hlgnn.graph import Graph
from hlgnn.graph.threads import num_threads

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from hlgnn.formulation.blocks import BlockPlan
    from hlgnn.formulation.heuristic import Heuristic
    from hlgnn.formulation.solved_series import Equations

# A pair of a local heuristic: looking it up, then its neighbours; and the bytes of its place in a group.
PAIR_NANOSECONDS, NEIGHBOR_NANOSECONDS, PAIR_BYTES = 100.0, 2.0, 128


@dataclass(frozen=True)
class Estimate:
    """What work will take.

    Attributes:
        seconds: About how long, on this machine; the truth is rarely three times more or less.
        bytes: Workspace beside the graph and the scores.
        way: How it is done: "local", "meet", "lanes", "rows", "columns", "search", "closed" or "solved".
    """

    seconds: float
    bytes: int
    way: Way


class Speed(NamedTuple):
    """Nanoseconds on one thread: along an edge of a sparse vector, and for an entry of a dense block."""

    step: float
    entry: float


def estimate(heuristic: Heuristic, graph: Graph, pairs: Tensor, *, memory: int = DEFAULT_MEMORY) -> Estimate:
    """What ``heuristic.scores(graph, pairs, memory=memory)`` will take.

    Raises:
        SettingsError: If ``memory`` is too little, as the work itself would.

    Example:
        >>> from hlgnn.formulation.heuristics import common_neighbors
        >>> from hlgnn.graph import star
        >>> estimate(common_neighbors(), star(3), torch.tensor([[1, 2]])).way
        'local'
    """
    numbers = torch.from_numpy(pair_numbers(pairs, graph.num_nodes))
    one_way = heuristic.one_way if isinstance(heuristic, Symmetrized) else heuristic
    if isinstance(one_way, Formulation | Series):
        formulation = finite(one_way, graph)
        if isinstance(one_way, Series) and one_way.is_closed(graph, numbers, formulation.depth, memory):
            return _estimate_closed(graph.num_nodes)
        if isinstance(one_way, Series) and (found := one_way.equations(graph, numbers, formulation.depth, memory)):
            return _estimate_solved(found, memory)
        twice = isinstance(heuristic, Symmetrized) and reversal(formulation) is None
        if as_local(formulation) is None:
            return _estimate_formulation(formulation, graph, numbers, memory, times=2 if twice else 1)
    if isinstance(heuristic, ShortestPath):
        return _estimate_search(graph, numbers)
    fewer = graph.degree[numbers].min(dim=1).values if len(numbers) else torch.zeros(0)
    nanoseconds = PAIR_NANOSECONDS * len(numbers) + NEIGHBOR_NANOSECONDS * float(fewer.sum())
    return Estimate(nanoseconds * 1e-9 / num_threads(), PAIR_BYTES * len(numbers), "local")


def _estimate_closed(nodes: int) -> Estimate:
    seconds = closed_series.NANOSECONDS * nodes**3 * 1e-9 / num_threads()
    return Estimate(seconds, 8 * closed_series.MATRICES * nodes**2, "closed")


def _estimate_solved(equations: Equations, memory: int) -> Estimate:
    """Most graphs need about half of the steps that would always suffice."""
    plan = equations.plan(memory)
    nanoseconds = equations.edges / 2 * measured_speed().entry * narrowness(plan)
    return Estimate(nanoseconds * 1e-9 / plan.at_once, plan.size, "solved")


def narrowness(plan: BlockPlan) -> float:
    """How much longer an entry of such blocks takes than one of the widest."""
    return (ENTRY_NANOSECONDS + EDGE_NANOSECONDS / plan.width) / (ENTRY_NANOSECONDS + EDGE_NANOSECONDS / WIDEST)


def _estimate_formulation(
    formulation: Formulation, graph: Graph, pairs: Tensor, memory: int, *, times: int
) -> Estimate:
    if len(pairs) == 0:
        return Estimate(0.0, 0, "meet")
    chain = chain_of(formulation, graph)
    left, right = pairs.flip(1).numpy().T if chain.flipped else pairs.numpy().T
    plan = plan_pairs(chain, np.ascontiguousarray(left), np.ascontiguousarray(right), memory)
    speed, threads = measured_speed(), num_threads()
    nanoseconds = plan.steps * speed.step
    if plan.blocks is not None:
        nanoseconds = plan.steps * speed.entry * narrowness(plan.blocks)
        threads = plan.blocks.at_once
    return Estimate(times * nanoseconds * 1e-9 / threads, plan.size, plan.way)


def _estimate_search(graph: Graph, pairs: Tensor) -> Estimate:
    """Searches from both ends follow about the edges of two hops, and never more than all."""
    edges = graph.adjacency.num_edges
    mean = edges / max(1, graph.num_nodes)
    steps = float(((1 + mean) * graph.degree[pairs].sum(dim=1)).clamp(max=edges).sum())
    return Estimate(steps * measured_speed().step * 1e-9 / num_threads(), BYTES_PER_NODE * graph.num_nodes, "search")


@cache
def measured_speed() -> Speed:
    """How fast this machine is, from a few milliseconds of work on a random graph."""
    num_nodes, num_links, short, long = 50_000, 200_000, 3, 8
    generator = torch.Generator().manual_seed(0)
    graph = Graph.from_edges(num_nodes, torch.randint(num_nodes, (num_links, 2), generator=generator))
    chain = chain_of(Formulation("short", (ADJ,) * short, (1.0,) * (short + 1)), graph)
    deep = chain_of(Formulation("long", (ROW,) * long, (1.0,) * (long + 1)), graph)
    nodes = torch.randperm(num_nodes, generator=generator)[:400].numpy()
    plan = plan_pairs(chain, nodes[:200], nodes[200:], DEFAULT_MEMORY)
    out = np.empty(200)
    meeting = _shortest(
        lambda: meet(chain.weights, chain.operators, chain.betas, plan.middle, nodes[:200], nodes[200:], out)
    )
    block = _shortest(lambda: solve(deep, nodes[:WIDEST], rows=True))
    return Speed(meeting / plan.steps, block / (long * WIDEST * chain.num_edges))


def _shortest(work: Callable[[], object]) -> float:
    """The nanoseconds of the fastest of three runs; the first one may have to compile."""
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken) * 1e9
