"""What ranks links: the trained model of a run, or the heuristic that is used in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.formulation import score_table
from hlgnn.jobs.study.methods import FEATURES, parse_method
from hlgnn.jobs.study.rank import Ranking, rank_by_heuristic, rank_by_model
from hlgnn.jobs.study.sides import is_bipartite, two_sides
from hlgnn.models.feature_cosine import FeatureCosine
from hlgnn.processes import SINGLE, Processes
from hlgnn.progress import Progress, silent
from hlgnn.ranking import Candidates, top_links_of_nodes
from hlgnn.training.evaluate import score_pairs

if TYPE_CHECKING:
    from hlgnn.formulation import RankedLinks
    from hlgnn.graph import Graph
    from hlgnn.jobs.train import Prepared
    from hlgnn.models import LinkModel

LEARNED = "learned"


@dataclass(frozen=True, eq=False)
class Ranker:
    """The trained model of a run, or the heuristic that is used in its place.

    Attributes:
        work: Data set, split, model.
        used: ``learned``, or the request of a heuristic.
        memory: Bytes that may be used.
        generator: Draws the sample on which recall is measured.
        processes: Who shares the work.
    """

    work: Prepared
    used: str
    memory: int
    generator: torch.Generator
    processes: Processes = SINGLE

    def candidates(self, graph: Graph) -> Candidates:
        """All pairs that are no links; of a bipartite graph only those across its sides, since others never are."""
        whole = self.work.dataset.graph
        fits = graph.num_nodes == whole.num_nodes and is_bipartite(whole)
        return Candidates(graph, kinds=two_sides(whole)) if fits else Candidates(graph)

    @property
    def model(self) -> LinkModel[Any, Any] | None:
        """What scores, if it is no heuristic: the trained model, or the cosine of features."""
        if self.used == FEATURES:
            return FeatureCosine()
        return self.work.model if self.used == LEARNED else None

    def rank(
        self, candidates: Candidates, count: int, *, approximate: bool | None = None, progress: Progress = silent
    ) -> Ranking:
        """The best of these pairs."""
        model, group = self.model, self.processes.everyone
        if model is None:
            return rank_by_heuristic(self.used, candidates, count, memory=self.memory, group=group, progress=progress)
        return rank_by_model(
            model,
            candidates,
            count,
            approximate=approximate,
            generator=self.generator,
            memory=self.memory,
            group=group,
            progress=progress,
        )

    def rank_nodes(
        self, candidates: Candidates, nodes: torch.Tensor, count: int, *, progress: Progress = silent
    ) -> list[RankedLinks]:
        """The best pairs of each of some nodes."""
        model = self.model
        if model is None:
            return [self.rank(replace(candidates, nodes=nodes[i : i + 1]), count).links for i in range(len(nodes))]
        model.eval()
        with torch.no_grad():
            state = model.encode(model.prepare(candidates.graph))
        return top_links_of_nodes(
            model,
            state,
            candidates,
            nodes,
            count,
            memory=self.memory,
            progress=progress,
            group=self.processes.everyone,
        )

    def scores(self, candidates: Candidates, pairs: torch.Tensor) -> torch.Tensor:
        """Scores of pairs in the graph of the candidates.  (P, 2) -> (P,)"""
        model = self.model
        if model is None:
            heuristics, group = {self.used: parse_method(self.used)}, self.processes.everyone
            return score_table(candidates.graph, pairs, heuristics, memory=self.memory, group=group)[self.used]
        return score_pairs(model, model.prepare(candidates.graph), pairs, self.processes)
