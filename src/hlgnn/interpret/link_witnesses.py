"""Which nodes carry the score of one link: z_i = Σ_k H_ik x_k, so ⟨z_i, z_j⟩ = Σ_k H_ik ⟨x_k, z_j⟩."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.interpret.link_encoder import LinkEncoder, LinkEnds


@dataclass(frozen=True)
class Witness:
    """A node through which the ends agree.

    Attributes:
        node: Its number.
        contribution: ½ (H_ik ⟨x_k, z_j⟩ + H_jk ⟨x_k, z_i⟩); over all nodes these add up to the score before the head.
        share: The contribution, divided by the sum of those of all nodes without their signs.
        from_first: The half with H_ik.
        from_second: The half with H_jk.
        reach_first: H_ik.
        reach_second: H_jk.
    """

    node: int
    contribution: float
    share: float
    from_first: float
    from_second: float
    reach_first: float
    reach_second: float

    def to_dict(self) -> dict[str, Any]:
        """For a program."""
        return asdict(self)


def witness_halves(encoder: LinkEncoder, ends: LinkEnds) -> Tensor:
    """½ H_ik ⟨x_k, z_j⟩ and ½ H_jk ⟨x_k, z_i⟩ of every node k (Eq. 1); all together add up to the score.  (N, 2)"""
    return ends.rows * encoder.input.along(ends.directions.T.contiguous()) / 2


def link_witnesses(encoder: LinkEncoder, ends: LinkEnds, count: int) -> tuple[Witness, ...]:
    """The nodes with the largest contributions of either sign, the ends among them; ties are ordered by node."""
    halves = witness_halves(encoder, ends)  # (N, 2)
    both = halves.sum(dim=1)  # (N,)
    total = float(both.abs().sum())
    order = both.abs().sort(descending=True, stable=True).indices[:count]
    found = []
    for node in order.tolist():
        contribution = float(both[node])
        if contribution == 0.0:
            break
        first, second = halves[node].tolist()
        reach = ends.rows[node].tolist()
        found.append(Witness(node, contribution, contribution / total, first, second, *reach))
    return tuple(found)
