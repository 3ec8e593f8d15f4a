"""What an encoder propagates, X W + b, as a chain that can be read from either side without forming it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor

from hlgnn.models import HLGNN

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.graph import Graph
    from hlgnn.models.features import FeaturePreparation
    from hlgnn.models.frozen_encoder import FrozenEncoder

    Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinkInput:
    """X = [(R − 1 mᵀ) V, E] W + 1 bᵀ in double precision; parts that a model does not have are ``None``.

    Attributes:
        raw: R, the features with TF-IDF and row lengths applied.  (N, C)
        mean: m, what columns are centred by.  (C,)
        basis: V, the singular vectors that features are reduced by.  (C, D)
        vectors: E, the learned vectors of nodes.  (N, K)
        weight: W of the linear layer.  (D + K, F)
        bias: b of the linear layer.  (F,)
    """

    raw: csr_array | Array | None
    mean: Tensor | None
    basis: Tensor | None
    vectors: Tensor | None
    weight: Tensor | None
    bias: Tensor | None

    @property
    def width(self) -> int:
        """D: how many columns features have before the linear layer."""
        if self.raw is None:
            return 0
        return int(self.raw.shape[1]) if self.basis is None else self.basis.shape[1]

    def columns(self, rows: Tensor) -> Tensor:
        """``rows``ᵀ (R − 1 mᵀ): combinations of nodes in the raw columns.  (N, Q) -> (Q, C)"""
        if self.raw is None:
            return torch.zeros(rows.shape[1], 0, dtype=torch.float64)
        ends = rows.numpy()
        columns = ends.T @ self.raw if isinstance(self.raw, np.ndarray) else (self.raw.T @ ends).T
        found = torch.from_numpy(np.ascontiguousarray(columns))
        return found if self.mean is None else found - rows.sum(dim=0)[:, None] * self.mean

    def prepared(self, rows: Tensor) -> Tensor:
        """``rows``ᵀ (R − 1 mᵀ) V, what the model calls its features.  (N, Q) -> (Q, D)"""
        columns = self.columns(rows)
        return columns if self.basis is None else columns @ self.basis

    def hidden(self, rows: Tensor) -> Tensor:
        """``rows``ᵀ X, all of it.  (N, Q) -> (Q, F)"""
        parts = torch.cat([self.prepared(rows), self._learned(rows)], dim=1)  # (Q, D + K)
        return self._after(parts, rows)

    def beside(self, rows: Tensor) -> Tensor:
        """The part of ``hidden`` that is not from features: learned vectors and the bias.  (N, Q) -> (Q, F)"""
        nothing = torch.zeros(rows.shape[1], self.width, dtype=torch.float64)
        return self._after(torch.cat([nothing, self._learned(rows)], dim=1), rows)

    def directions(self, vectors: Tensor) -> Tensor:
        """V W ``vectors``: how much each raw column moves along some vectors.  (F, Q) -> (C, Q)"""
        inner = (vectors if self.weight is None else self.weight @ vectors)[: self.width]
        return inner if self.basis is None else self.basis @ inner

    def along(self, vectors: Tensor) -> Tensor:
        """X ``vectors``: each node along some vectors.  (F, Q) -> (N, Q)"""
        found: Tensor | float = 0.0
        if self.raw is not None:
            directions = self.directions(vectors)
            found = torch.from_numpy(np.asarray(self.raw @ directions.numpy()))
            found = found if self.mean is None else found - self.mean @ directions
        if self.vectors is not None:
            inner = vectors if self.weight is None else self.weight @ vectors
            found = found + self.vectors @ inner[self.width :]
        if self.bias is not None:
            found = found + self.bias @ vectors
        return torch.as_tensor(found)

    def _learned(self, rows: Tensor) -> Tensor:
        return torch.zeros(rows.shape[1], 0).double() if self.vectors is None else rows.T @ self.vectors

    def _after(self, parts: Tensor, rows: Tensor) -> Tensor:
        if self.weight is None or self.bias is None:
            return parts
        return parts @ self.weight + rows.sum(dim=0)[:, None] * self.bias


@torch.no_grad()
def link_input(model: HLGNN | FrozenEncoder, graph: Graph) -> LinkInput:
    """The input of a model on the nodes of a graph; links play no part in it."""
    vectors, layer = (model.embedding, model.linear) if isinstance(model, HLGNN) else (model.vectors, None)
    preparation = model.preparation
    return LinkInput(
        raw=None if preparation is None else _raw(preparation, graph),
        mean=None if preparation is None else _double(preparation.mean),
        basis=None if preparation is None else _double(preparation.basis),
        vectors=_double(vectors),
        weight=None if layer is None else layer.weight.detach().T.double(),
        bias=None if layer is None else _double(layer.bias),
    )


def _raw(preparation: FeaturePreparation, graph: Graph) -> csr_array | Array:
    """R, dense if the features are."""
    features = graph.features
    if not isinstance(features, Tensor):
        return preparation.scaled(cast("csr_array", features).astype(np.float32)).astype(np.float64)
    rows = preparation.scaled(csr_array(features.numpy().astype(np.float32)))
    return rows.astype(np.float64).toarray()


def _double(values: Tensor | None) -> Tensor | None:
    return None if values is None else values.detach().double()
