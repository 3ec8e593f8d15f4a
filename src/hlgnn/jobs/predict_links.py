"""The exact best missing links, of a whole graph or of one node, by a heuristic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import SettingsError
from hlgnn.formulation import DEFAULT_MEMORY, Formulation, Series, top_links
from hlgnn.formulation.symmetrized import Symmetrized
from hlgnn.graph import write_links
from hlgnn.processes import SINGLE, Processes
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data import Dataset
    from hlgnn.formulation import Heuristic, RankedLinks


@dataclass(frozen=True, eq=False)
class PredictedLinks:
    """Missing links by the user's ids, best first.

    Attributes:
        dataset: The graph that they are missing from.
        heuristic: What they were ranked by.
        ranked: Pairs and scores.
    """

    dataset: Dataset
    heuristic: str
    ranked: RankedLinks

    def rows(self) -> list[dict[str, str | int | float]]:
        """One row for each link: source, target, score, and the labels of both nodes if they have any."""
        ids, labels = self.dataset.graph.node_ids, self.dataset.labels
        rows: list[dict[str, str | int | float]] = []
        for (i, j), score in zip(self.ranked.pairs.tolist(), self.ranked.scores.tolist(), strict=True):
            row: dict[str, str | int | float] = {"source": ids[i], "target": ids[j], "score": score}
            if labels is not None:
                row |= {"source_label": labels[i], "target_label": labels[j]}
            rows.append(row)
        return rows

    def write(self, path: Path) -> None:
        """Write source, target and score by the user's ids; all or nothing."""
        labels = self.dataset.graph.node_ids.take(self.ranked.pairs.flatten().numpy()).to_arrow()
        write_links(path, {"source": labels[::2], "target": labels[1::2], "score": self.ranked.scores.numpy()})


def predict_links(
    dataset: Dataset,
    heuristic: Heuristic,
    count: int,
    *,
    node: str | None = None,
    memory: int = DEFAULT_MEMORY,
    processes: Processes = SINGLE,
    progress: Progress = silent,
) -> PredictedLinks:
    """The ``count`` best pairs that are no links, all of them or those of ``node``; ties are ordered by node.

    Each pair is listed once: of a heuristic that has another score for (j, i), such as RWR, both are added up, unless
    the pairs of one node are asked for, which start there.
    """
    if count < 1:
        raise SettingsError(f"{count} links cannot be ranked.", where="--top", hint="Ask for at least one.")
    graph = dataset.graph
    number = None if node is None else int(graph.node_ids.index([node])[0])
    if number is None and isinstance(heuristic, Formulation | Series) and not heuristic.symmetric:
        heuristic = Symmetrized(heuristic)
    ranked = top_links(graph, heuristic, count, node=number, memory=memory, progress=progress, group=processes.everyone)
    return PredictedLinks(dataset, heuristic.name, ranked)
