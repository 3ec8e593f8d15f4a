"""The trained model beside every heuristic and the cosine of features, on the same held-out links."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.calibration import Gate, LinkScores, gate
from hlgnn.data import PROTOCOLS, LinkSet
from hlgnn.data.hard_negatives import heart
from hlgnn.errors import HlgnnError
from hlgnn.evaluation import Interval, bootstrap, feature_cosine, metric, score_links
from hlgnn.formulation import DEFAULT_MEMORY, estimate, parse, score_table
from hlgnn.progress import Progress, silent
from hlgnn.training.evaluate import score_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

    from hlgnn.data import Dataset, Split
    from hlgnn.formulation import Heuristic
    from hlgnn.graph import Graph
    from hlgnn.models import LinkModel

LOCAL = ("cn", "aa", "ra", "jaccard", "salton", "sorensen", "hpi", "hdi", "llhn", "pa")
WALKS = ("lpi", "ki:order=6", "glhn:order=6", "lrw", "rwr:order=20", "shortest-path")
FEATURES = "feature-cosine"
SECONDS_FOR_ONE = 60.0
HARD_LINKS, HARD_PER_SIDE, LEAST_PER_SIDE = 500, 50, 5
MANY_LINKS, MANY_REPEATS, FEW_REPEATS = 20_000, 500, 40


@dataclass(frozen=True, eq=False)
class Method:
    """One row of the comparison.

    Attributes:
        name: How it is asked for.
        title: What it is called in a table.
        kind: ``learned``, ``heuristic`` or ``features``.
        metric: What it is measured in.
        valid: Its value on validation links, by which the best heuristic is chosen.
        test: Its value on test links with the interval of resampling.
        auc: The same of the area under the curve.
        hard: MRR among hard negatives, on a sample of the test links.
        seconds: How long scoring took.
        note: Why there is no number, if there is none.
    """

    name: str
    title: str
    kind: str
    metric: str
    valid: float | None = None
    test: Interval | None = None
    auc: Interval | None = None
    hard: Interval | None = None
    seconds: float | None = None
    note: str | None = None

    def document(self) -> dict[str, Any]:
        """For a file."""
        intervals = {"test": self.test, "auc": self.auc, "hard": self.hard}
        found = {key: None if each is None else each._asdict() for key, each in intervals.items()}
        plain = {key: getattr(self, key) for key in ("name", "title", "kind", "metric", "valid", "seconds", "note")}
        return plain | found


@dataclass(frozen=True, eq=False)
class Comparison:
    """All rows, and whether the learned one is worth having.

    Attributes:
        methods: The learned one first.
        gate: The paired comparison with the best heuristic, or ``None`` if there is no heuristic.
        hard_links: How many test links were ranked among hard negatives.
    """

    methods: tuple[Method, ...]
    gate: Gate | None
    hard_links: int


@dataclass(frozen=True, eq=False)
class _Parts:
    """The pairs of validation, test and hard test, one after the other, so that each method scores them in one go."""

    split: Split
    hard: LinkSet | None

    @property
    def sets(self) -> tuple[tuple[Graph, LinkSet], ...]:
        split = self.split
        parts = (split.graph, split.valid), (split.test_graph, split.test)
        return parts if self.hard is None else (*parts, (split.test_graph, self.hard))


def compare_methods(
    model: LinkModel[Any, Any],
    title: str,
    dataset: Dataset,
    split: Split,
    *,
    generator: torch.Generator,
    seconds_for_one: float = SECONDS_FOR_ONE,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> Comparison:
    """Score validation, test and hard test pairs by all methods; the best heuristic is chosen on validation links.

    Args:
        model: The trained one.
        title: What to call it.
        dataset: Whose metric counts, and whose links are no negatives.
        split: What is held out.
        generator: Draws hard negatives and bootstrap samples.
        seconds_for_one: A heuristic that would take longer is not run, and the table says so.
        memory: Bytes for the heuristics.
        progress: Told how many methods are done.
    """
    sample = split.test.positive[torch.randperm(len(split.test.positive), generator=generator)[:HARD_LINKS]]
    hard = hard_links(split.test_graph, dataset.graph, sample, generator)
    parts = _Parts(split, hard)
    usual = PROTOCOLS[split.protocol].metric_for(dataset.metric)
    name = usual if metric(usual).least_negatives <= split.test.negatives_per_ranking else "auc"
    total = 2 + len(WALKS) + (split.test_graph.features is not None)
    rows: list[Method] = []
    scores: dict[str, LinkScores] = {}
    valid: dict[str, float] = {}
    steps = _each_method(model, title, parts, seconds_for_one, memory)
    for number, (row, found) in enumerate(steps):
        progress("Comparing", min(number, total - 1), total)
        if found is None:
            rows.append(row)
            continue
        full = _measured(row, name, found, generator)
        rows.append(full)
        if row.kind != "learned":
            scores[row.name], valid[row.name] = LinkScores(*found[1]), full.valid or 0.0
        else:
            learned = LinkScores(*found[1])
    progress("Comparing", total, total)
    repeats = 2 * (MANY_REPEATS if len(split.test.positive) <= MANY_LINKS else FEW_REPEATS)
    verdict = gate(metric(name), learned, scores, valid, generator=generator, repeats=repeats) if scores else None
    return Comparison(tuple(rows), verdict, 0 if hard is None else len(sample))


def hard_links(messages: Graph, known: Graph, sample: Tensor, generator: torch.Generator) -> LinkSet | None:
    """Links with the negatives that resemble them most; fewer on a small graph, ``None`` on one that is too small."""
    free = known.num_nodes - 1 - known.degree[sample.unique()]
    per_side = min(HARD_PER_SIDE, int(free.min()) if len(free) else 0)
    if per_side < LEAST_PER_SIDE:
        return None
    return LinkSet(sample, heart(messages, known, sample, generator, per_side=per_side))


Scored = list[tuple["Tensor", "Tensor"]]


def _each_method(
    model: LinkModel[Any, Any], title: str, parts: _Parts, seconds_for_one: float, memory: int
) -> Iterable[tuple[Method, Scored | None]]:
    start = time.perf_counter()
    learned = [_cut(score_pairs(model, model.prepare(graph), pairs_of(links)), links) for graph, links in parts.sets]
    yield Method("learned", title, "learned", "", seconds=time.perf_counter() - start), learned
    start = time.perf_counter()
    tables = [
        score_table(graph, pairs_of(links), {each: parse_method(each) for each in LOCAL}, memory=memory)
        for graph, links in parts.sets
    ]
    seconds = (time.perf_counter() - start) / len(LOCAL)
    for each in LOCAL:
        found = [_cut(table[each], links) for table, (_, links) in zip(tables, parts.sets, strict=True)]
        yield _row(each, seconds), found
    for each in WALKS:
        yield _scored_walk(each, parts, seconds_for_one, memory)
    if parts.split.test_graph.features is not None:
        start = time.perf_counter()
        cosines = [score_links(feature_cosine, graph, links) for graph, links in parts.sets]
        yield Method(FEATURES, "cosine of features", "features", "", seconds=time.perf_counter() - start), cosines


def _scored_walk(request: str, parts: _Parts, seconds_for_one: float, memory: int) -> tuple[Method, Scored | None]:
    heuristic = parse_method(request)
    try:
        expected = sum(
            estimate(heuristic, graph, pairs_of(links), memory=memory).seconds for graph, links in parts.sets
        )
        if expected > seconds_for_one:
            return _row(request, None, f"not run: would take about {in_words(expected)}"), None
        start = time.perf_counter()
        found = [_cut(heuristic.scores(graph, pairs_of(links), memory=memory), links) for graph, links in parts.sets]
    except HlgnnError as error:
        return _row(request, None, f"not run: {error}"), None
    return _row(request, time.perf_counter() - start), found


def parse_method(request: str) -> Heuristic:
    """A heuristic as it was compared: local ones as networkx counts, walks with self-loops, as in the paper."""
    return parse(request, self_loops=request not in LOCAL)


def _row(request: str, seconds: float | None, note: str | None = None) -> Method:
    return Method(request, request, "heuristic", "", seconds=seconds, note=note)


def _measured(row: Method, name: str, found: Scored, generator: torch.Generator) -> Method:
    valid, test, *hard = found
    measure = metric(name)
    fits = measure.least_negatives <= valid[1].shape[-1]
    repeats = MANY_REPEATS if len(test[0]) <= MANY_LINKS else FEW_REPEATS
    chosen = measure if fits else metric("auc")
    return Method(
        row.name,
        row.title,
        row.kind,
        name,
        valid=chosen(*valid),
        test=bootstrap(measure, *test, generator=generator, repeats=repeats),
        auc=bootstrap(metric("auc"), *test, generator=generator, repeats=min(repeats, 200)),
        hard=bootstrap(metric("mrr"), *hard[0], generator=generator, repeats=200) if hard else None,
        seconds=row.seconds,
    )


def pairs_of(links: LinkSet) -> Tensor:
    """Positives, then negatives.  (P + Q, 2)"""
    return torch.cat([links.positive, links.negative.reshape(-1, 2)])


def _cut(scores: Tensor, links: LinkSet) -> tuple[Tensor, Tensor]:
    positives = len(links.positive)
    return scores[:positives], scores[positives:].view(links.negative.shape[:-1])


def in_words(seconds: float) -> str:
    """``40 s``, ``12 min`` or ``3.5 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
