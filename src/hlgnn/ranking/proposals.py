"""Pairs that are worth a look, found by something cheaper than the model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from hlgnn.errors import SettingsError
from hlgnn.formulation.memory import DEFAULT_MEMORY, most_columns
from hlgnn.models.encoded import Encoded
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.ranking.candidates import Candidates

BYTES_PER_SCORE = 24
MOST_ROWS = 256


def representations(state: Any) -> Tensor:
    """Z of every node, from what a model encoded.  (N, F)

    Raises:
        SettingsError: If the state holds no representations.
    """
    if isinstance(state, Encoded):
        return state.whole().detach()
    if isinstance(state, Tensor) and state.ndim == 2:
        return state.detach()
    raise SettingsError("The model has no representations of nodes.", hint="Propose pairs by common neighbours.")


def propose_by_cosine(
    vectors: Tensor,
    candidates: Candidates,
    per_node: int,
    *,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> Tensor:
    """For every node, the allowed pairs with the largest cosines.  (N, F) -> (P, 2)

    Args:
        vectors: A vector of every node, such as ``representations(state)``.
        candidates: Which pairs.
        per_node: How many pairs each node proposes.
        memory: About how many bytes a block of rows may take.
        progress: Told how many nodes are done.
    """
    unit = normalize(vectors, dim=1)

    def propose(nodes: Tensor) -> Tensor:
        scores = unit[nodes] @ unit.T  # (R, N)
        scores.masked_fill_(~candidates.mask(nodes, torch.arange(len(unit))), -math.inf)
        found = scores.topk(min(per_node, len(unit)), dim=1)
        row, place = (found.values > -math.inf).nonzero().unbind(dim=1)
        return torch.stack([nodes[row], found.indices[row, place]], dim=1)

    return _propose(propose, candidates, memory, progress)


def propose_by_neighbors(
    candidates: Candidates, per_node: int, *, memory: int = DEFAULT_MEMORY, progress: Progress = silent
) -> Tensor:
    """For every node, the allowed pairs with the most common neighbours; at least one, equal ones by node.  (P, 2)

    Args:
        candidates: Which pairs, and the graph whose neighbours count.
        per_node: How many pairs each node proposes.
        memory: About how many bytes a block of rows may take.
        progress: Told how many nodes are done.
    """
    pattern = candidates.graph.to_pattern()

    def propose(nodes: Tensor) -> Tensor:
        counts = (pattern[nodes.numpy()] @ pattern).tocoo()
        row = torch.from_numpy(counts.coords[0].astype(np.int64))
        pairs = torch.stack([nodes[row], torch.from_numpy(counts.coords[1].astype(np.int64))], dim=1)
        keep = candidates.allowed(pairs)
        row, pairs, common = row[keep], pairs[keep], torch.from_numpy(counts.data)[keep]
        order = torch.from_numpy(np.lexsort((pairs[:, 1].numpy(), -common.numpy(), row.numpy())))
        sizes = torch.bincount(row, minlength=len(nodes))
        rank = torch.arange(len(row)) - (sizes.cumsum(0) - sizes)[row[order]]
        return pairs[order[rank < per_node]]

    return _propose(propose, candidates, memory, progress)


def _propose(propose: Callable[[Tensor], Tensor], candidates: Candidates, memory: int, progress: Progress) -> Tensor:
    """The proposals of all nodes, each pair once, smaller node first.  (P, 2)"""
    count = candidates.graph.num_nodes
    height = min(MOST_ROWS, most_columns(memory, 0, BYTES_PER_SCORE * max(1, count), what="one row of scores"))
    keys = [torch.empty(0, dtype=torch.int64)]
    for block in torch.arange(count).split(height) if count else ():
        keys.append(pair_keys(propose(block), count))
        progress("Proposed links", int(block[-1]) + 1, count)
    every = torch.cat(keys).unique()
    return torch.stack([every // max(1, count), every % max(1, count)], dim=1)


def pair_keys(pairs: Tensor, count: int) -> Tensor:
    """One number for each unordered pair.  (P, 2) -> (P,)"""
    return pairs.amin(dim=1) * count + pairs.amax(dim=1)
