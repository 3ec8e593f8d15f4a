"""Every heuristic as a row of the comparison; what it can be told is chosen on the validation links."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from hlgnn.formulation import DEFAULT_MEMORY, HEURISTICS, parse
from hlgnn.models.card import ModelCard
from hlgnn.models.link_model import LinkModel
from hlgnn.settings import Settings

if TYPE_CHECKING:
    from hlgnn.graph import Graph

CITATIONS = {
    "cn": "Liben-Nowell and Kleinberg, CIKM 2003",
    "ki": "Katz, Psychometrika 1953",
    "ra": "Zhou, Lü and Zhang, European Physical Journal B 2009",
    "aa": "Adamic and Adar, Social Networks 2003",
    "rwr": "Brin and Page, 1998; Tong, Faloutsos and Pan, ICDM 2006",
    "lrw": "Liu and Lü, Europhysics Letters 2010",
    "llhn": "Leicht, Holme and Newman, Physical Review E 2006",
    "glhn": "Leicht, Holme and Newman, Physical Review E 2006",
    "lpi": "Lü, Jin and Zhou, Physical Review E 2009",
}
CHOICES: dict[str, tuple[str, ...]] = {
    "ki": tuple(f"ki:gamma={gamma},order=6" for gamma in (0.0005, 0.005, 0.02, 0.05)),
    "glhn": tuple(f"glhn:phi={phi},order=6" for phi in (0.005, 0.05, 0.2)),
    "rwr": tuple(f"rwr:alpha={alpha},order=20,symmetrized=true" for alpha in (0.5, 0.7, 0.85, 0.95)),
    "fp": tuple(f"fp:alpha={alpha},order=20" for alpha in (0.5, 0.7, 0.85, 0.95)),
    "lpi": tuple(f"lpi:gamma={gamma}" for gamma in (0.001, 0.01, 0.1)),
    "lrw": tuple(f"lrw:alpha={alpha},order=4,symmetrized=true" for alpha in (0.5, 0.85, 0.95)),
}
"""What is tried for heuristics with a parameter."""


class HeuristicSettings(Settings):
    """A heuristic.

    Attributes:
        requests: What is tried, such as ``ki:gamma=0.01``; the best on the validation links is kept. None is what the
            method comes with.
        self_loops: Whether a node is its own neighbour.
    """

    requests: tuple[str, ...] = ()
    self_loops: bool = True


class HeuristicModel(LinkModel["Graph", "Graph"]):
    """Scores by a formula (Table 2); nothing is learned, and at most a parameter is chosen."""

    chosen: Tensor
    pairs_at_once = 1 << 22  # what pairs share is computed once for all of them, within the memory that is given

    def __init__(self, name: str, graph: Graph, settings: HeuristicSettings, generator: torch.Generator) -> None:
        super().__init__()
        del graph, generator
        requests = settings.requests or CHOICES.get(name, (name,))
        self.heuristics = [parse(each, self_loops=settings.self_loops) for each in requests]
        self.register_buffer("chosen", torch.tensor(0))

    @property
    def choices(self) -> int:
        """How many parameters there are to choose from."""
        return len(self.heuristics)

    def choose(self, number: int) -> None:
        """Use one of them."""
        self.chosen.fill_(number)

    def prepare(self, graph: Graph) -> Graph:
        """The graph is all that is needed."""
        return graph

    def encode(self, prepared: Graph) -> Graph:
        """The graph itself."""
        return prepared

    def score(self, state: Graph, pairs: Tensor) -> Tensor:
        """H_ij in double precision, so that close scores are not made equal.  (P, 2) -> (P,)"""
        return self.heuristics[int(self.chosen)].scores(state, pairs, memory=DEFAULT_MEMORY)


CARDS = tuple(
    ModelCard(
        name=entry.name,
        title=entry.title,
        settings=HeuristicSettings,
        build=partial(HeuristicModel, entry.name),
        citation=CITATIONS.get(entry.name, "Lü and Zhou, Physica A 2011, a survey"),
        learns=False,
    )
    for entry in HEURISTICS.values()
)
