"""Scores of pairs under tilted operators, in blocks of sources."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.local_sums import pair_numbers
from hlgnn.formulation.memory import most_columns

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.formulation import Formulation
    from hlgnn.graph import Graph
    from hlgnn.progress import Progress

# A block, its product, the running sum, and the scaled copies of a step.
COPIES = 6


def tilted_scores(formulation: Formulation, graph: Graph, pairs: Tensor, *, memory: int, progress: Progress) -> Tensor:
    """H_ij of each pair: row i of H is column i of Hᵀ.  (P, 2) -> (P,)"""
    numbers = torch.from_numpy(pair_numbers(pairs, graph.num_nodes))
    sources, place = torch.unique(numbers[:, 0], return_inverse=True)
    width = most_columns(memory, 0, 8 * COPIES * max(1, graph.num_nodes), what="one column of scores")
    scores = torch.empty(len(numbers), dtype=torch.float64)
    transposed = replace(formulation, degree_scale=False).transposed
    for start in range(0, len(sources), width):
        block = sources[start : start + width]
        columns = torch.zeros(graph.num_nodes, len(block), dtype=torch.float64)
        columns[block, torch.arange(len(block))] = 1.0
        rows = transposed.apply(graph, columns)  # (N, B): H_ij at (j, i)
        wanted = (place >= start) & (place < start + width)
        scores[wanted] = rows[numbers[wanted, 1], place[wanted] - start]
        progress(f"Scores of {formulation.name}", min(start + width, len(sources)), len(sources))
    return scores * _scale(formulation, graph)[numbers[:, 0]] if formulation.degree_scale else scores


def _scale(formulation: Formulation, graph: Graph) -> Tensor:
    """d̃_i / 2M: what rows are multiplied by.  (N,)"""
    unscaled = replace(formulation, operators=(), betas=(1.0,), tilts=())  # H = diag(d̃ / 2M)
    return unscaled.apply(graph, torch.ones(graph.num_nodes, 1, dtype=torch.float64))[:, 0]
