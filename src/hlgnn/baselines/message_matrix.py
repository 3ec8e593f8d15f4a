"""The matrices that messages are multiplied by, as torch's compressed rows: made once for each message graph."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array, diags_array

from hlgnn.formulation.normalization import normalize

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph


def symmetric_matrix(graph: Graph) -> Tensor:
    """D̃^-½ (A + I) D̃^-½ with D̃ the row sums of A + I, weights of links included.  (N, N)"""
    looped = _values(graph) + diags_array(np.ones(graph.num_nodes, dtype=np.float32))
    root = diags_array(normalize(graph.adjacency, dtype=torch.float32).root.numpy())
    return _as_torch(csr_array(root @ looped @ root))


def mean_matrix(graph: Graph) -> Tensor:
    """D^-1 A: the mean over neighbours, weighted if links are; zero for a node without any.  (N, N)"""
    inverse = normalize(graph.adjacency, self_loops=False, dtype=torch.float32).inverse
    return _as_torch(csr_array(diags_array(inverse.numpy()) @ _values(graph)))


def sum_matrix(graph: Graph) -> Tensor:
    """A: the sum over neighbours, weighted if links are.  (N, N)"""
    return _as_torch(_values(graph))


def _values(graph: Graph) -> csr_array:
    pattern = graph.to_pattern()
    if graph.adjacency.weight is not None:
        pattern.data = graph.adjacency.weight.numpy()
    return pattern


def _as_torch(matrix: csr_array) -> Tensor:
    matrix.sort_indices()
    parts = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
    offset, column, value = (torch.from_numpy(np.ascontiguousarray(part)) for part in parts)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta state")
        return torch.sparse_csr_tensor(offset, column, value, matrix.shape, check_invariants=False)
