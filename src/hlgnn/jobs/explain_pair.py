"""Why a trained run gives one pair its score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import atomic_path
from hlgnn.interpret import draw_link, explain_link
from hlgnn.jobs.predict_run import used_method
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.study.ranker import LEARNED
from hlgnn.jobs.train import load_run
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.graph import NodeIds
    from hlgnn.interpret import LinkExplanation


@dataclass(frozen=True, eq=False)
class PairExplanation:
    """An explanation with the user's ids.

    Attributes:
        found: What was found.
        node_ids: The ids.
        drawing: The file that was written, if any.
        feature_names: What the columns of the features are called, where that is known.
        used: What ranks the links of the run: the model, or a heuristic by its name.
    """

    found: LinkExplanation
    node_ids: NodeIds
    drawing: Path | None
    feature_names: tuple[str, ...] = ()
    used: str = LEARNED

    def text(self) -> str:
        """For a person."""
        before = ""
        if self.used != LEARNED:
            before = f"Links of this run are ranked by the heuristic {self.used}; this is what the model says.\n\n"
        picture = "" if self.drawing is None else f"\n\nPicture: {self.drawing}"
        return before + self.found.text(self.node_ids, self.feature_names) + picture

    def document(self) -> dict[str, Any]:
        """For a program; nodes by the user's ids."""
        document = self.found.to_dict()
        ids = self.node_ids
        document |= {"first": ids[self.found.first], "second": ids[self.found.second]}
        for witness in document["witnesses"]:
            witness["node"] = ids[witness["node"]]
        for path in document["paths"]:
            path["nodes"] = [ids[node] for node in path["nodes"]]
        return document | {"drawing": self.drawing, "used": self.used}


def explain_pair(
    folder: Path,
    first: str,
    second: str,
    *,
    drawing: Path | None = None,
    changes: int = 30,
    offline: bool = False,
    progress: Progress = silent,
) -> PairExplanation:
    """Take the score of a pair apart, on the whole graph of the run without the link itself.

    Raises:
        RunError: If the folder is no finished run.
        SettingsError: If a node is unknown, both are the same, or the model is not linear.
    """
    run = RunFolder.open(folder)
    run.result()
    work = load_run(run, offline=offline, progress=progress)
    graph = work.dataset.graph
    i, j = (int(each) for each in graph.node_ids.index([first, second]))
    found = explain_link(work.model, graph, i, j, changes=changes, progress=progress)
    if drawing is not None:
        with atomic_path(drawing) as temporary:
            temporary.write_text(draw_link(found, graph.node_ids), encoding="utf-8")
    return PairExplanation(found, graph.node_ids, drawing, work.dataset.feature_names, used_method(folder))
