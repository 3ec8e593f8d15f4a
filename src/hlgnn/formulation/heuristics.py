"""Table 2 of the paper and the new heuristics of its Appendix D, each as operators and betas.

Γ_i is the neighbourhood of i and d̃_i its size; with ``self_loops``, the paper's convention, both count i itself. Names
of matrices are those of Table 1: Ã, Ã_sym = D^-½ Ã D^-½, Ã_rs = D^-1 Ã, Ã_cs = Ã D^-1.
"""

from __future__ import annotations

from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.formulation.parameters import Parameter
from hlgnn.formulation.series import Series
from hlgnn.formulation.symmetrized import Symmetrized

GAMMA = Parameter("gamma", 0.05, above=0, meaning="how much a walk counts less for each further step")
PHI = Parameter("phi", 0.05, above=0, meaning="how much a walk counts less for each further step")
ALPHA = Parameter("alpha", 0.85, above=0, below=1, meaning="the probability to walk on instead of starting again")
ORDER = Parameter(
    "order", 6, above=0, optional=True, meaning="the longest walk; none: as long as the tolerance asks for"
)
ENDLESS = Parameter(
    "order", None, above=0, optional=True, meaning="the longest walk; none: as long as the tolerance asks for"
)
PATH_ORDER = Parameter("order", 3, above=1, meaning="the longest walk")
NUM_TERMS = Parameter("order", 4, above=0, meaning="the number of terms, that is one more than the longest walk")
TOLERANCE = Parameter("tolerance", 1e-9, above=0, below=1, meaning="what may be missing from a score")
SYMMETRIZED = Parameter("symmetrized", default=False, meaning="whether both directions are added up")


def common_neighbors(*, self_loops: bool = True) -> Formulation:
    """|Γ_i ∩ Γ_j| = (Ã²)_ij (CN).

    Example:
        >>> common_neighbors().operators == (ADJ, ADJ)
        True
    """
    return Formulation("cn", (ADJ, ADJ), (0.0, 0.0, 1.0), self_loops=self_loops)


def llhn(*, self_loops: bool = True) -> Formulation:
    """|Γ_i ∩ Γ_j| / (d̃_i d̃_j) = (Ã_rs Ã_cs)_ij, the local index of Leicht, Holme and Newman (LLHN)."""
    return Formulation("llhn", (ROW, COL), (0.0, 0.0, 1.0), self_loops=self_loops)


def resource_allocation(*, self_loops: bool = True) -> Formulation:
    """Σ_{k ∈ Γ_i ∩ Γ_j} 1 / d̃_k = (Ã_cs Ã)_ij (RA)."""
    return Formulation("ra", (COL, ADJ), (0.0, 0.0, 1.0), self_loops=self_loops)


def resource_allocation_by_rows(*, self_loops: bool = True) -> Formulation:
    """The second configuration of RA, (Ã Ã_rs)_ij: the same scores from other operators (the note below Table 2)."""
    return Formulation("ra-rows", (ADJ, ROW), (0.0, 0.0, 1.0), self_loops=self_loops)


def inverse_square(*, self_loops: bool = True) -> Formulation:
    """Σ_{k ∈ Γ_i ∩ Γ_j} 1 / d̃_k² = (Ã_cs Ã_rs)_ij, the first new heuristic of Appendix D."""
    return Formulation("inverse-square", (COL, ROW), (0.0, 0.0, 1.0), self_loops=self_loops)


def normalized_resource_allocation(*, self_loops: bool = True) -> Formulation:
    """RA_ij / √(d̃_i d̃_j) = (Ã_sym²)_ij, the second new heuristic of Appendix D."""
    return Formulation("normalized-ra", (SYM, SYM), (0.0, 0.0, 1.0), self_loops=self_loops)


def katz(
    gamma: float = 0.05, order: int | None = 6, *, tolerance: float = 1e-9, self_loops: bool = True
) -> Formulation | Series:
    """Σ_{l=1}^{order} γ^l (Ã^l)_ij (KI): walks of every length, longer ones counting less.

    Args:
        gamma: γ. An endless sum converges below 1 / λ_max, which depends on the graph.
        order: The longest walk; ``None`` for as long as ``tolerance`` asks for.
        tolerance: What may be missing from a score of the endless sum.
        self_loops: Whether a node is its own neighbour.

    Example:
        >>> katz(gamma=0.5, order=2).betas
        (0.0, 0.5, 0.25)
    """
    GAMMA.check(gamma, "ki")
    return _walks("ki", ADJ, gamma, 0.0, 1.0, order, tolerance, "gamma", self_loops=self_loops)


def glhn(
    phi: float = 0.05, order: int | None = 6, *, tolerance: float = 1e-9, self_loops: bool = True
) -> Formulation | Series:
    """(I + Σ_{l=1}^{order} φ^l Ã^l)_ij, the global index of Leicht, Holme and Newman (GLHN); see ``katz``."""
    PHI.check(phi, "glhn")
    return _walks("glhn", ADJ, phi, 1.0, 1.0, order, tolerance, "phi", self_loops=self_loops)


def random_walk_with_restart(
    alpha: float = 0.85,
    order: int | None = None,
    *,
    tolerance: float = 1e-9,
    symmetrized: bool = False,
    self_loops: bool = True,
) -> Formulation | Series | Symmetrized:
    """Σ_{l=0}^{order} (1 − α) α^l (Ã_rs^l)_ij (RWR, personalised PageRank): where a walker who starts at i is found.

    Row i is the walk from i, so the score is not symmetric; ``symmetrized`` adds both directions.

    Args:
        alpha: The probability to walk on; with 1 − α the walker starts again at i.
        order: The longest walk; ``None`` for as long as ``tolerance`` asks for.
        tolerance: What may be missing from a score of the endless sum, and from a row as a whole.
        symmetrized: Whether the score is H_ij + H_ji.
        self_loops: Whether a node is its own neighbour.
    """
    ALPHA.check(alpha, "rwr")
    walk = _walks("rwr", ROW, alpha, 1 - alpha, 1 - alpha, order, tolerance, "alpha", self_loops=self_loops)
    return Symmetrized(walk) if symmetrized else walk


def flow_propagation(
    alpha: float = 0.85, order: int | None = None, *, tolerance: float = 1e-9, self_loops: bool = True
) -> Formulation | Series:
    """Σ_{l=0}^{order} (1 − α) α^l (Ã_sym^l)_ij (FP): RWR with the symmetric matrix, from Appendix D."""
    ALPHA.check(alpha, "fp")
    return _walks("fp", SYM, alpha, 1 - alpha, 1 - alpha, order, tolerance, "alpha", self_loops=self_loops)


def local_path(gamma: float = 0.01, order: int = 3, *, self_loops: bool = True) -> Formulation:
    """Σ_{l=2}^{order} γ^{l−2} (Ã^l)_ij (LPI): common neighbours and a little of the longer walks."""
    GAMMA.check(gamma, "lpi")
    PATH_ORDER.check(order, "lpi")
    betas = (0.0, 0.0, *(gamma ** (length - 2) for length in range(2, order + 1)))
    return Formulation("lpi", (ADJ,) * order, betas, self_loops=self_loops)


def local_random_walk(
    alpha: float = 0.85, order: int = 4, *, symmetrized: bool = False, self_loops: bool = True
) -> Formulation | Symmetrized:
    """(d̃_i / 2M) Σ_{l=0}^{order−1} (1 − α) α^l (Ã_rs^l)_ij (LRW): a short walk, which starts at i in proportion to d̃_i.

    A random walk is reversible, d̃_i (Ã_rs^l)_ij = d̃_j (Ã_rs^l)_ji, so the score is symmetric already, and
    ``symmetrized`` doubles it.
    """
    ALPHA.check(alpha, "lrw")
    NUM_TERMS.check(order, "lrw")
    betas = tuple((1 - alpha) * alpha**length for length in range(order))
    walk = Formulation("lrw", (ROW,) * (order - 1), betas, degree_scale=True, self_loops=self_loops)
    return Symmetrized(walk) if symmetrized else walk


def _walks(
    name: str,
    operator: Operator,
    ratio: float,
    first: float,
    scale: float,
    order: int | None,
    tolerance: float,
    symbol: str,
    *,
    self_loops: bool,
) -> Formulation | Series:
    """β_0 I + scale · Σ_{l ≥ 1} ratio^l A^l with β_0 = ``first``, cut at ``order`` or at a tolerance."""
    ENDLESS.check(order, name)
    TOLERANCE.check(tolerance, name)
    if order is None:
        return Series(name, operator, ratio, first, scale, tolerance, self_loops, symbol)
    betas = (first, *(scale * ratio**length for length in range(1, order + 1)))
    return Formulation(name, (operator,) * order, betas, self_loops=self_loops)
