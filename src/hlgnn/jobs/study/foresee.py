"""What training and the study will take, from a few steps of the real work."""

from __future__ import annotations

import time
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.errors import HlgnnError
from hlgnn.formulation import DEFAULT_MEMORY, estimate, parse
from hlgnn.interpret import explain_link
from hlgnn.jobs.study.methods import HARD_LINKS, LOCAL, SECONDS_FOR_ONE, WALKS, hard_links, in_words, pairs_of
from hlgnn.jobs.study.rank import MOST_STREAMED, PROPOSALS, proposals_by_cosine
from hlgnn.seeds import Seeds
from hlgnn.training.evaluate import score_pairs
from hlgnn.training.fit import Training
from hlgnn.training.mapped_state import map_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.jobs.train import Prepared
    from hlgnn.training.choose_plan import Planned

SAMPLE_PAIRS, SAMPLE_LINKS, EXPLAINED = 20_000, 20, 25
FLOP_SECONDS = 3e-11
BASE_BYTES = 800_000_000
OVERHEAD = 5.0  # seconds that compiling, intervals and the report take on any graph
FLOAT = 4
LONG = 30.0
IN_DOUBLE = 4.0  # how much longer a pair takes in double precision and small batches


@dataclass(frozen=True)
class Foresight:
    """About how much, beforehand.

    Attributes:
        training: Seconds for all epochs.
        study: Seconds for comparing, calibrating, ranking and explaining.
        bytes: The largest amount of memory at any time.
    """

    training: float
    study: float
    bytes: int

    @property
    def seconds(self) -> float:
        """All together."""
        return self.training + self.study

    def sentence(self) -> str:
        """For a person who waits."""
        return f"This will take about {in_words(self.seconds)} and {self.bytes / 1e9:.1f} GB of memory."


def foresee(settings: RunSettings, work: Prepared, planned: Planned | None = None) -> Foresight:
    """Time a step of training, an evaluation and some scores on copies, and add up how many of each there will be.

    Under a plan the copies work as it says, and its estimate of memory is what is told.
    """
    probe = Training(
        deepcopy(work.model),
        work.split,
        settings.train,
        default_metric=work.metric,
        seeds=Seeds(settings.seed),
    )
    if planned is not None and planned.plan.mapped:
        map_state(probe)
    step = _step(probe)
    first, later = _seconds(probe.offer), _seconds(probe.offer)  # what the first one computes of pairs is kept
    epochs = settings.train.epochs
    training = epochs * probe.steps_per_epoch * step + first + later * epochs / settings.train.evaluate_every
    memory = _bytes(settings, work) if planned is None else planned.bytes
    return Foresight(training, OVERHEAD + _study(work), memory)


def _step(probe: Training) -> float:
    """Seconds of a step with its message graph, the shorter of two."""

    def step() -> None:
        next(probe.steps())()

    return min(_seconds(step) for _ in range(2)) / probe.settings.steps_per_encode


def _study(work: Prepared) -> float:
    split, model = work.split, work.model
    pairs = torch.cat([pairs_of(split.valid), pairs_of(split.test)])
    sample = pairs[torch.randperm(len(pairs), generator=torch.Generator().manual_seed(0))[:SAMPLE_PAIRS]]
    prepared = model.prepare(split.graph)
    encoding = _seconds(lambda: score_pairs(model, prepared, sample[:1]))
    with torch.no_grad():
        state = model.eval().encode(prepared)
        each_pair = _warm_seconds(lambda: model.score(state, sample)) / len(sample)
        products = model.product_form(state) is not None
    few = split.test.positive[:SAMPLE_LINKS]
    generator = torch.Generator().manual_seed(0)
    hard = _warm_seconds(lambda: hard_links(split.test_graph, work.dataset.graph, few, generator))
    hard *= min(HARD_LINKS, len(split.test.positive)) / max(1, len(few))
    scoring = _heuristics(work, pairs) + each_pair * len(pairs)
    ranking = _ranking(work, encoding, each_pair, products=products)
    return hard + scoring + 2 * ranking + _explaining(work)


def _explaining(work: Prepared) -> float:
    """Seconds for the links of a report, from one of them."""
    first, second = work.split.test.positive[0].tolist()
    try:
        return EXPLAINED * _warm_seconds(lambda: explain_link(work.model, work.dataset.graph, first, second, changes=0))
    except HlgnnError:  # a model that is not linear is not explained
        return 0.0


def _heuristics(work: Prepared, pairs: torch.Tensor) -> float:
    seconds = 0.0
    for request in (*LOCAL[:1], *WALKS):
        try:
            expected = estimate(parse(request), work.split.test_graph, pairs, memory=DEFAULT_MEMORY).seconds
        except HlgnnError:
            continue
        seconds += expected if expected <= SECONDS_FOR_ONE else 0.0
    return seconds


def _ranking(work: Prepared, encoding: float, each_pair: float, *, products: bool) -> float:
    """Seconds for the best of all pairs: by a matrix product, by streaming all of them, or by proposals."""
    nodes = work.dataset.graph.num_nodes
    pairs = nodes * (nodes - 1) // 2
    multiplied = FLOP_SECONDS * 2 * nodes**2 * getattr(work.model, "width", 64)
    if products:
        return 2 * encoding + multiplied
    if pairs <= MOST_STREAMED:
        return 2 * encoding + each_pair * pairs
    cosine = multiplied if proposals_by_cosine(nodes) else 0.0
    return 2 * encoding + cosine + each_pair * nodes * (IN_DOUBLE * PROPOSALS + 100)


def _bytes(settings: RunSettings, work: Prepared) -> int:
    graph = work.dataset.graph
    width = getattr(work.model, "width", 64)
    rows = 14 * FLOAT * graph.num_nodes * width
    pairs = 2 * settings.train.batch_size * (1 + settings.train.negatives) * width * FLOAT * 4
    links = 400 * graph.num_links
    stored = 12 * FLOAT * graph.num_nodes * graph.num_features if isinstance(graph.features, torch.Tensor) else 0
    return BASE_BYTES + rows + pairs + links + stored


def _warm_seconds(work: Callable[[], object]) -> float:
    """The second time, since the first one may have to compile; the first if that is long enough not to matter."""
    first = _seconds(work)
    return first if first > LONG else min(first, _seconds(work))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
