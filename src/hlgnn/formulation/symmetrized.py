"""H + Hᵀ: a score that does not ask which node comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch

from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import ADJ, Operator
from hlgnn.formulation.series import Series
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.formulation import Formulation
    from hlgnn.graph import Graph


@dataclass(frozen=True)
class Symmetrized:
    """H_ij + H_ji, as the paper suggests for walks (the proof for RWR).

    Attributes:
        one_way: H.
    """

    one_way: Formulation | Series
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or f"{self.one_way.name}-symmetrized")

    @property
    def self_loops(self) -> bool:
        """Whether a node is its own neighbour."""
        return self.one_way.self_loops

    @property
    def symmetric(self) -> bool:
        """True by construction."""
        return True

    def on(self, graph: Graph) -> Symmetrized:
        """The same with as many terms as this graph needs."""
        return Symmetrized(finite(self.one_way, graph), self.name)

    def scores(
        self, graph: Graph, pairs: Tensor, *, memory: int = DEFAULT_MEMORY, progress: Progress = silent
    ) -> Tensor:
        """H_ij + H_ji of each pair.  (P, 2) -> (P,)

        Example:
            >>> from hlgnn.formulation.formulation import Formulation
            >>> from hlgnn.formulation.operators import ROW
            >>> from hlgnn.graph import star
            >>> both = Symmetrized(Formulation("step", (ROW,), (0.0, 1.0), self_loops=False))
            >>> both.scores(star(4), torch.tensor([[0, 1]])).tolist()
            [1.25]
        """
        formulation = finite(self.one_way, graph)
        forward = self.one_way.scores(graph, pairs, memory=memory, progress=progress)
        exponent = reversal(formulation)
        if exponent is None:
            return forward + self.one_way.scores(graph, pairs.flip(1), memory=memory, progress=progress)
        return forward * (1 + degree_ratio(graph, pairs, exponent, self_loops=self.self_loops))


class SingleMatrix(NamedTuple):
    """An operator that is ``weight`` · D^-p Ã D^-q."""

    weight: float
    p: float
    q: float


def single_matrix(operator: Operator) -> SingleMatrix | None:
    """The operator as a multiple of one matrix of Table 1, or ``None`` if it is a mixture or zero.

    Example:
        >>> single_matrix(Operator(row=0.5))
        SingleMatrix(weight=0.5, p=1.0, q=0.0)
    """
    powers = Operator(*(float(weight != 0) for weight in operator)).powers
    return None if powers is None else SingleMatrix(sum(operator), *powers)


def finite(heuristic: Formulation | Series, graph: Graph) -> Formulation:
    """The finite sum that stands for a heuristic on this graph."""
    return heuristic.on(graph) if isinstance(heuristic, Series) else heuristic


def reversal(formulation: Formulation) -> float | None:
    """The e with H_ji = H_ij (d̃_i / d̃_j)^e on every graph, or ``None`` if there is none.

    One repeated matrix D^-p Ã D^-q is similar to a symmetric one: (A^l)_ji = (A^l)_ij (d̃_i / d̃_j)^{p − q}. Multiplying
    row i by d̃_i takes one from the exponent.
    """
    repeated = set(formulation.operators) or {ADJ}
    single = single_matrix(repeated.pop())
    if repeated or single is None:
        return None
    return single.p - single.q - formulation.degree_scale


def degree_ratio(graph: Graph, pairs: Tensor, exponent: float, *, self_loops: bool) -> Tensor:
    """(d̃_i / d̃_j)^exponent of each pair; one where a degree is zero, as nothing but a node itself is reached then."""
    degree = normalize(graph.adjacency, self_loops=self_loops).degree
    known = torch.where(degree > 0, degree, 1.0)
    return (known[pairs[:, 0]] / known[pairs[:, 1]]) ** exponent
