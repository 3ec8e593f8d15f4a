"""Skip-gram with negative sampling (Mikolov et al., 2013, Eq. 4) on walks, by plain stochastic gradient steps.

For a node c of a walk and each node x within a window around it, a step is made on

    −log σ(⟨u_x, v_c⟩) − Σ_k log σ(−⟨u_x, v_k⟩),

where u is what is kept and v is thrown away, and the negatives k are drawn once for each place of a walk and shared by
its window (Ji et al., 2016). Windows have a random reach of 1 … ``window``. One thread makes all steps, in an order
that the seed fixes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from hlgnn.baselines.skip_gram.fused_step import WIDTH, fetch_rows, fused_step, logistic_table
from hlgnn.baselines.skip_gram.noise import Noise
from hlgnn.baselines.skip_gram.random_stream import GOLDEN, below, share, stream
from hlgnn.baselines.skip_gram.walks import WalkRule, draw_walks

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.graph import Graph

    Floats = npt.NDArray[np.float32]
    Doubles = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    SmallInts = npt.NDArray[np.int32]

LAST_RATE = 1e-4
"""The rate falls to this share of the first one."""


@dataclass(frozen=True)
class SkipGramRule:
    """How vectors are learned from walks.

    Attributes:
        width: How long vectors are.
        window: The largest distance between two nodes of a walk that belong together.
        negatives: Noise nodes for each place of a walk.
        noise_power: Noise nodes are drawn with their counts to this power.
        turns: How many walks start at each node, over all.
        rate: The rate of the first step; it falls linearly.
    """

    width: int = 128
    window: int = 10
    negatives: int = 5
    noise_power: float = 0.75
    turns: int = 10
    rate: float = 0.025


def learn_vectors(graph: Graph, walk_rule: WalkRule, rule: SkipGramRule, seed: int) -> Floats:
    """A vector for each node, the same for the same seed on any number of threads.  (N, width)"""
    generator = np.random.default_rng(seed)
    inputs = ((generator.random((graph.num_nodes, rule.width)) - 0.5) / rule.width).astype(np.float32)
    outputs = np.zeros_like(inputs)
    noise: Noise | None = None
    table = logistic_table()
    for turn in range(rule.turns):
        walks = draw_walks(graph, walk_rule, seed, turn)
        if noise is None:
            noise = Noise.of_counts(np.bincount(walks.ravel(), minlength=graph.num_nodes), rule.noise_power)
        rates = np.array([_rate(rule, turn), _rate(rule, turn + 1)])
        order, key = generator.permutation(graph.num_nodes), np.uint64(generator.integers(1 << 63))
        drawn = (noise.keep, noise.other, rule.window, rule.negatives, rates, key)
        learn_walks(walks, order, inputs, outputs, *drawn, table)
    return inputs


def _rate(rule: SkipGramRule, turn: int) -> float:
    done = turn / rule.turns
    return rule.rate * (1.0 - done * (1.0 - LAST_RATE))


@njit(cache=True, nogil=True)
def learn_walks(
    walks: SmallInts,
    order: Ints,
    inputs: Floats,
    outputs: Floats,
    keep: Doubles,
    other: SmallInts,
    window: int,
    negatives: int,
    rates: Doubles,
    seed: np.uint64,
    table: Floats,
) -> None:
    """Steps along all walks, in the given order, with a rate that goes from ``rates[0]`` to ``rates[1]``."""
    length, fused = walks.shape[1], inputs.shape[1] == WIDTH
    targets, counts = np.empty((length, negatives + 1), dtype=np.int32), np.empty(length, dtype=np.int64)
    reaches = np.empty(length, dtype=np.int64)
    error, pull = np.empty(inputs.shape[1], dtype=np.float32), np.empty(negatives + 1, dtype=np.float32)
    for done in range(len(order)):
        walk = walks[order[done]]
        draw_targets(walk, keep, other, window, stream(seed, np.uint64(done)), targets, counts, reaches)
        rate = np.float32(rates[0] + (rates[1] - rates[0]) * done / len(order))
        for place in range(length):
            if fused and place + 1 < length:
                fetch_rows(outputs, targets[place + 1], counts[place + 1])
            reach = reaches[place]
            for near in range(max(0, place - reach), min(length, place + reach + 1)):
                if near == place:
                    continue
                if fused:
                    fused_step(inputs, walk[near], outputs, targets[place], counts[place], rate, table)
                else:
                    step(inputs[walk[near]], outputs, targets[place, : counts[place]], rate, error, pull)


@njit(cache=True, nogil=True)
def draw_targets(
    walk: SmallInts,
    keep: Doubles,
    other: SmallInts,
    window: int,
    state: np.uint64,
    targets: SmallInts,
    counts: Ints,
    reaches: Ints,
) -> None:
    """For each place of a walk its node and the noise beside it, how many they are, and the reach of its window."""
    for place in range(len(walk)):
        targets[place, 0], count = walk[place], 1
        for _ in range(targets.shape[1] - 1):
            state += GOLDEN
            drawn = below(state, len(keep))
            state += GOLDEN
            drawn = drawn if share(state) < keep[drawn] else other[drawn]
            if drawn != walk[place]:
                targets[place, count] = drawn
                count += 1
        state += GOLDEN
        counts[place], reaches[place] = count, 1 + below(state, window)


@njit(cache=True, nogil=True, fastmath=True)
def step(source: Floats, outputs: Floats, targets: SmallInts, rate: np.float32, error: Floats, pull: Floats) -> None:
    """One gradient step; ``targets[0]`` belongs to the source, the others do not.  (W,), (N, W), (1 + K,)"""
    width = len(source)
    for number in range(len(targets)):
        row = outputs[targets[number]]
        product = np.float32(0.0)
        for column in range(width):
            product += source[column] * row[column]
        label = np.float32(1.0) if number == 0 else np.float32(0.0)
        pull[number] = rate * (label - np.float32(1.0) / (np.float32(1.0) + np.exp(-product)))
    error[:] = 0.0
    for number in range(len(targets)):
        row, weight = outputs[targets[number]], pull[number]
        for column in range(width):
            error[column] += weight * row[column]
            row[column] += weight * source[column]
    for column in range(width):
        source[column] += error[column]
