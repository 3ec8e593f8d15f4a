"""What training makes small: losses of the scores of positives and of their negatives (Sect. 4.1, Eq. 4)."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import softplus

from hlgnn.registry import Registry

Objective = Callable[[Tensor, Tensor, Tensor], Tensor]
"""(scores of positives (B,), of their negatives (B, K), margins γ_ij (B,)) -> the loss, a mean over pairs.  ()"""


def binary_cross_entropy(positive: Tensor, negative: Tensor, _margin: Tensor) -> Tensor:
    """−log σ(s⁺) − log(1 − σ(s⁻)) on logits, so that it has a gradient however large they are.

    Example:
        >>> zero = torch.zeros(1)
        >>> round(float(binary_cross_entropy(zero, zero[:, None], zero)), 4)  # 2 log 2
        1.3863
    """
    return softplus(-positive).mean() + softplus(negative).mean()


def squared_auc(positive: Tensor, negative: Tensor, _margin: Tensor) -> Tensor:
    """(1 − s⁺ + s⁻)², which also asks those that are far enough apart to come closer."""
    return (1 - positive[:, None] + negative).square().mean()


def hinge_auc(positive: Tensor, negative: Tensor, _margin: Tensor) -> Tensor:
    """max(0, 1 − s⁺ + s⁻)²."""
    return torch.relu(1 - positive[:, None] + negative).square().mean()


def adaptive_hinge_auc(positive: Tensor, negative: Tensor, margin: Tensor) -> Tensor:
    """γ_ij max(0, γ_ij − s⁺ + s⁻)² with the margin of the link (Eq. 4); with margins of one it is ``hinge_auc``."""
    gap = margin[:, None]
    return (gap * torch.relu(gap - positive[:, None] + negative).square()).mean()


def log_rank(positive: Tensor, negative: Tensor, _margin: Tensor) -> Tensor:
    """−log σ(s⁺ − s⁻): the chance that the positive stands first, in logarithms."""
    return softplus(negative - positive[:, None]).mean()


OBJECTIVES: Registry[Objective] = Registry(
    "objective",
    {
        "bce": binary_cross_entropy,
        "squared-auc": squared_auc,
        "hinge-auc": hinge_auc,
        "adaptive-hinge-auc": adaptive_hinge_auc,
        "log-rank": log_rank,
    },
)
