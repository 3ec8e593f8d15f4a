"""From raw node features to columns worth propagating: fitted once, applied to any graph with the same columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array, diags_array
from sklearn.preprocessing import StandardScaler
from sklearn.utils.extmath import randomized_svd
from torch import Tensor, nn

from hlgnn.errors import SettingsError
from hlgnn.mapped import mapped_zeros

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.graph import Features
    from hlgnn.models.settings import InputSettings

SVD_ITERATIONS = 5
ROWS_AT_ONCE = 1 << 16


class FeaturePreparation(nn.Module):
    """Columns of equal spread, TF-IDF, row normalisation, centring and the leading singular vectors, in this order.

    Each is done if it is asked for. What was fitted (means and deviations of columns, their weights, singular vectors)
    is kept as buffers, so that a saved model treats new nodes as it treated those it learned from.
    """

    def __init__(self, features: Features, settings: InputSettings) -> None:
        super().__init__()
        self.settings, self.inputs = settings, features.shape[1]
        level, spread = _level_and_spread(_sparse(features)) if settings.standardize else (None, None)
        self.register_buffer("level", level)
        self.register_buffer("spread", spread)
        self.register_buffer("idf", _inverse_frequency(_sparse(features)) if settings.tf_idf else None)
        # Rows are looked at only if something is fitted to them: a large table is not made sparse for nothing.
        rows = self.scaled(_sparse(features)) if settings.centre or settings.svd else None
        self.register_buffer("mean", _column_means(rows) if settings.centre and rows is not None else None)
        basis = _basis(rows, self.mean, settings.svd) if settings.svd and rows is not None else None
        self.register_buffer("basis", basis)

    level: Tensor | None
    spread: Tensor | None
    idf: Tensor | None
    mean: Tensor | None
    basis: Tensor | None
    mapped: bool = False  # whether what is prepared lives in a file
    folder: Path | None = None

    @property
    def width(self) -> int:
        """How many columns there are afterwards."""
        return self.inputs if self.basis is None else self.basis.shape[1]

    def forward(self, features: Features) -> Tensor | csr_array:
        """The columns to propagate; sparse features stay sparse unless they are centred or reduced.  (N, F) -> (N, W)

        Dense features that nothing is done to are handed out as they are; what gets dense is made in blocks of rows.

        Raises:
            SettingsError: If there are not as many columns as were fitted.
        """
        if features.shape[1] != self.inputs:
            raise SettingsError(
                f"The model was made for {self.inputs} features, but the graph has {features.shape[1]}.",
                hint="Give the features that it was trained with, in the same order.",
            )
        dense = self.mean is not None or self.basis is not None or self.level is not None
        if isinstance(features, csr_array) and not dense:
            return self.scaled(features.astype(np.float32, copy=False))
        if isinstance(features, Tensor) and not (dense or self.idf is not None or self.settings.normalize):
            return features.float()
        shape = (features.shape[0], self.width)
        prepared = mapped_zeros(shape, torch.float32, self.folder) if self.mapped else torch.empty(shape)  # (N, W)
        for start in range(0, len(prepared), ROWS_AT_ONCE):
            block = slice(start, start + ROWS_AT_ONCE)
            prepared[block] = self._dense(self.scaled(_sparse(features[block])))
        return prepared

    def _dense(self, rows: csr_array) -> Tensor:
        """Scaled rows, centred and reduced.  (R, F) -> (R, W)"""
        if self.basis is not None:
            reduced = torch.from_numpy(np.asarray(rows @ self.basis.numpy()))
            return reduced if self.mean is None else reduced - self.mean @ self.basis
        dense = torch.from_numpy(rows.toarray())
        return dense if self.mean is None else dense - self.mean

    def rows(self, features: Features) -> csr_array:
        """What there is before centring and reduction.  (N, F) -> (N, F)"""
        return self.scaled(_sparse(features))

    def scaled(self, rows: csr_array) -> csr_array:
        """What is done before centring: equal spread, weights of columns, rows of length one.  (N, F) -> (N, F)"""
        if self.level is not None and self.spread is not None:
            rows = csr_array((rows.toarray() - self.level.numpy()) / self.spread.numpy())
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


def _level_and_spread(rows: csr_array) -> tuple[Tensor, Tensor]:
    """Mean and deviation of each column, in blocks of rows; the deviation of equal values counts as one.  (F,), (F,)"""
    scaler = StandardScaler()
    for start in range(0, rows.shape[0], ROWS_AT_ONCE):
        scaler.partial_fit(rows[start : start + ROWS_AT_ONCE].toarray())
    return torch.from_numpy(scaler.mean_).float(), torch.from_numpy(scaler.scale_).float()


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
