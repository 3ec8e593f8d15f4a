"""How far a mixture of normalisations can stretch a vector: an upper bound that is nearly its spectral radius."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.kernels import choose

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

# Mixtures of (row, col, sym) between the three matrices; at these, and at the three themselves, the bound is tight.
ANCHORS = ((1 / 3, 1 / 3, 1 / 3), (0.5, 0.5, 0.0), (0.5, 0.0, 0.5), (0.0, 0.5, 0.5), (0.1, 0.1, 0.8), (0.2, 0.2, 0.6))
ITERATIONS = 60
LEAST = 1e-250


def bound_table(normalized: Normalized) -> Tensor:
    """What ``mixture_bounds`` needs of a graph: (M_k x)_i / x_i for several positive x.  -> (T, 3, N)

    By Collatz and Wielandt the radius of a nonnegative A is at most max_i (Ax)_i / x_i for every positive x, with
    equality if x is its Perron vector.
    """
    columns = trial_vectors(normalized)  # (N, T)
    ratios = [_times(normalized, weights, columns) / columns for weights in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    return torch.stack(ratios, dim=0).permute(2, 0, 1).contiguous()


def trial_vectors(normalized: Normalized) -> Tensor:
    """The Perron vectors of Ã_rs, Ã_cs and Ã_sym, which are 1, d̃ and √d̃, and nearly those of the anchors.  -> (N, T)"""
    degree = normalized.degree.double().clamp(min=LEAST)
    vectors = [torch.ones_like(degree), degree, degree.sqrt()]
    vectors += [_perron(normalized, anchor) for anchor in ANCHORS]
    return torch.stack(vectors, dim=1)


def mixture_bounds(table: Tensor, weights: Tensor) -> Tensor:
    """An upper bound of the spectral radius of each mixture of (row, col, sym), differentiable.  (L, 3) -> (L,)

    Dividing by it makes powers of the mixture bounded: in the norm max_i |y_i| / x_i it stretches nothing.
    """
    ratios = torch.einsum("lk,tkn->ltn", weights.to(table.dtype), table)  # (L, T, N)
    return ratios.amax(dim=2).amin(dim=1).to(weights.dtype)


def _perron(normalized: Normalized, weights: tuple[float, float, float]) -> Tensor:
    """Nearly the Perron vector of a mixture.  (N,)"""
    x = normalized.degree.double().clamp(min=LEAST).sqrt()[:, None]
    for _ in range(ITERATIONS):
        x = x + _times(normalized, weights, x)
        x = (x / x.max()).clamp(min=LEAST)
    return x[:, 0]


def _times(normalized: Normalized, weights: tuple[float, float, float], x: Tensor) -> Tensor:
    row, col, sym = weights
    operator = torch.tensor([0.0, sym, row, col], dtype=torch.float64)
    return choose(x).forward(normalized, operator, x)
