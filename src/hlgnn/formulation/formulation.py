"""H = Σ β_l A_1 ⋯ A_l: every heuristic of the family as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation.formula import Style, write_formula, write_tilted_formula
from hlgnn.formulation.geometric import geometric
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.normalization import Normalized, normalize
from hlgnn.formulation.operators import Operator
from hlgnn.formulation.polynomial import polynomial
from hlgnn.formulation.propagation import horner, recurrence
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Features, Graph

Order = Literal["reading", "recurrence"]


@dataclass(frozen=True)
class Formulation:
    """H = Σ_{l=0}^{L} β_l A_1 ⋯ A_l (Eq. 1), or Σ β_l A_l ⋯ A_1 when ``order`` is "recurrence" (Eq. 2).

    Attributes:
        name: What it is called.
        operators: A_1 … A_L.
        betas: β_0 … β_L.
        order: In which order the operators are multiplied.
        degree_scale: Whether row i is multiplied by d̃_i / 2M, as in local random walks; M counts the links, or their
            weight, and without any the rows are zero.
        self_loops: Whether Ã has ones on its diagonal, as in the paper.
        tilts: For each operator, all of which are then Ã_sym, the t with which it is D^t Ã_sym D^-t; none by default.
            With t = s - ½ that is D^-(1-s) Ã D^-s.
    """

    name: str
    operators: tuple[Operator, ...]
    betas: tuple[float, ...]
    order: Order = "reading"
    degree_scale: bool = False
    self_loops: bool = True
    tilts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.tilts and (len(self.tilts) != len(self.operators) or set(self.operators) != {Operator(sym=1.0)}):
            raise SettingsError("Tilts belong to symmetric operators, one to each.", where=f"formulation {self.name!r}")
        if len(self.betas) != len(self.operators) + 1:
            raise SettingsError(
                f"{len(self.operators)} operators need {len(self.operators) + 1} betas, not {len(self.betas)}.",
                where=f"formulation {self.name!r}",
                hint="β_0 belongs to the identity, β_l to the product of the first l operators.",
            )

    @property
    def depth(self) -> int:
        """L."""
        return len(self.operators)

    @property
    def symmetric(self) -> bool:
        """Whether H = Hᵀ on every graph, as far as each product shows it by itself.

        Example:
            >>> from hlgnn.formulation.operators import ADJ, COL, ROW
            >>> Formulation("ra", (COL, ADJ), (0.0, 0.0, 1.0)).symmetric
            True
            >>> Formulation("rwr", (ROW, ROW), (0.2, 0.16, 0.128)).symmetric
            False
        """
        return not self.tilts and all(
            _is_symmetric(self._product(order), scaled=self.degree_scale)
            for order, beta in enumerate(self.betas)
            if beta != 0
        )

    @property
    def transposed(self) -> Formulation:
        """Hᵀ: each operator is transposed, and the product is read the other way.

        Raises:
            SettingsError: If rows are scaled by degrees and H is not symmetric: columns cannot be scaled.
        """
        if not self.degree_scale:
            order: Order = "recurrence" if self.order == "reading" else "reading"
            operators = tuple(operator.transposed for operator in self.operators)
            return replace(self, operators=operators, order=order, tilts=tuple(-tilt for tilt in self.tilts))
        if self.symmetric:
            return self
        raise SettingsError(
            "The transpose would scale its columns by degrees, which no formulation does.",
            where=f"formulation {self.name!r}",
            hint="Transpose it without degree_scale and scale the columns afterwards.",
        )

    def apply(self, graph: Graph, x: Features) -> Tensor:
        """H X in the precision of X, whole numbers in double; H itself is never formed.  (N, F) -> (N, F)

        Differentiable in a dense ``x``; a sparse one, of any kind that scipy has, gives a dense result.

        Raises:
            SettingsError: If ``x`` has not one row for each node.

        Example:
            >>> from hlgnn.formulation.operators import ADJ
            >>> from hlgnn.graph import star
            >>> Formulation("cn", (ADJ, ADJ), (0.0, 0.0, 1.0)).apply(star(4), torch.eye(5))[1].tolist()
            [2.0, 2.0, 1.0, 1.0, 1.0]
        """
        rows = _dense(x)  # (N, F)
        if rows.ndim != 2 or len(rows) != graph.num_nodes:
            raise SettingsError(
                f"The shape of x is {tuple(rows.shape)}, but the graph has {graph.num_nodes} nodes.",
                where=f"formulation {self.name!r}",
                hint="x has one row for each node, and its features as columns.",
            )
        dtype = torch.float64 if rows.dtype == torch.float64 else torch.float32
        normalized = normalize(graph.adjacency, self_loops=self.self_loops, dtype=dtype)
        z = self._propagate(normalized, rows)
        return z * _degree_scale(normalized)[:, None].to(z) if self.degree_scale else z

    def scores(
        self, graph: Graph, pairs: Tensor, *, memory: int = DEFAULT_MEMORY, progress: Progress = silent
    ) -> Tensor:
        """H_ij of each pair (i, j), in double precision, without ever forming H.  (P, 2) -> (P,)

        Args:
            graph: On which graph.
            pairs: For which pairs.
            memory: About how many bytes may be used at once.
            progress: Told about each round of work.

        Raises:
            SettingsError: If ``memory`` is too little; it says how much would suffice.

        Example:
            >>> from hlgnn.formulation.operators import ADJ, COL
            >>> from hlgnn.graph import star
            >>> Formulation("ra", (COL, ADJ), (0.0, 0.0, 1.0)).scores(star(4), torch.tensor([[1, 2]]))
            tensor([0.2000], dtype=torch.float64)
        """
        from hlgnn.formulation.local_rules import as_local  # noqa: PLC0415 - these files are about formulations
        from hlgnn.formulation.local_scores import score_rules  # noqa: PLC0415
        from hlgnn.formulation.pair_scores import pair_scores  # noqa: PLC0415
        from hlgnn.formulation.tilted_scores import tilted_scores  # noqa: PLC0415

        if self.tilts:
            return tilted_scores(self, graph, pairs, memory=memory, progress=progress)
        rule = as_local(self)
        if rule is not None:
            return score_rules(graph, pairs, [rule], memory=memory, progress=progress)[0]
        return pair_scores(self, graph, pairs, memory=memory, progress=progress)

    def formula(self, style: Style = "text", *, digits: int = 4) -> str:
        """H as the paper prints it (App. C.2), in ``digits`` significant digits.

        Example:
            >>> from hlgnn.formulation.operators import SYM
            >>> Formulation("h", (SYM, SYM), (0.18, 0.19, 0.15)).formula()
            'H = 0.18 I + 0.19 Ã_sym + 0.15 Ã_sym²'
        """
        if self.tilts:
            return write_tilted_formula(
                self.betas,
                self.tilts,
                style,
                digits=digits,
                reading=self.order == "reading",
                degree_scale=self.degree_scale,
                self_loops=self.self_loops,
            )
        terms = [(beta, self._product(order)) for order, beta in enumerate(self.betas) if beta != 0]
        return write_formula(terms, style, digits=digits, degree_scale=self.degree_scale, self_loops=self.self_loops)

    def _product(self, order: int) -> tuple[Operator, ...]:
        """The operators of term l from left to right."""
        product = self.operators[:order]
        return product if self.order == "reading" else product[::-1]

    def _propagate(self, normalized: Normalized, x: Tensor) -> Tensor:
        operators = torch.tensor(self.operators, dtype=torch.float64, device=x.device).view(-1, 4)  # (L, 4)
        beta = torch.tensor(self.betas, dtype=torch.float64, device=x.device)  # (L + 1,)
        if self.tilts:
            shares = 0.5 + torch.tensor(self.tilts, dtype=torch.float64, device=x.device)  # (L,)
            return geometric(normalized, shares, beta.to(x.dtype), x, reading=self.order == "reading")
        if len(set(self.operators)) == 1:
            return polynomial(normalized, operators[0], beta, x)
        return (horner if self.order == "reading" else recurrence)(normalized, operators, beta, x)


def _is_symmetric(product: tuple[Operator, ...], *, scaled: bool) -> bool:
    """Whether A_1 ⋯ A_l, or D A_1 ⋯ A_l, is symmetric on every graph; ``False`` if that is not plain to see.

    Single matrices of Table 1 give D^a Ã D^b Ã ⋯ D^z, which is symmetric if its exponents are a palindrome; mixtures
    are judged by the transposed product being the same.
    """
    if Operator() in product:
        return True
    powers = [Operator(*(float(weight != 0) for weight in operator)).powers for operator in product]
    known = [power for power in powers if power is not None]
    if len(known) < len(powers):
        return not scaled and product == tuple(operator.transposed for operator in reversed(product))
    left, right = [p for p, _ in known], [q for _, q in known]
    exponents = [a + b for a, b in zip([*left, 0.0], [-float(scaled), *right], strict=True)]
    return exponents == exponents[::-1]


def _dense(x: Features) -> Tensor:
    rows = x if isinstance(x, torch.Tensor) else torch.from_numpy(x.toarray())
    return rows if rows.is_floating_point() else rows.double()


def _degree_scale(normalized: Normalized) -> Tensor:
    """d̃_i / 2M.  (N,)"""
    weight, num_edges = normalized.weight, normalized.adjacency.num_edges
    twice = float(num_edges if weight is None else weight.double().sum())
    return normalized.degree / twice if num_edges else torch.zeros_like(normalized.degree)
