"""Where positives stand among negatives, without a table of positives × negatives for shared ones."""

from __future__ import annotations

import torch
from torch import Tensor

from hlgnn.errors import MetricError


def check_scores(positive: Tensor, negative: Tensor) -> tuple[Tensor, Tensor]:
    """The scores in one floating type that holds both exactly, once they are known to make sense.

    Args:
        positive: One score for each positive.  (P,)
        negative: Scores of negatives that all positives share (Q,), or of each positive's own (P, K).

    Raises:
        MetricError: If a shape is wrong, if there are no scores, or if one of them is not a finite number.
    """
    if positive.ndim != 1 or negative.ndim not in (1, 2):
        shapes = f"{tuple(positive.shape)} and {tuple(negative.shape)}"
        raise MetricError(f"Scores have the shapes (P,) and (Q,) or (P, K), not {shapes}.")
    if negative.ndim == 2 and len(negative) != len(positive):
        raise MetricError(f"{len(positive)} positives cannot have {len(negative)} rows of own negatives.")
    for kind, scores in (("positives", positive), ("negatives", negative)):
        _check_values(kind, scores)
    exact = _exact_type(torch.promote_types(positive.dtype, negative.dtype))
    return positive.detach().to(exact), negative.detach().to(exact)


def _check_values(kind: str, scores: Tensor) -> None:
    if scores.numel() == 0:
        raise MetricError(
            f"There are no scores of {kind}.", hint="A metric needs at least one positive and one negative."
        )
    bad = scores.numel() - int(torch.isfinite(scores).sum())
    if bad:
        hint = "Training may have diverged: lower the learning rate, or look for a division by zero."
        raise MetricError(f"{bad} of {scores.numel()} scores of {kind} are NaN or infinite.", hint=hint)


def _exact_type(dtype: torch.dtype) -> torch.dtype:
    """A type that numpy and scikit-learn know too, and that makes no ties of its own."""
    if not dtype.is_floating_point:
        return torch.float64
    return torch.float32 if dtype.itemsize < 4 else dtype


def count_above(positive: Tensor, negative: Tensor) -> tuple[Tensor, Tensor]:
    """How many negatives stand above each positive, and how many beside it, each (P,).

    Example:
        >>> above, equal = count_above(torch.tensor([0.5, 0.1]), torch.tensor([0.9, 0.5, 0.5]))
        >>> above.tolist(), equal.tolist()
        ([1, 3], [2, 0])
    """
    if negative.ndim == 2:
        above = (negative > positive[:, None]).sum(dim=1)
        return above, (negative == positive[:, None]).sum(dim=1)
    left, right = positions(positive, negative.sort().values)
    return len(negative) - right, right - left


def positions(positive: Tensor, ascending: Tensor) -> tuple[Tensor, Tensor]:
    """How many of the ascending negatives are below each positive, and how many are at most it, each (P,)."""
    left = torch.searchsorted(ascending, positive)
    return left, torch.searchsorted(ascending, positive, right=True)
