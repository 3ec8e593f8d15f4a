"""Local heuristics that stand beside the formulation: Adamic-Adar, Jaccard and their relatives.

They are no sums of products of the operators of Table 1, and every user wants them. On a weighted graph they count the
pattern alone: a set of neighbours has no weights. Where the formulation has an instance, as for common neighbours, it
does use them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import SettingsError
from hlgnn.formulation.combinations import Combination
from hlgnn.formulation.local_rules import LocalRule, as_local
from hlgnn.formulation.local_scores import score_rules
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

    from hlgnn.formulation.formulation import Formulation
    from hlgnn.graph import Graph


@dataclass(frozen=True)
class LocalHeuristic:
    """A score of two nodes by their neighbours in common and their degrees.

    Γ_i holds i itself and d̃ = d + 1 with ``self_loops``, as in the paper; without them Adamic-Adar, Jaccard and
    preferential attachment equal networkx. 0 / 0 is 0.

    Attributes:
        name: How it is asked for.
        title: What it is called in a table.
        formula: Its definition, as text.
        row: What a common neighbour counts, a key of ``ROWS``; ``None`` when only degrees matter.
        combination: How the sum and the degrees become the score.
        self_loops: Whether a node is its own neighbour.
    """

    name: str
    title: str
    formula: str
    row: str | None
    combination: Combination
    self_loops: bool = True

    @property
    def symmetric(self) -> bool:
        """All of them are."""
        return True

    @property
    def rows(self) -> tuple[str, ...]:
        """Which rows of ``values`` it needs ``local_sums`` for, by name."""
        return () if self.row is None else (self.row,)

    @property
    def rule(self) -> LocalRule:
        """The same as data for kernels."""
        return LocalRule(self.row, self.combination, self_loops=self.self_loops)

    def scores(
        self, graph: Graph, pairs: Tensor, *, memory: int = DEFAULT_MEMORY, progress: Progress = silent
    ) -> Tensor:
        """The score of each pair, in double precision.  (P, 2) -> (P,)

        Example:
            >>> import torch
            >>> from hlgnn.graph import star
            >>> jaccard(self_loops=False).scores(star(leaves=4), torch.tensor([[1, 2], [0, 1]]))
            tensor([1., 0.], dtype=torch.float64)
        """
        return score_rules(graph, pairs, [self.rule], memory=memory, progress=progress)[0]


def adamic_adar(*, self_loops: bool = True) -> LocalHeuristic:
    """Σ_{k ∈ Γ_i ∩ Γ_j} 1 / log d̃_k; a neighbour of degree one, which only i = j may have, counts nothing."""
    formula = "Σ_{k ∈ Γ_i ∩ Γ_j} 1 / log d̃_k"
    return LocalHeuristic("aa", "Adamic-Adar", formula, "inverse_log", Combination.QUOTIENT, self_loops)


def jaccard(*, self_loops: bool = True) -> LocalHeuristic:
    """|Γ_i ∩ Γ_j| / |Γ_i ∪ Γ_j|."""
    formula = "|Γ_i ∩ Γ_j| / |Γ_i ∪ Γ_j|"
    return LocalHeuristic("jaccard", "Jaccard", formula, "one", Combination.JACCARD, self_loops)


def salton(*, self_loops: bool = True) -> LocalHeuristic:
    """|Γ_i ∩ Γ_j| / √(d̃_i d̃_j), the cosine of two rows of Ã."""
    formula = "|Γ_i ∩ Γ_j| / √(d̃_i d̃_j)"
    return LocalHeuristic("salton", "Salton (cosine)", formula, "one", Combination.SALTON, self_loops)


def sorensen(*, self_loops: bool = True) -> LocalHeuristic:
    """2 |Γ_i ∩ Γ_j| / (d̃_i + d̃_j)."""
    formula = "2 |Γ_i ∩ Γ_j| / (d̃_i + d̃_j)"
    return LocalHeuristic("sorensen", "Sørensen", formula, "one", Combination.SORENSEN, self_loops)


def hub_promoted(*, self_loops: bool = True) -> LocalHeuristic:
    """|Γ_i ∩ Γ_j| / min(d̃_i, d̃_j)."""
    formula = "|Γ_i ∩ Γ_j| / min(d̃_i, d̃_j)"
    return LocalHeuristic("hpi", "Hub promoted", formula, "one", Combination.HUB_PROMOTED, self_loops)


def hub_depressed(*, self_loops: bool = True) -> LocalHeuristic:
    """|Γ_i ∩ Γ_j| / max(d̃_i, d̃_j)."""
    formula = "|Γ_i ∩ Γ_j| / max(d̃_i, d̃_j)"
    return LocalHeuristic("hdi", "Hub depressed", formula, "one", Combination.HUB_DEPRESSED, self_loops)


def preferential_attachment(*, self_loops: bool = True) -> LocalHeuristic:
    """d̃_i d̃_j: no neighbour has to be shared."""
    return LocalHeuristic("pa", "Preferential attachment", "d̃_i d̃_j", None, Combination.ATTACHMENT, self_loops)


LOCAL_HEURISTICS = (
    adamic_adar,
    jaccard,
    salton,
    sorensen,
    hub_promoted,
    hub_depressed,
    preferential_attachment,
)
"""All heuristics of this file, to be called with or without self-loops."""


def local_rule(heuristic: LocalHeuristic | Formulation) -> LocalRule:
    """What kernels need to know of ``heuristic``.

    Raises:
        SettingsError: If it needs more than common neighbours and degrees.
    """
    rule = heuristic.rule if isinstance(heuristic, LocalHeuristic) else as_local(heuristic)
    if rule is None:
        raise SettingsError(
            f"{heuristic.name!r} does not live on common neighbours.",
            hint="A formulation does when it has two steps, each of them one matrix of Table 1.",
        )
    return rule


def score_locals(
    graph: Graph,
    pairs: Tensor,
    requests: Iterable[LocalHeuristic | Formulation],
    *,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> dict[str, Tensor]:
    """The scores of each request by its name, all from one pass over the pairs.  (P, 2) -> (P,) each

    Requests with other self-loops need a pass of their own; so do, on a weighted graph, those that count weights.

    Example:
        >>> import torch
        >>> from hlgnn.formulation.formulation import Formulation
        >>> from hlgnn.formulation.operators import ADJ
        >>> from hlgnn.graph import star
        >>> common = Formulation("cn", (ADJ, ADJ), (0.0, 0.0, 1.0))
        >>> scores = score_locals(star(leaves=4), torch.tensor([[1, 2]]), [common, jaccard(), adamic_adar()])
        >>> {name: round(score.item(), 4) for name, score in scores.items()}
        {'cn': 1.0, 'jaccard': 0.3333, 'aa': 0.6213}
    """
    wanted = list(requests)
    names = [heuristic.name for heuristic in wanted]
    if len(set(names)) < len(names):
        raise SettingsError("Two heuristics have the same name.", where=", ".join(names), hint="Ask for each once.")
    rules = [local_rule(heuristic) for heuristic in wanted]
    scores = score_rules(graph, pairs, rules, memory=memory, progress=progress)  # (R, P)
    return dict(zip(names, scores, strict=True))
