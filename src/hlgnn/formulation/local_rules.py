"""Scores that live on common neighbours, as data; and which instances of the formulation are among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.combinations import Combination

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from torch import Tensor

    from hlgnn.formulation.formulation import Formulation


def _inverse_log(degree: Tensor) -> Tensor:
    """1 / log d; zero where d ≤ 1: such a node is the common neighbour of no two different nodes."""
    return torch.where(degree > 1, 1 / degree.clamp(min=2).log(), 0.0)


def _inverse_power(power: float) -> Callable[[Tensor], Tensor]:
    """1 / d^power, zero where d is."""
    return lambda degree: torch.where(degree > 0, degree.clamp(min=0) ** -power, 0.0)


ROWS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "one": torch.ones_like,
    "inverse_root": _inverse_power(0.5),
    "inverse": _inverse_power(1.0),
    "inverse_root_cubed": _inverse_power(1.5),
    "inverse_square": _inverse_power(2.0),
    "inverse_log": _inverse_log,
}
"""What a common neighbour k may count, as a function of d̃_k: the rows of ``values`` of ``local_sums``."""

_ROW_OF_POWER = {0.0: "one", 0.5: "inverse_root", 1.0: "inverse", 1.5: "inverse_root_cubed", 2.0: "inverse_square"}


@dataclass(frozen=True)
class LocalRule:
    """s(i, j) = scale · f(Σ_k ã_ik ã_kj v(d̃_k), a_i, a_j) + link · D^-p Ã D^-q [i, j] + loop · [i = j].

    Attributes:
        row: The name of v, a key of ``ROWS``; ``None`` when the sum is not needed.
        combination: f.
        self_loops: Whether a node is its own neighbour.
        weighted: Whether weights of links count, in sums and degrees; else the pattern alone does.
        left: a_i = d̃_i^left, for ``Combination.QUOTIENT``; every other f takes the degrees.
        right: a_j = d̃_j^right, likewise.
        scale: The factor of the first term.
        link: The factor of the second term: what being linked is worth.
        link_powers: (p, q) of the second term.
        loop: The factor of the third term.
    """

    row: str | None
    combination: Combination = Combination.QUOTIENT
    self_loops: bool = True
    weighted: bool = False
    left: float = 0.0
    right: float = 0.0
    scale: float = 1.0
    link: float = 0.0
    link_powers: tuple[float, float] = (0.0, 0.0)
    loop: float = 0.0

    @property
    def is_plain_sum(self) -> bool:
        """Whether no degree of an end matters, so that f is the sum itself."""
        return self.combination is Combination.QUOTIENT and self.left == self.right == 0.0

    def ends(self, degree: Tensor) -> tuple[Tensor, Tensor]:
        """a_i and a_j of every node, zero where a degree that divides is.  (N,) -> (N,), (N,)"""
        if self.combination is not Combination.QUOTIENT:
            return degree, degree
        return _power(degree, self.left), _power(degree, self.right)


def _power(degree: Tensor, power: float) -> Tensor:
    """d^0, d^½ or d^1, the last two rounded as kernels round them; d^0 is one for every d."""
    if power == 0.0:
        return torch.ones_like(degree)
    return degree.clamp(min=0).sqrt() if power == 0.5 else degree.clamp(min=0)


def as_local(formulation: Formulation) -> LocalRule | None:
    """The rule with the same scores, if H has two steps and each is one matrix of Table 1; else ``None``.

    β_2 (D^-p1 Ã D^-q1)(D^-p2 Ã D^-q2) has the entries β_2 d̃_i^-p1 (Σ_k ã_ik ã_kj d̃_k^-(q1 + p2)) d̃_j^-q2.

    Example:
        >>> from hlgnn.formulation.formulation import Formulation
        >>> from hlgnn.formulation.operators import ADJ, COL, ROW
        >>> as_local(Formulation("ra", (COL, ADJ), (0.0, 0.0, 1.0))).row
        'inverse'
        >>> as_local(Formulation("lpi", (ADJ, ADJ, ADJ), (0.0, 0.0, 1.0, 0.1))) is None
        True
    """
    if formulation.depth != 2 or formulation.degree_scale or formulation.tilts:
        return None
    first, second = (operator.powers for operator in formulation.operators)
    if first is None or second is None:
        return None
    left, right = (first, second) if formulation.order == "reading" else (second, first)
    loop, link, scale = formulation.betas
    return LocalRule(
        row=_ROW_OF_POWER[left[1] + right[0]],
        self_loops=formulation.self_loops,
        weighted=True,
        left=left[0],
        right=right[1],
        scale=scale,
        link=link,
        link_powers=first,
        loop=loop,
    )
