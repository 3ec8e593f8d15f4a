"""Missing links by a trained run: the best of all, those of some nodes, or given pairs, with honest chances."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.calibration import statement
from hlgnn.errors import RunError, SettingsError
from hlgnn.formulation import DEFAULT_MEMORY, RankedLinks
from hlgnn.graph import read_pairs, write_links
from hlgnn.graph.kind_table import read_kinds
from hlgnn.jobs.grown_graph import Growth, grown_dataset
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.study.ranker import LEARNED, Ranker
from hlgnn.jobs.study.sides import is_bipartite, two_sides
from hlgnn.jobs.study.study import STUDY
from hlgnn.jobs.study.tail_file import TAIL_FILE, read_tail
from hlgnn.jobs.train import load_run
from hlgnn.processes import SINGLE, Processes
from hlgnn.progress import Progress, silent
from hlgnn.ranking import Candidates
from hlgnn.seeds import Seeds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from torch import Tensor

    from hlgnn.calibration import TailCalibration
    from hlgnn.data import Dataset
    from hlgnn.graph import Graph

Row = dict[str, str | int | float]


@dataclass(frozen=True)
class Filters:
    """Which pairs a person does not want to see.

    Attributes:
        bipartite: Whether only pairs across the two sides of a bipartite graph count; ``None`` if it is one.
        kinds: A table with the kind of each node: only pairs of different kinds.
        kind_column: The column of kinds in it.
        between: The names of two kinds: only pairs of these.
        exclude: A table of pairs that are left out.
        minimum: The least score.
    """

    bipartite: bool | None = None
    kinds: Path | None = None
    kind_column: str | None = None
    between: tuple[str, str] | None = None
    exclude: Path | None = None
    minimum: float | None = None

    def candidates(self, graph: Graph) -> Candidates:
        """The pairs that are left."""
        excluded = None if self.exclude is None else torch.from_numpy(read_pairs(self.exclude, graph.node_ids))
        found = Candidates(graph, excluded=excluded, minimum=self.minimum)
        if self.bipartite:
            return replace(found, kinds=two_sides(graph))
        if self.kinds is None:
            if self.between or self.kind_column:
                raise SettingsError("Kinds need a table.", where="--between, --kind-column", hint="Name it by --kinds.")
            across = self.bipartite is None and is_bipartite(graph)
            return replace(found, kinds=two_sides(graph)) if across else found
        kinds, names = read_kinds(self.kinds, graph.node_ids, column=self.kind_column)
        if self.between is None:
            return replace(found, kinds=torch.from_numpy(kinds))
        for name in self.between:
            if name not in names:
                hint = f"There are {', '.join(sorted(names))}."
                raise SettingsError(f"There is no kind {name!r}.", where="--between", hint=hint)
        rule = (names.index(self.between[0]), names.index(self.between[1]))
        return replace(found, kinds=torch.from_numpy(kinds), kinds_rule=rule)


@dataclass(frozen=True, eq=False)
class RunLinks:
    """Ranked or scored links by the user's ids.

    Attributes:
        dataset: The graph that they are of.
        used: ``learned``, or the heuristic that the run uses in its place.
        links: Pairs and scores.
        probability: The chance that each is real.  (P,)
        notes: What is to be known about them.
    """

    dataset: Dataset
    used: str
    links: RankedLinks
    probability: Tensor
    notes: tuple[str, ...]

    def rows(self) -> list[Row]:
        """One row for each link."""
        ids = self.dataset.graph.node_ids
        numbers = zip(self.links.pairs.tolist(), self.links.scores.tolist(), self.probability.tolist(), strict=True)
        return [
            {"source": ids[i], "target": ids[j], "score": score, "probability": chance}
            for (i, j), score, chance in numbers
        ]

    def write(self, path: Path) -> None:
        """Write source, target, score and probability by the user's ids; all or nothing."""
        labels = self.dataset.graph.node_ids.take(self.links.pairs.flatten().numpy()).to_arrow()
        columns = {"source": labels[::2], "target": labels[1::2], "score": self.links.scores.numpy()}
        write_links(path, columns | {"probability": self.probability.double().numpy()})


@dataclass(frozen=True, eq=False)
class Opened:
    """A run that links are asked of.

    Attributes:
        ranker: The model, or the heuristic in its place.
        dataset: The graph that is ranked, with what has come since training.
        tail: What chances come from, or ``None`` without a study.
        missing: How many links are taken to be missing.
    """

    ranker: Ranker
    dataset: Dataset
    tail: TailCalibration | None
    missing: int

    def chances(self, scores: Tensor) -> Tensor:
        """The chance that pairs with such scores are real; not a number without a study.  (P,) -> (P,)"""
        if self.tail is None:
            return torch.full((len(scores),), float("nan"), dtype=torch.float64)
        return self.tail.probability(scores, self.missing).double()


def open_run(
    folder: Path,
    *,
    growth: Growth | None = None,
    memory: int = DEFAULT_MEMORY,
    offline: bool = False,
    processes: Processes = SINGLE,
    progress: Progress = silent,
) -> Opened:
    """Read a finished run with its study, and the graph as it is now; several processes share what is asked of it.

    Raises:
        RunError: If the folder is no finished run, or a file of it is damaged.
        CheckpointError: If the weights do not fit.
    """
    run = RunFolder.open(folder)
    work = load_run(run, offline=offline, progress=progress)
    used = used_method(folder)
    tail = read_tail(folder, work.split).calibration if (folder / TAIL_FILE).is_file() else None
    dataset = grown_dataset(work.dataset, work.model, growth or Growth())
    ranker = Ranker(work, used, memory, Seeds(run.settings.seed).generator("ranking"), processes)
    return Opened(ranker, dataset, tail, len(work.split.test.positive))


def best_links(
    opened: Opened,
    count: int,
    *,
    filters: Filters | None = None,
    approximate: bool | None = None,
    progress: Progress = silent,
) -> RunLinks:
    """The best missing links of the whole graph."""
    _check_count(count)
    candidates = (filters or Filters()).candidates(opened.dataset.graph)
    ranking = opened.ranker.rank(candidates, count + 1, approximate=approximate, progress=progress)
    scores = ranking.links.scores
    links = RankedLinks(ranking.links.pairs[:count], scores[:count])
    notes = [ranking.note] if ranking.note else []
    if len(scores) == count + 1 and bool(scores[count] == scores[count - 1]):
        notes.append("More pairs have the last score; those that are listed come first by their ids.")
    if filters is not None and filters != Filters():
        notes.append("What to expect of a filtered list is not known: it was counted on all pairs.")
    elif opened.tail is not None and len(links):
        notes.append(statement(opened.tail.expected(min(len(links), opened.tail.end), opened.missing), asked=None))
    if not len(links):
        notes.append("There is no such pair.")
    return _links(opened, links, notes)


def links_of_nodes(
    opened: Opened, names: Sequence[str], count: int, *, filters: Filters | None = None, progress: Progress = silent
) -> RunLinks:
    """The best missing links of each of some nodes, one node after the other."""
    _check_count(count)
    graph = opened.dataset.graph
    nodes = torch.from_numpy(graph.node_ids.index(list(names)))
    candidates = (filters or Filters()).candidates(graph)
    lists = opened.ranker.rank_nodes(candidates, nodes, count, progress=progress)
    pairs, scores = [], []
    for node, found in zip(nodes.tolist(), lists, strict=True):
        first = found.pairs[:, 0] == node
        pairs.append(torch.where(first[:, None], found.pairs, found.pairs.flip(1)))  # the node itself comes first
        scores.append(found.scores)
    empty = torch.empty(0, 2, dtype=torch.int64)
    ranked = RankedLinks(torch.cat([empty, *pairs]), torch.cat([torch.empty(0, dtype=torch.float64), *scores]))
    return _links(opened, ranked, [])


def given_links(opened: Opened, path: Path) -> RunLinks:
    """Scores of the pairs in a file, in its order."""
    graph = opened.dataset.graph
    pairs = torch.from_numpy(read_pairs(path, graph.node_ids))
    scores = opened.ranker.scores(Candidates(graph), pairs).double()
    known = int(graph.has_links(pairs).sum())
    notes = [f"{known} of the {len(pairs)} pairs are links of the graph already."] if known else []
    return _links(opened, RankedLinks(pairs, scores), notes)


def _links(opened: Opened, ranked: RankedLinks, notes: Sequence[str]) -> RunLinks:
    told = list(notes)
    if opened.tail is None:
        told.append("There are no probabilities: the run has no study. 'hlgnn report RUN' makes one.")
    return RunLinks(opened.dataset, opened.ranker.used, ranked, opened.chances(ranked.scores), tuple(told))


def _check_count(count: int) -> None:
    if count < 1:
        raise SettingsError(f"{count} links cannot be ranked.", where="--top", hint="Ask for at least one.")


def used_method(folder: Path) -> str:
    """What ranks the links of a run: its model, unless its study chose a heuristic.

    Raises:
        RunError: If the study cannot be read.
    """
    if not (folder / STUDY).is_file():
        return LEARNED
    try:
        document: dict[str, Any] = json.loads((folder / STUDY).read_text(encoding="utf-8"))
        return str(document["used"])
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"The study cannot be read ({error}).", where=str(folder / STUDY)) from None
