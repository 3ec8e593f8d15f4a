"""Propagated node features A^k X, made for the nodes that are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array, diags_array

from hlgnn.models.dense_product import matrix_product
from hlgnn.models.sparse_product import sparse_product

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.graph import Features, Graph

    Rows = csr_array | npt.NDArray[np.float32]

# Sparse rows with a larger share of entries are multiplied faster as dense ones.
DENSE_SHARE = 0.04
KEPT = 1 << 26
"""Bytes of a dense table of the largest order that every message graph may keep; of a larger one rows are made anew."""


@dataclass(frozen=True, eq=False)
class FeatureInputs:
    """What A^k X is made from: tables of all orders where they are small, and rows of the largest one as asked if not.

    Attributes:
        propagation: A = D^-½ (A + I) D^-½.  (N, N)
        orders: X, and A^k X for 1 ≤ k < the largest order, or up to it.
    """

    propagation: csr_array
    orders: tuple[Rows, ...]

    def product(self, order: int, weight: Tensor, rows: Tensor) -> Tensor:
        """Rows of A^order X W.  (F, H), (R,) -> (R, H)"""
        if order < len(self.orders):
            x = self.orders[order][rows.numpy()]
        else:
            x = self.propagation[rows.numpy()] @ self.orders[order - 1]
        x = _dense_enough(x)
        return sparse_product(x, weight) if isinstance(x, csr_array) else matrix_product(torch.from_numpy(x), weight)


def feature_inputs(graph: Graph, features: Features, largest_order: int) -> FeatureInputs:
    """The view of a message graph."""
    propagation = symmetric_matrix(graph)
    orders: list[Rows] = [features if isinstance(features, csr_array) else features.float().numpy()]
    small = 4 * graph.num_nodes * orders[0].shape[1] <= KEPT
    while len(orders) < largest_order + small:
        orders.append(_dense_enough(propagation @ orders[-1]))
    return FeatureInputs(propagation, tuple(orders))


def symmetric_matrix(graph: Graph) -> csr_array:
    """D^-½ (A + I) D^-½, with the weights of links if there are any.  (N, N), float32"""
    pattern = graph.to_pattern()
    if graph.adjacency.weight is not None:
        pattern = csr_array((graph.adjacency.weight.numpy(), pattern.indices, pattern.indptr), shape=pattern.shape)
    looped = csr_array(pattern + diags_array(np.ones(graph.num_nodes, dtype=np.float32)))
    root = diags_array(1 / np.sqrt(np.asarray(looped.sum(axis=1)).ravel()))
    return csr_array(root @ looped @ root).astype(np.float32)


def _dense_enough(rows: Rows) -> Rows:
    """Sparse rows with many entries as dense ones."""
    if isinstance(rows, csr_array) and rows.nnz > DENSE_SHARE * rows.shape[0] * rows.shape[1]:
        return rows.toarray()
    return rows
