"""From raw node features to columns worth propagating: fitted once, applied to any graph with the same columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array, diags_array
from sklearn.utils.extmath import randomized_svd
from torch import Tensor, nn

from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from hlgnn.graph import Features
    from hlgnn.models.settings import InputSettings

SVD_ITERATIONS = 5


class FeaturePreparation(nn.Module):
    """TF-IDF, row normalisation, centring and the leading singular vectors, in this order, each if asked for.

    What was fitted (weights of columns, their means, singular vectors) is kept as buffers, so that a saved model treats
    new nodes as it treated those it learned from.
    """

    def __init__(self, features: Features, settings: InputSettings) -> None:
        super().__init__()
        self.settings, self.inputs = settings, features.shape[1]
        rows = _sparse(features)
        self.register_buffer("idf", _inverse_frequency(rows) if settings.tf_idf else None)
        rows = self.scaled(rows)
        self.register_buffer("mean", _column_means(rows) if settings.centre else None)
        self.register_buffer("basis", _basis(rows, self.mean, settings.svd) if settings.svd else None)

    idf: Tensor | None
    mean: Tensor | None
    basis: Tensor | None

    @property
    def width(self) -> int:
        """How many columns there are afterwards."""
        return self.inputs if self.basis is None else self.basis.shape[1]

    def forward(self, features: Features) -> Tensor | csr_array:
        """The columns to propagate; sparse features stay sparse unless they are centred or reduced.  (N, F) -> (N, W)

        Raises:
            SettingsError: If there are not as many columns as were fitted.
        """
        if features.shape[1] != self.inputs:
            raise SettingsError(
                f"The model was made for {self.inputs} features, but the graph has {features.shape[1]}.",
                hint="Give the features that it was trained with, in the same order.",
            )
        rows = self.rows(features)
        if self.basis is not None:
            reduced = torch.from_numpy(np.asarray(rows @ self.basis.numpy()))
            return reduced if self.mean is None else reduced - self.mean @ self.basis
        if self.mean is not None:
            return torch.from_numpy(rows.toarray()) - self.mean
        return rows if isinstance(features, csr_array) else torch.from_numpy(rows.toarray())

    def rows(self, features: Features) -> csr_array:
        """What there is before centring and reduction.  (N, F) -> (N, F)"""
        return self.scaled(_sparse(features))

    def scaled(self, rows: csr_array) -> csr_array:
        """What is done before centring: weights of columns, rows of length one.  (N, F) -> (N, F)"""
        if self.idf is not None:
            rows = csr_array(rows @ diags_array(self.idf.numpy()))
        if self.settings.normalize:
            length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1))).ravel()
            inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
            rows = csr_array(diags_array(inverse) @ rows)
        return rows.astype(np.float32)


def _sparse(features: Features) -> csr_array:
    if isinstance(features, torch.Tensor):
        return csr_array(features.numpy().astype(np.float32, copy=False))
    return features.astype(np.float32, copy=False)


def _inverse_frequency(rows: csr_array) -> Tensor:
    """log(N / n_f), where n_f counts the nodes that have feature f.  (F,)"""
    count = np.bincount(rows.nonzero()[1], minlength=rows.shape[1])
    return torch.from_numpy(np.log(rows.shape[0] / np.maximum(count, 1)).astype(np.float32))


def _column_means(rows: csr_array) -> Tensor:
    return torch.from_numpy(np.asarray(rows.mean(axis=0)).ravel().astype(np.float32))


def _basis(rows: csr_array, mean: Tensor | None, width: int) -> Tensor:
    """The leading right singular vectors, of the centred rows if there is a mean.  (F, W)"""
    most = min(rows.shape)
    if width > most:
        raise SettingsError(
            f"Features of shape {rows.shape} have no {width} singular vectors.",
            where="input.svd",
            hint=f"Choose at most {most}.",
        )
    table = rows if mean is None else rows.toarray() - mean.numpy()
    _, _, vectors = randomized_svd(table, width, n_iter=SVD_ITERATIONS, random_state=0)
    return torch.from_numpy(np.ascontiguousarray(vectors.T.astype(np.float32)))
