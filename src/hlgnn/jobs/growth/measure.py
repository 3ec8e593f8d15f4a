"""What a step of training really takes on this machine, for a graph that is made up."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Literal

import torch

from hlgnn.data import LinkSet, Split
from hlgnn.data.synthetic_tail import heavy_tailed, most_ends
from hlgnn.jobs.growth.fitted import Measured
from hlgnn.jobs.growth.step_size import StepSize
from hlgnn.memory_size import peak_bytes, resident_bytes
from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings, PropagationSettings
from hlgnn.progress import silent
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hlgnn.jobs.growth.fitted import Fitted
    from hlgnn.progress import Progress

    Clock = Callable[[], float]

Precision = Literal["float32", "bfloat16"]

TAIL, HUB = 0.5, 50
"""How degrees fall with the rank, and how many times the mean the largest is."""
TESTED = 1000
SHORT = (
    StepSize(20_000, 100_000, 64, 5, "sym", 8192, 64),
    StepSize(60_000, 300_000, 128, 4, "sym", 16_384, 128),
    StepSize(40_000, 200_000, 64, 4, "mixture", 8192, 64),
)
"""What a machine is compared by."""


def make_split(size: StepSize) -> Split:
    """A graph with a heavy tail of degrees, all its links to be learned."""
    generator = torch.Generator().manual_seed(0)
    most = min(size.nodes // 2, int(most_ends(size.nodes, size.links, TAIL) / 2))
    largest = max(min(HUB * 2 * size.links // size.nodes, most), 2 * size.links // size.nodes + 1)
    graph = heavy_tailed(size.nodes, size.links, largest, generator, tail=TAIL)
    links = graph.links
    valid = LinkSet(links[:TESTED], torch.randint(size.nodes, (TESTED, 2), generator=generator))
    return Split("growth", 0, graph, graph, links, torch.ones(len(links)), valid, valid)


def make_model(size: StepSize, split: Split, precision: Precision = "float32") -> HLGNN:
    """A model of that size, whose layers are stored in that precision while it learns."""
    settings = HLGNNSettings(
        input=InputSettings(source="embedding", embedding_width=size.width, hidden=0),
        propagation=PropagationSettings(depth=size.depth, operators=size.operators),
        head=HeadSettings(kind="mlp", hidden=size.hidden, layers=2),
        path="plain",
        precision=precision,
    )
    return HLGNN(split.graph, settings, torch.Generator().manual_seed(0))


def measure_step(size: StepSize, repeats: int = 2, clock: Clock = time.perf_counter) -> Measured:
    """The shortest of some steps after one that warms up, and the memory, whose peak is that of the whole process.

    A ``clock`` of processor time, such as ``time.process_time``, is not disturbed by what else runs on the machine, and
    tells the time of an idle one if there is one processor.
    """
    warm_up(size)
    split = make_split(size)
    model = make_model(size, split)
    built, base = peak_bytes(), resident_bytes()
    training = make_training(size, model, split)
    training.offer()
    steps = endless_steps(training)
    training.model.train()
    taken = [step_seconds(steps, clock) for _ in range(repeats + 1)]
    peak = max(peak_bytes(), base)  # the system counts both apart, and is a few pages late with the peak
    return Measured(size, min(taken[1:]), built, base, peak)


def make_training(size: StepSize, model: HLGNN, split: Split) -> Training:
    """The model about to learn."""
    train = TrainSettings(batch_size=size.batch)
    return Training(model, split, train, default_metric="hits@50", seeds=Seeds(0))


def endless_steps(training: Training) -> Iterator[Callable[[], list[float]]]:
    """The steps of one epoch after the other."""
    return (step for _ in count() for step in training.steps())


def step_seconds(steps: Iterator[Callable[[], list[float]]], clock: Clock = time.perf_counter) -> float:
    """How long the next step takes."""
    step = next(steps)
    start = clock()
    step()
    return clock() - start


def warm_up(size: StepSize, precision: Precision = "float32") -> None:
    """Compile on a small graph."""
    small = replace(size, nodes=1000, links=3000, depth=min(size.depth, 2), batch=1000)
    split = make_split(small)
    step_seconds(endless_steps(make_training(small, make_model(small, split, precision), split)))


def calibrated(fitted: Fitted, progress: Progress = silent) -> Fitted:
    """The model scaled to this machine by the middle one of a few short measurements."""
    ratios = []
    for done, size in enumerate(SHORT):
        progress("Measuring", done, len(SHORT))
        ratios.append(measure_step(size).seconds / fitted.step_seconds(size))
    progress("Measuring", len(SHORT), len(SHORT))
    return fitted.scaled(statistics.median(ratios))
