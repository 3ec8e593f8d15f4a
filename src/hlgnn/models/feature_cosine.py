"""The cosine of the features of two nodes, as a model that learns nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn.functional import normalize

from hlgnn.errors import SettingsError
from hlgnn.models.link_model import LinkModel
from hlgnn.models.product_form import ProductForm
from hlgnn.models.rows import take_rows

if TYPE_CHECKING:
    from hlgnn.graph import Graph


class FeatureCosine(LinkModel[Tensor, Tensor]):
    """cos(x_i, x_j); nought where a node has no features."""

    def prepare(self, graph: Graph) -> Tensor:
        """Rows of length one.  (N, F)

        Raises:
            SettingsError: If the graph has no features.
        """
        if graph.features is None:
            raise SettingsError("The graph has no node features.", hint="Give a features file.")
        dense = graph.features if isinstance(graph.features, Tensor) else torch.from_numpy(graph.features.toarray())
        return normalize(dense.float(), dim=1)

    def encode(self, prepared: Tensor) -> Tensor:
        """Nothing is left to do."""
        return prepared

    def score(self, state: Tensor, pairs: Tensor) -> Tensor:
        """The cosine of every pair.  (P, 2) -> (P,)"""
        return (take_rows(state, pairs[:, 0]) * take_rows(state, pairs[:, 1])).sum(dim=-1)

    def product_form(self, state: Tensor) -> ProductForm:
        """All cosines as one matrix product."""
        return ProductForm(state, state, torch.zeros((), dtype=state.dtype))
