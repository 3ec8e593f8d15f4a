"""How much each order adds to the score of one link: ⟨z_i, z_j⟩ = Σ_lm β_l β_m ⟨(A^l X)_i, (A^m X)_j⟩."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.formulation import normalize
from hlgnn.interpret.link_rows import order_rows

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.interpret.link_encoder import Kind, LinkEncoder, LinkEnds


@dataclass(frozen=True)
class LinkOrders:
    """An exact decomposition of the score before the head by orders (Eq. 2).

    Attributes:
        kind: What the score before the head is: ``dot``, ``cosine``, or ``diagonal``, a dot product with weights.
        score: That score.
        betas: β_0 … β_L.
        contributions: c_l = β_l / 2 (⟨(A^l X W)_i, z_j⟩ + ⟨z_i, (A^l X W)_j⟩), which add up to the score.
        matrix: B_lm, what order l at the first end adds together with order m at the second; c_l is the mean of the
            sums of row l and of column l.
    """

    kind: Kind
    score: float
    betas: tuple[float, ...]
    contributions: tuple[float, ...]
    matrix: tuple[tuple[float, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """For a program."""
        return {
            "kind": self.kind,
            "score": self.score,
            "betas": list(self.betas),
            "contributions": list(self.contributions),
            "matrix": [list(row) for row in self.matrix],
        }


def order_parts(encoder: LinkEncoder, first: int, second: int) -> Tensor:
    """β_l (A^l X W)_i and β_l (A^l X W)_j of each order, centred if Z is; they add up to z_i and z_j.  -> (L + 1, 2, F)

    The bias of the linear layer is propagated with the rest, so it is a part of every order.
    """
    formulation = encoder.formulation
    normalized = normalize(encoder.graph.adjacency, self_loops=formulation.self_loops)
    rows = order_rows(formulation, normalized, encoder.starts((first, second)))  # (L + 1, N, 2)
    depth, count, _ = rows.shape
    flat = encoder.input.hidden(rows.transpose(0, 1).reshape(count, 2 * depth))  # (2 (L + 1), F)
    betas = torch.tensor(formulation.betas, dtype=torch.float64)
    return betas[:, None, None] * flat.view(depth, 2, -1)


def link_orders(encoder: LinkEncoder, ends: LinkEnds, parts: Tensor) -> LinkOrders:
    """What each order, and each pair of orders, adds to the score before the head.

    Args:
        encoder: The model on a message graph.
        ends: z_i and z_j.
        parts: What ``order_parts`` gives.  (L + 1, 2, F)
    """
    matrix = (parts[:, 0] * ends.metric) @ parts[:, 1].T / ends.length  # (L + 1, L + 1)
    contributions = (parts * ends.directions).sum(dim=(1, 2)) / 2  # (L + 1,)
    return LinkOrders(
        kind=encoder.kind,
        score=ends.score,
        betas=encoder.formulation.betas,
        contributions=tuple(contributions.tolist()),
        matrix=tuple(tuple(row) for row in matrix.tolist()),
    )
