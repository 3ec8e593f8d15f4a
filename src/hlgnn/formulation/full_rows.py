"""Whole rows of H, block by block."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.formulation.blocks import each_block, plan_blocks, solve
from hlgnn.formulation.chain import chain_of, node_numbers
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.formulation.blocks import Columns
    from hlgnn.formulation.formulation import Formulation
    from hlgnn.graph import Graph


def rows(
    formulation: Formulation,
    graph: Graph,
    sources: Tensor,
    *,
    memory: int = DEFAULT_MEMORY,
    single: bool = False,
    progress: Progress = silent,
) -> Iterator[tuple[Tensor, Tensor]]:
    """The rows of H that belong to ``sources``, in their order: blocks of nodes (B,) and scores (B, N).

    Args:
        formulation: What to compute.
        graph: On which graph.
        sources: Whose rows.  (S,)
        memory: About how many bytes may be used at once.
        single: Whether to compute in single precision, which takes half the memory and is right to about six digits.
        progress: Told about each round of blocks.

    Raises:
        GraphFormatError: If a node does not exist.
        SettingsError: If ``memory`` is too little for one row.

    Example:
        >>> from hlgnn.formulation.heuristics import common_neighbors
        >>> from hlgnn.graph import star
        >>> [(block, scores)] = rows(common_neighbors(self_loops=False), star(3), torch.tensor([1]))
        >>> scores.tolist()
        [[0.0, 1.0, 1.0, 1.0]]
    """
    chain = chain_of(formulation, graph, dtype=torch.float32 if single else torch.float64)
    wanted = node_numbers(sources, graph.num_nodes)
    by_rows = not chain.flipped
    plan = plan_blocks(chain, len(wanted), memory, rows=by_rows, copies=1)

    def turned(start: int, columns: Columns) -> tuple[Tensor, Tensor]:
        block = wanted[start : start + columns.shape[1]]
        scores = np.ascontiguousarray(columns.T)  # (B, N)
        if chain.scale is not None:
            scores *= chain.scale[block][:, None]
        return torch.from_numpy(block), torch.from_numpy(scores)

    columns_of = partial(solve, chain, rows=by_rows)
    return each_block(wanted, plan, columns_of, turned, progress=progress, what=f"Rows of {formulation.name}")
