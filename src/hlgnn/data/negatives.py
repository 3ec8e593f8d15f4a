"""Pairs that are no links, to rank links among; no function here makes anything of size N × N."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.errors import SplitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from hlgnn.graph import Graph

ROUNDS = 200
PAIRS_PER_BLOCK = 1 << 22  # 64 MB of candidate pairs at a time


def uniform(known: Graph, count: int, generator: torch.Generator) -> Tensor:
    """``count`` distinct pairs drawn uniformly from all pairs that are not links of ``known``.  -> (count, 2)

    The smaller node comes first, as in ``Graph.links``, so that the order within a pair tells nothing.
    """
    pairs = known.num_nodes * (known.num_nodes - 1) // 2
    available = pairs - known.num_links
    if count > available:
        raise SplitError(
            f"{count} negatives are asked for, but only {available} pairs of {known.num_nodes} nodes are not linked.",
            hint="Ask for fewer negatives, or use a sparser graph.",
        )
    if 2 * count > available or 10 * available < pairs:  # rejection would be slow; listing costs O(M + count) memory
        every = _all_non_links(known)
        return _decode(every[torch.randperm(len(every), generator=generator)[:count]], known.num_nodes)

    def draw(size: int) -> Tensor:
        return torch.randint(known.num_nodes, (size, 2), generator=generator)

    return _decode(_reject(known, count, draw, generator), known.num_nodes)


def degree_matched(known: Graph, positive: Tensor, generator: torch.Generator) -> Tensor:
    """As many non-links as positives, whose ends are drawn from the ends of the positives.  (P, 2) -> (P, 2)

    Both ends then have the degrees of the positives on average, and a product of degrees no longer tells them apart.
    """
    ends = positive.flatten()

    def draw(size: int) -> Tensor:
        return ends[torch.randint(len(ends), (size, 2), generator=generator)]

    return _decode(_reject(known, len(positive), draw, generator), known.num_nodes)


def _reject(known: Graph, count: int, draw: Callable[[int], Tensor], generator: torch.Generator) -> Tensor:
    """Codes of ``count`` distinct non-links among what ``draw`` yields.  -> (count,)"""
    codes = torch.empty(0, dtype=torch.int64)
    for _ in range(ROUNDS):
        drawn = draw(2 * (count - len(codes)) + 64)
        drawn = drawn[(drawn[:, 0] != drawn[:, 1]) & ~known.has_links(drawn)]
        codes = torch.cat([codes, _encode(drawn, known.num_nodes)]).unique()
        if len(codes) >= count:
            chosen: Tensor = codes[torch.randperm(len(codes), generator=generator)[:count]]
            return chosen
    raise SplitError(
        f"Only {len(codes)} of {count} negatives were found: these nodes are nearly all linked to each other.",
        hint="Ask for fewer negatives, or draw them uniformly.",
    )


def _all_non_links(known: Graph) -> Tensor:
    """The code of every pair that is not a link, found in blocks of rows.  -> (A,)"""
    num_nodes, found = known.num_nodes, []
    rows = max(1, PAIRS_PER_BLOCK // num_nodes)
    for block in torch.arange(num_nodes).split(rows):
        pairs = torch.cartesian_prod(block, torch.arange(num_nodes))
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
        found.append(_encode(pairs[~known.has_links(pairs)], num_nodes))
    return torch.cat(found)


def _encode(pairs: Tensor, num_nodes: int) -> Tensor:
    return pairs.amin(dim=1) * num_nodes + pairs.amax(dim=1)


def _decode(codes: Tensor, num_nodes: int) -> Tensor:
    return torch.stack([codes // num_nodes, codes % num_nodes], dim=1)
