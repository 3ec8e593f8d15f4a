"""B_lm: what the cosine of order l at one end with order m at the other is worth to a head that reads them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.models.order_matrix import count_cosines
from hlgnn.models.pair_features import NAMES

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.models import HLGNN
    from hlgnn.models.hlgnn import Prepared


@dataclass(frozen=True)
class OrderWeights:
    """A generalized heuristic Σ_lm B_lm ⟨u_l,i , u_m,j⟩ instead of Σ_lm β_l β_m ⟨(A^l X)_i , (A^m X)_j⟩.

    Attributes:
        orders: l and m.
        matrix: B, symmetric; for a head with hidden layers the mean of its gradients over some pairs.
    """

    orders: tuple[int, ...]
    matrix: tuple[tuple[float, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """For a program."""
        return {"orders": list(self.orders), "matrix": [list(row) for row in self.matrix]}

    def lines(self) -> list[str]:
        """For a person."""
        head = "B_lm   " + " ".join(f"{order:>7d}" for order in self.orders)
        rows = zip(self.orders, self.matrix, strict=True)
        return [head, *(f"{order:>6d} " + " ".join(f"{value:>7.2f}" for value in row) for order, row in rows)]


def order_weights(model: HLGNN, prepared: Prepared, pairs: Tensor) -> OrderWeights | None:
    """B with Σ_lm B_lm c_lm as the part of the logit that the cosines make, to first order; ``None`` if none are read.

    B_ll = mean of ∂ logit / ∂ c_ll, and B_lm = B_ml = half of that of c_lm, which is the mean of two cosines.

    Args:
        model: A trained model.
        prepared: What ``model.prepare`` made of a message graph.
        pairs: Over which gradients are averaged, such as validation links and their negatives.  (P, 2)
    """
    head, reader, view = model.settings.head, model.pair_reader, prepared.view
    if not head.order_matrix or reader is None or view is None:
        return None
    was_training = model.training
    model.eval()
    with torch.no_grad():
        state, numbers = model.encode(prepared), reader(view, pairs)  # (P, C)
    with torch.enable_grad():
        given = numbers.requires_grad_()
        (gradient,) = torch.autograd.grad(model.logits(state, pairs, given).sum(), given)
    model.train(was_training)
    start = len(NAMES) * head.pair_features
    slope = (gradient.mean(dim=0) / reader.deviation)[start : start + count_cosines(head.order_matrix)]
    size = len(head.order_matrix)
    rows, columns = torch.triu_indices(size, size)
    half = torch.zeros(size, size)
    half[rows, columns] = slope / 2
    matrix = (half + half.T).tolist()
    return OrderWeights(head.order_matrix, tuple(tuple(row) for row in matrix))
