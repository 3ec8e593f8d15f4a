"""The exact best k missing links of a graph, by any formulation or series."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation.blocks import each_block, plan_blocks, solve
from hlgnn.formulation.chain import chain_of, node_numbers
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.ranked import RankedLinks, best_of_all
from hlgnn.formulation.row_kernels import offer_rows
from hlgnn.formulation.source_bounds import Order, source_order
from hlgnn.formulation.symmetrized import Symmetrized, finite, reversal
from hlgnn.processes import SINGLE, Group
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from hlgnn.formulation.blocks import Columns
    from hlgnn.formulation.chain import Chain, Floats, Nodes
    from hlgnn.formulation.formulation import Formulation
    from hlgnn.formulation.series import Series
    from hlgnn.graph import Graph


def top_global(
    graph: Graph,
    heuristic: Formulation | Series | Symmetrized,
    k: int,
    *,
    node: int | None = None,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
    group: Group = SINGLE.everyone,
) -> RankedLinks:
    """The k pairs of different, unlinked nodes that score highest, or all of them if there are fewer.

    A symmetric heuristic ranks each unordered pair once, smaller node first. For any other, (i, j) and (j, i) are two
    pairs with scores of their own. Scores count to twelve significant digits (forty bits), so that those that differ by
    rounding only are equal, and equal scores are ordered by node. Nothing is approximated: sources are left out only
    if a bound proves that none of their pairs is among the best.

    Args:
        graph: The graph.
        heuristic: What scores.
        k: How many pairs.
        node: Only pairs with this node; if the heuristic is not symmetric, those that start at it.
        memory: About how many bytes may be used at once.
        progress: Told how many sources are done; the number of all is an upper bound.
        group: The processes that share the sources; all have to call this, and all get the same.

    Raises:
        SettingsError: If ``k`` is negative, there is no such node, or ``memory`` is too little for one row.

    Example:
        >>> from hlgnn.formulation.heuristics import katz
        >>> from hlgnn.graph import path
        >>> top_global(path(4), katz(gamma=0.1), k=2).pairs.tolist()
        [[0, 2], [1, 3]]
    """
    if k < 0:
        raise SettingsError(f"The best {k} pairs cannot be listed.", where="k", hint="Give zero or more.")
    search = _search(heuristic, graph)
    if node is None:
        order = source_order(search.formulation, graph, unordered=search.unordered, both_ways=search.both_ways)
    else:
        order = Order(node_numbers(torch.tensor([node]), graph.num_nodes), np.full(1, np.inf))
    most = min(k, len(order.sources) * graph.num_nodes)
    scores, keys = best_of_all(*_best(search, order, most, memory, progress, group), most, group)
    ranked = np.lexsort((keys, -scores))
    pairs = np.stack(np.divmod(keys[ranked], max(1, graph.num_nodes)), axis=1)  # (k, 2)
    return RankedLinks(torch.from_numpy(pairs), torch.from_numpy(scores[ranked]))


@dataclass(frozen=True, eq=False)
class _Search:
    """One heuristic on one graph.

    Attributes:
        formulation: H.
        chain: H, as kernels see it.
        both_ways: Whether the score is H_ij + H_ji.
        ratio: The w with H_ji = H_ij w_i / w_j, or ``None`` if there is none.  (N,)
        unordered: Whether (i, j) and (j, i) are one pair.
    """

    formulation: Formulation
    chain: Chain
    both_ways: bool
    ratio: Floats | None
    unordered: bool


def _search(heuristic: Formulation | Series | Symmetrized, graph: Graph) -> _Search:
    both_ways = isinstance(heuristic, Symmetrized)
    formulation = finite(heuristic.one_way if isinstance(heuristic, Symmetrized) else heuristic, graph)
    exponent, ratio = reversal(formulation), None
    if both_ways and exponent is not None:
        degree = normalize(graph.adjacency, self_loops=formulation.self_loops).degree
        ratio = torch.where(degree > 0, degree, 1.0).numpy() ** exponent
    unordered = both_ways or formulation.symmetric
    return _Search(formulation, chain_of(formulation, graph), both_ways, ratio, unordered)


def _best(
    search: _Search, order: Order, most: int, memory: int, progress: Progress, group: Group
) -> tuple[Floats, Nodes]:
    """Offer the rows of the sources, in their order, until a bound falls below the worst of the best: scores and keys.

    Of several processes this one takes every so many-th source.
    """
    chain, rank = search.chain, np.full(search.chain.num_nodes if search.unordered else 0, len(order.sources))
    if search.unordered:
        rank[order.sources] = np.arange(len(order.sources))
    sources, bounds = order.sources[group.rank :: group.size], order.bounds[group.rank :: group.size]
    if len(sources) == 0:
        return np.empty(0), np.empty(0, dtype=np.int64)
    by_rows = not chain.flipped
    plan = plan_blocks(chain, len(sources), memory, rows=by_rows, copies=3 if search.both_ways else 0)
    what = f"Best by {search.formulation.name}"

    def score(start: int, columns: Columns) -> tuple[int, Columns]:
        return start, _scores(search, sources[start : start + columns.shape[1]], columns, by_rows=by_rows)

    scores, keys, size = np.empty(min(most, 1024)), np.empty(min(most, 1024), dtype=np.int64), 0
    columns_of = partial(solve, chain, rows=by_rows)
    blocks = each_block(sources, plan, columns_of, score, progress=progress, what=what)
    for start, columns in blocks if most else ():
        if size == most and bounds[start] < scores[0]:
            break
        block = sources[start : start + columns.shape[1]]
        lists = chain.weights.offset, chain.weights.neighbor
        scores, keys, size = offer_rows(scores, keys, size, most, *lists, block, columns, rank)
    progress(what, len(sources), len(sources))
    return scores[:size], keys[:size]


def _scores(search: _Search, block: Nodes, columns: Columns, *, by_rows: bool) -> Columns:
    """The scores of (i, j) for each i of a block, one column each.  (N, B)"""
    chain = search.chain
    if chain.scale is not None:
        columns *= chain.scale[block]
    if search.both_ways and search.ratio is not None:
        columns *= 1 + search.ratio[block] / search.ratio[:, None]
    elif search.both_ways:
        reverse = solve(chain, block, rows=not by_rows)
        columns += reverse if chain.scale is None else reverse * chain.scale[:, None]
    return columns
