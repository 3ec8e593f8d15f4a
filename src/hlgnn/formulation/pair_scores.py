"""H_ij for lists of pairs: never more than a few columns of N scores at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.formulation.blocks import entries_of_blocks, solve
from hlgnn.formulation.chain import chain_of
from hlgnn.formulation.cost import MEETING_BYTES, plan_pairs
from hlgnn.formulation.lane_kernels import meet_lanes
from hlgnn.formulation.local_rules import as_local
from hlgnn.formulation.local_scores import score_rules
from hlgnn.formulation.local_sums import pair_numbers
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.pair_kernels import meet
from hlgnn.graph.threads import run_all, spans
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.blocks import BlockPlan
    from hlgnn.formulation.chain import Chain, Floats, Nodes
    from hlgnn.formulation.cost import Plan
    from hlgnn.formulation.formulation import Formulation
    from hlgnn.graph import Graph

# So much work on one thread lies between two signs of progress.
ROUND_NANOSECONDS = 5e8
# So many pairs pass through a lane between two of them.
PAIRS_PER_LANE = 8
# Marks of sparse vectors are counted in 32 bits.
MOST_PAIRS_AT_ONCE = 1 << 20


def pair_scores(
    formulation: Formulation,
    graph: Graph,
    pairs: Tensor,
    *,
    memory: int = DEFAULT_MEMORY,
    single: bool = False,
    progress: Progress = silent,
) -> Tensor:
    """H_ij of each pair (i, j), in double precision (Eq. 1).  (P, 2) -> (P,)

    Two steps are a sum over common neighbours; a few more grow vectors from both ends until they meet; long
    products multiply dense blocks of the rows or columns that are asked for. Which way is cheaper is estimated from the
    walks of the graph; the scores are the same to rounding, whatever the way, the threads and the memory.

    Args:
        formulation: What to compute.
        graph: On which graph.
        pairs: For which pairs.
        memory: About how many bytes may be used at once.
        single: Whether dense blocks are in single precision: half the memory, right to about six digits.
        progress: Told about each round of work.

    Raises:
        GraphFormatError: If a node does not exist.
        SettingsError: If ``memory`` is too little.

    Example:
        >>> from hlgnn.formulation.heuristics import katz
        >>> from hlgnn.graph import path
        >>> pair_scores(katz(gamma=0.5, order=3, self_loops=False), path(3), torch.tensor([[0, 2], [0, 1]])).tolist()
        [0.25, 0.75]
    """
    rule = as_local(formulation)
    if rule is not None:
        return score_rules(graph, pairs, [rule], memory=memory, progress=progress)[0]
    wanted = pair_numbers(pairs, graph.num_nodes)  # (P, 2)
    chain = chain_of(formulation, graph)
    left, right = (wanted[:, 1], wanted[:, 0]) if chain.flipped else (wanted[:, 0], wanted[:, 1])
    what = f"Scores of {formulation.name}"
    scores = np.zeros(len(wanted))
    if len(wanted):
        plan = plan_pairs(chain, left, right, memory)
        if single and plan.blocks is not None:
            chain = chain_of(formulation, graph, dtype=torch.float32)
        if plan.blocks is None:
            scores = _score_by_meeting(chain, left, right, plan, progress, what)
        elif plan.way == "lanes":
            scores = _score_by_lanes(chain, left, right, plan.middle, plan.blocks, progress, what)
        else:
            scores = _score_by_blocks(chain, left, right, plan.blocks, progress, what, by_rows=plan.way == "rows")
    if chain.scale is not None:
        scores *= chain.scale[wanted[:, 0]]
    return torch.from_numpy(scores)


def _score_by_meeting(chain: Chain, left: Nodes, right: Nodes, plan: Plan, progress: Progress, what: str) -> Floats:
    """Pairs with the same end stand together, and each thread takes neighbouring ones."""
    keys = right * chain.num_nodes + left if plan.by_target else left * chain.num_nodes + right
    unique, place = np.unique(keys, return_inverse=True)
    outer, inner = np.divmod(unique, chain.num_nodes)
    left, right = (inner, outer) if plan.by_target else (outer, inner)
    found = np.empty(len(unique))

    def work(start: int, stop: int) -> None:
        part = slice(start, stop)
        meet(chain.weights, chain.operators, chain.betas, plan.middle, left[part], right[part], found[part])

    at_once = max(1, plan.size // (MEETING_BYTES * max(1, chain.num_nodes)))
    rounds = max(1, round(plan.nanoseconds / at_once / ROUND_NANOSECONDS), -(-len(unique) // MOST_PAIRS_AT_ONCE))
    progress(what, 0, len(unique))
    for start, stop in spans(len(unique), rounds):
        run_all(work, [(start + first, start + last) for first, last in spans(stop - start, at_once)])
        progress(what, stop, len(unique))
    return found[place]


def _score_by_lanes(
    chain: Chain, left: Nodes, right: Nodes, middle: int, blocks: BlockPlan, progress: Progress, what: str
) -> Floats:
    """Blocks of pairs, each of which grows dense columns from both of its ends."""
    keys, place = np.unique(left * chain.num_nodes + right, return_inverse=True)
    left, right = np.divmod(keys, chain.num_nodes)
    dtype = chain.weights.inverse.dtype
    operators, betas = chain.operators.astype(dtype), chain.betas.astype(dtype)
    transposed = np.ascontiguousarray(operators[:, [0, 1, 3, 2]])
    found = np.empty(len(keys))

    def work(start: int, stop: int) -> None:
        columns = np.empty((3, chain.num_nodes, min(blocks.width, stop - start)), dtype=dtype)
        for first in range(start, stop, columns.shape[2]):
            part = slice(first, min(first + columns.shape[2], stop))
            lanes = np.ascontiguousarray(columns[:, :, : part.stop - part.start])
            found[part] = meet_lanes(
                chain.weights, operators, transposed, betas, middle, left[part], right[part], lanes
            )

    step = blocks.width * blocks.at_once
    progress(what, 0, len(keys))
    for start, stop in spans(len(keys), -(-len(keys) // (PAIRS_PER_LANE * step))):
        run_all(work, [(start + first, start + last) for first, last in spans(stop - start, blocks.at_once)])
        progress(what, stop, len(keys))
    return found[place]


def _score_by_blocks(
    chain: Chain, left: Nodes, right: Nodes, blocks: BlockPlan, progress: Progress, what: str, *, by_rows: bool
) -> Floats:
    """Whole rows (or columns) of C for each end that is asked for."""
    own, other = (left, right) if by_rows else (right, left)
    columns_of = partial(solve, chain, rows=by_rows)
    return entries_of_blocks(own, other, blocks, columns_of, progress=progress, what=what)
