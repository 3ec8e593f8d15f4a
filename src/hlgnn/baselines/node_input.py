"""What a method reads of each node: its features, or a learned vector where there are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch
from scipy.sparse import csr_array, diags_array
from torch import Tensor, nn

from hlgnn.errors import SettingsError
from hlgnn.models.dense_product import matrix_product
from hlgnn.models.dropout import Dropout
from hlgnn.models.initialization import embedding
from hlgnn.models.rows import take_rows
from hlgnn.models.settings import Share, Width  # noqa: TC001 - pydantic reads them
from hlgnn.models.sparse_product import sparse_product
from hlgnn.settings import Settings

if TYPE_CHECKING:
    from hlgnn.graph import Features, Graph

Product = Callable[[Tensor], Tensor]
"""X W for a weight W, whichever way X is stored.  (F, H) -> (N, H)"""


class NodeInputSettings(Settings):
    """X.

    Attributes:
        source: The node features, or a learned vector for each node; ``auto`` reads features if there are any.
        normalize: Whether rows of features are scaled to length one.
        embedding_width: The width of learned vectors.
        embedding_init: How learned vectors start.
        dropout: The share of the entries of X that are dropped in training.
    """

    source: Literal["auto", "features", "embedding"] = "auto"
    normalize: bool = False
    embedding_width: Width = 256
    embedding_init: Literal["xavier", "orthogonal"] = "xavier"
    dropout: Share = 0.0


class NodeInput(nn.Module):
    """X as the first linear layer needs it: sparse features are multiplied as they are and never made dense.

    Args:
        graph: The graph to learn on.
        settings: Which X.
        generator: Where learned vectors start from.
        noise: Where dropout draws from.
    """

    def __init__(
        self, graph: Graph, settings: NodeInputSettings, generator: torch.Generator, noise: torch.Generator
    ) -> None:
        super().__init__()
        source = settings.source
        if source == "auto":
            source = "embedding" if graph.features is None else "features"
        if source == "features" and graph.features is None:
            raise SettingsError(
                "The graph has no node features.", where="input.source", hint="Set it to 'embedding' or 'auto'."
            )
        self.normalize = settings.normalize
        self.dropout = Dropout(settings.dropout, noise)
        self.vectors: nn.Parameter | None = None
        self.width, self.num_nodes = graph.num_features, graph.num_nodes
        if source == "embedding":
            self.width = settings.embedding_width
            start = embedding(graph.num_nodes, self.width, settings.embedding_init, generator)
            self.vectors = nn.Parameter(start)  # (N, F)

    def prepare(self, graph: Graph) -> Features | None:
        """The features of a message graph, or ``None`` where vectors are learned.  (N, F)

        Raises:
            SettingsError: If the graph does not fit what was learned.
        """
        if self.vectors is not None:
            if graph.num_nodes != self.num_nodes:
                raise SettingsError(
                    f"Vectors were learned for {self.num_nodes} nodes, but the graph has {graph.num_nodes}.",
                    hint="Give the graph that the model was trained on, or train on node features.",
                )
            return None
        if graph.features is None or graph.num_features != self.width:
            raise SettingsError(
                f"The model was made for {self.width} features, but the graph has {graph.num_features}.",
                hint="Give the features that it was trained with, in the same order.",
            )
        return _unit_rows(graph.features) if self.normalize else graph.features

    def forward(self, features: Features | None, nodes: Tensor | None = None) -> Product:
        """The product with X, or with its rows of some nodes; entries are dropped once for all weights."""
        if isinstance(features, csr_array):
            features = features if nodes is None else features[nodes.numpy()]
            if not self.training or self.dropout.share == 0.0:
                return partial(sparse_product, features)
            kept = self.dropout(torch.from_numpy(features.data)).numpy()
            return partial(sparse_product, csr_array((kept, features.indices, features.indptr), shape=features.shape))
        x = self.vectors if features is None else features
        assert x is not None  # noqa: S101 - prepare gives features wherever no vectors are learned
        return partial(matrix_product, self.dropout(x if nodes is None else take_rows(x, nodes)))


def _unit_rows(features: Features) -> Features:
    """Rows of length one; rows of zeros stay.  (N, F) -> (N, F)"""
    if isinstance(features, Tensor):
        return nn.functional.normalize(features, dim=1)
    length = np.sqrt(features.multiply(features).sum(axis=1))
    inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    return csr_array(diags_array(inverse.astype(np.float32)) @ features)
