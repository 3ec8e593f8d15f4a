"""Score a table of pairs by heuristics, without training anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.formulation import DEFAULT_MEMORY, estimate, score_table
from hlgnn.graph import read_pairs, write_links
from hlgnn.processes import SINGLE, Processes
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

    from hlgnn.formulation import Estimate, Heuristic
    from hlgnn.graph import Graph


@dataclass(frozen=True, eq=False)
class ScoredPairs:
    """Pairs with a column for each heuristic.

    Attributes:
        graph: What they were scored on.
        pairs: In the order of the file.  (P, 2)
        scores: By the name of the heuristic.  (P,)
    """

    graph: Graph
    pairs: Tensor
    scores: dict[str, Tensor]

    def write(self, path: Path) -> None:
        """Write source, target and one column for each heuristic, by the user's ids; all or nothing."""
        labels = self.graph.node_ids.take(self.pairs.flatten().numpy()).to_arrow()
        columns = {name: values.numpy() for name, values in self.scores.items()}
        write_links(path, {"source": labels[::2], "target": labels[1::2], **columns})


def score_pairs(
    graph: Graph,
    pairs: Path,
    heuristics: dict[str, Heuristic],
    *,
    memory: int = DEFAULT_MEMORY,
    processes: Processes = SINGLE,
    progress: Progress = silent,
) -> ScoredPairs:
    """Score every pair of the table at ``pairs``; local heuristics share one pass."""
    listed = torch.from_numpy(read_pairs(pairs, graph.node_ids))
    group = processes.everyone
    scores = score_table(graph, listed, heuristics, memory=memory, progress=progress, group=group)
    return ScoredPairs(graph, listed, scores)


def estimate_pairs(graph: Graph, pairs: Path, heuristics: dict[str, Heuristic], *, memory: int) -> dict[str, Estimate]:
    """What scoring the table would take, for each heuristic."""
    listed = torch.from_numpy(read_pairs(pairs, graph.node_ids))
    return {name: estimate(heuristic, graph, listed, memory=memory) for name, heuristic in heuristics.items()}
