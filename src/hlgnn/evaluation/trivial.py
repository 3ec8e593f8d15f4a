"""Predictors that learn nothing: what any method has to beat, and what shows that a benchmark is too easy."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array, issparse

from hlgnn.formulation import normalize
from hlgnn.formulation.local_sums import local_sums
from hlgnn.graph import Graph
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from torch import Tensor

Predictor = Callable[[Graph, torch.Tensor], torch.Tensor]
"""``predictor(graph, pairs)``: a score for each pair.  (P, 2) -> (P,)"""

ENTRIES_PER_BLOCK = 1 << 24
"""A block of pairs touches about this many stored edges or features at most."""


def degree_product(graph: Graph, pairs: Tensor) -> Tensor:
    """d_i · d_j, preferential attachment.  (P, 2) -> (P,)

    Example:
        >>> from hlgnn.graph import star
        >>> degree_product(star(leaves=4), torch.tensor([[0, 1], [1, 2]])).tolist()
        [4.0, 1.0]
    """
    degree = graph.degree.double()
    return degree[pairs[:, 0].long()] * degree[pairs[:, 1].long()]


def common_neighbors(graph: Graph, pairs: Tensor) -> Tensor:
    """|Γ_i ∩ Γ_j| without self-loops, as networkx counts.  (P, 2) -> (P,)

    Example:
        >>> from hlgnn.graph import star
        >>> common_neighbors(star(leaves=4), torch.tensor([[0, 1], [1, 2]])).tolist()
        [0.0, 1.0]
    """
    pattern = normalize(replace(graph.adjacency, weight=None), self_loops=False)
    return local_sums(pattern, pairs, torch.ones(1, graph.num_nodes, dtype=torch.float64))[:, 0]


def feature_cosine(graph: Graph, pairs: Tensor) -> Tensor:
    """Cosine of the features of both nodes, zero where a node has none.  (P, 2) -> (P,)"""
    features = graph.features
    if features is None:
        return torch.zeros(len(pairs), dtype=torch.float64)
    if issparse(features):
        product = _row_products(features.astype(np.float64), pairs)
        length = torch.from_numpy(
            np.sqrt(np.asarray(features.multiply(features).sum(axis=1), dtype=np.float64))
        ).flatten()
    else:
        product = _dense_row_products(features, pairs)
        length = features.double().norm(dim=1)
    lengths = length[pairs[:, 0].long()] * length[pairs[:, 1].long()]
    return torch.where(lengths > 0, product / lengths.clamp(min=torch.finfo(torch.float64).tiny), 0.0)


TRIVIAL: Registry[Predictor] = Registry(
    "trivial predictor",
    {"common-neighbors": common_neighbors, "degree-product": degree_product, "feature-cosine": feature_cosine},
)


def _row_products(rows: csr_array, pairs: Tensor) -> Tensor:
    """⟨row_i, row_j⟩ for sparse rows, in blocks that touch about as many entries each.  (N, F), (P, 2) -> (P,)"""
    ends = pairs.long().numpy()
    entries = np.diff(rows.indptr).astype(np.int64)[ends].sum(axis=1)  # (P,)
    block = np.cumsum(entries) // ENTRIES_PER_BLOCK
    bounds = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(ends)]
    products = np.empty(len(ends), dtype=np.float64)
    for start, stop in itertools.pairwise(bounds):
        left, right = rows[ends[start:stop, 0]], rows[ends[start:stop, 1]]
        products[start:stop] = np.asarray(left.multiply(right).sum(axis=1), dtype=np.float64).ravel()
    return torch.from_numpy(products)


def _dense_row_products(rows: Tensor, pairs: Tensor) -> Tensor:
    """⟨row_i, row_j⟩ for dense rows, in blocks.  (N, F), (P, 2) -> (P,)"""
    blocks = pairs.long().split(max(1, ENTRIES_PER_BLOCK // max(1, rows.shape[1])))
    return torch.cat(
        [(rows[block[:, 0]].double() * rows[block[:, 1]].double()).sum(dim=1) for block in blocks]
        or [torch.empty(0, dtype=torch.float64)]
    )
