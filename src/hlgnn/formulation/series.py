"""Infinite sums of the family, cut where the rest is below a tolerance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation import closed_series
from hlgnn.formulation.closed_series import closed_form_pays, closed_sums, has_closed_form, walk_nanoseconds
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.local_sums import pair_numbers
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.operators import ADJ, SYM, Operator
from hlgnn.formulation.pair_scores import pair_scores
from hlgnn.formulation.solved_series import Equations, equations_of
from hlgnn.formulation.spectrum import spectrum
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph

MOST_TERMS = 100_000
"""More terms than any use has; a ratio this close to its limit is a mistake."""


@dataclass(frozen=True)
class Series:
    """H = first · I + scale · Σ_{l ≥ 1} ratio^l A^l, with as many terms as the graph needs.

    What is left out is at most ``tolerance`` in every score: Σ_{l > L} scale (ratio λ)^l, where λ is the largest
    eigenvalue of A: that of Ã for the Katz index and GLHN, and one for the other matrices of Table 1.

    Attributes:
        name: What it is called.
        operator: A, one of Table 1.
        ratio: γ, φ or α.
        first: β_0.
        scale: What multiplies every later β.
        tolerance: The most that may be missing from a score.
        self_loops: Whether Ã has ones on its diagonal, as in the paper.
        symbol: What the ratio is called in errors.
    """

    name: str
    operator: Operator
    ratio: float
    first: float = 0.0
    scale: float = 1.0
    tolerance: float = 1e-9
    self_loops: bool = True
    symbol: str = "gamma"

    @property
    def symmetric(self) -> bool:
        """Whether H_ij = H_ji on every graph."""
        return self.operator in {ADJ, SYM}

    def on(self, graph: Graph) -> Formulation:
        """The finite sum that is within ``tolerance`` on this graph.

        Powers of Ã grow without bound and those of γ vanish, beyond what a number can hold; so the sum over Ã has the
        terms (γÃ)^l, with γ as the weight of the operator.

        Raises:
            SettingsError: If the sum does not converge on it.

        Example:
            >>> from hlgnn.formulation.heuristics import random_walk_with_restart
            >>> from hlgnn.graph import path
            >>> random_walk_with_restart(alpha=0.5, tolerance=1e-3).on(path(4)).depth
            9
        """
        depth = self._depth(self._largest_eigenvalue(graph))
        if self.operator == ADJ:
            step, later = Operator(adj=self.ratio), (self.scale,) * depth
        else:
            step, later = self.operator, tuple(self.scale * self.ratio**order for order in range(1, depth + 1))
        return Formulation(self.name, (step,) * depth, (self.first, *later), self_loops=self.self_loops)

    def scores(
        self, graph: Graph, pairs: Tensor, *, memory: int = DEFAULT_MEMORY, progress: Progress = silent
    ) -> Tensor:
        """H_ij of each pair, in double precision.  (P, 2) -> (P,)

        Where walks would take long, the whole sum is computed in closed form on small dense graphs, and by solving
        equations on others.
        """
        ends, finite = torch.from_numpy(pair_numbers(pairs, graph.num_nodes)), self.on(graph)
        if self.is_closed(graph, ends, finite.depth, memory):
            sums = closed_sums(graph, self.operator, self.ratio, ends, self_loops=self.self_loops)
            return self._scores_of(sums, ends)
        equations = self.equations(graph, ends, finite.depth, memory)
        if equations is not None:
            return self._scores_of(equations.sums(memory, progress, f"Scores of {self.name}"), ends)
        return pair_scores(finite, graph, ends, memory=memory, progress=progress)

    def is_closed(self, graph: Graph, pairs: Tensor, depth: int, memory: int) -> bool:
        """Whether these pairs are scored in closed form, and not by so many orders of walks."""
        return has_closed_form(self.operator) and closed_form_pays(graph, pairs, depth, memory)

    def equations(self, graph: Graph, pairs: Tensor, depth: int, memory: int) -> Equations | None:
        """What is solved for these pairs, or ``None`` if so many orders of walks are sooner done."""
        if not has_closed_form(self.operator) or walk_nanoseconds(graph, pairs, depth) <= closed_series.WORTHWHILE:
            return None
        q = self.ratio * self._largest_eigenvalue(graph)
        found = equations_of(
            graph, self.operator, self.ratio, q, pairs, self.tolerance / self.scale, self_loops=self.self_loops
        )
        return found if found.pay(depth, memory) else None

    def _scores_of(self, sums: Tensor, pairs: Tensor) -> Tensor:
        return self.scale * sums + self.first * (pairs[:, 0] == pairs[:, 1]).double()

    def _largest_eigenvalue(self, graph: Graph) -> float:
        if self.operator != ADJ:
            return 1.0
        return spectrum(graph, self_loops=self.self_loops).largest * (1 + 1e-9)

    def _depth(self, largest: float) -> int:
        """The least L with scale · q^{L+1} / (1 − q) ≤ tolerance, where q = ratio · λ."""
        q = self.ratio * largest
        if q >= 1:
            raise SettingsError(
                f"{self.symbol} = {self.ratio:g} is too large: the sum over walks diverges, "
                f"because the largest eigenvalue of this graph is {largest:.6g}.",
                where=f"{self.name}.{self.symbol}",
                hint=f"Choose {self.symbol} below {1 / largest:.6g}, or a finite order.",
            )
        if q == 0 or self.scale == 0:
            return 0
        depth = max(0, math.ceil(math.log(self.tolerance * (1 - q) / self.scale) / math.log(q)) - 1)
        if depth > MOST_TERMS:
            raise SettingsError(
                f"{self.symbol} = {self.ratio:g} is so close to its limit {1 / largest:.6g} "
                f"that the sum needs {depth} terms.",
                where=f"{self.name}.{self.symbol}",
                hint=f"Choose a smaller {self.symbol}, a larger tolerance, or a finite order.",
            )
        return depth
