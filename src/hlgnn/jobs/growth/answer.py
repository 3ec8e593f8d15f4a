"""The answer to "what would my graph need?", in numbers and in words."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import SettingsError
from hlgnn.formulation.memory import readable
from hlgnn.jobs.growth.fitted import load_fitted
from hlgnn.jobs.growth.measure import calibrated
from hlgnn.jobs.growth.needs import Needs, each_number, fewest_processes, least_bytes, needs
from hlgnn.progress import silent

if TYPE_CHECKING:
    from hlgnn.jobs.growth.fitted import Fitted
    from hlgnn.jobs.growth.sharing import Shared
    from hlgnn.jobs.growth.step_size import StepSize
    from hlgnn.progress import Progress

UNITS = (("s", 1.0), ("min", 60.0), ("h", 3600.0), ("days", 86_400.0), ("years", 365.25 * 86_400.0))
PLURALS = ("days", "years")
BOTH: tuple[Shared, ...] = ("columns", "pairs")


@dataclass(frozen=True)
class Answer:
    """What training takes.

    Attributes:
        size: What is trained.
        threads: Processors that the model was fitted on.
        scale: How much longer this machine takes, 1 unless it was measured.
        memory: What each process may take, or ``None``.
        rows: For one process, two, four and so on, for each sharing; those that fit.
        fewest: For each sharing that can fit into the memory, the least number of processes.
        least: Bytes that a process needs in any case, however many there are: each holds the graph.
    """

    size: StepSize
    threads: int
    scale: float
    memory: int | None
    rows: list[Needs]
    fewest: list[Needs]
    least: int


def answer(
    size: StepSize,
    *,
    processes: int = 8,
    memory: int | None = None,
    network: float = 0.0,
    calibrate: bool = False,
    progress: Progress = silent,
) -> Answer:
    """Ask the growth model, scaled to this machine if asked for."""
    fitted = load_fitted()
    if calibrate:
        fitted = calibrated(fitted, progress)
    rows = []
    for shared in BOTH:
        for number in each_number(processes, shared, size):
            if number > 1 or shared == BOTH[0]:  # one process shares nothing
                with contextlib.suppress(SettingsError):  # too little memory for so few
                    rows.append(needs(fitted, size, shared, number, memory=memory, network=network))
    fewest, least = _fewest(fitted, size, memory, network), least_bytes(fitted, size)
    return Answer(size, fitted.threads, fitted.scale, memory, rows, fewest, least)


def sentences(found: Answer) -> list[str]:
    """What a table does not say."""
    size, steps = found.size, found.size.steps
    told = [
        f"{size.nodes} nodes, {size.links} links, {size.width} columns, {size.depth} layers, {size.operators}; "
        f"an epoch has {steps} steps of {size.pairs} pairs."
    ]
    if found.scale == 1.0:
        each = "one processor" if found.threads == 1 else f"{found.threads} processors"
        told.append(f"Times are those of {each} for each process; --calibrate measures this machine.")
    else:
        told.append(f"This machine takes {found.scale:.2f} times as long as the one that was measured.")
    if found.memory is not None:
        told += [_fewest_sentence(each, found.memory) for each in found.fewest]
        if not found.fewest:
            told.append(
                f"No number of processes with {readable(found.memory)} each is enough: each holds the graph, and needs "
                f"{readable(found.least)} at least."
            )
    return told


def duration(seconds: float) -> str:
    """A time as people say it.

    Example:
        >>> duration(0.25), duration(86_400), duration(8e6)
        ('0.25 s', '1 day', '93 days')
    """
    if seconds < 0.001:
        return f"{1000 * seconds:.2g} ms"
    name, unit = next((each for each in reversed(UNITS) if seconds >= each[1]), UNITS[0])
    digits = _digits(seconds / unit)
    return f"{digits} {name.removesuffix('s') if digits == '1' and name in PLURALS else name}"


def _digits(value: float) -> str:
    """Two digits that count, and all before the point."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def _fewest(fitted: Fitted, size: StepSize, memory: int | None, network: float) -> list[Needs]:
    if memory is None:
        return []
    found = [fewest_processes(fitted, size, shared, memory, network=network) for shared in BOTH]
    return [each for each in found if each is not None]


def _fewest_sentence(each: Needs, memory: int) -> str:
    what = "1 process" if each.processes == 1 else f"{each.processes} processes that share the {each.shared}"
    return (
        f"{what} with {readable(memory)} each are enough: {each.plan}; {duration(each.step_seconds)} a step, "
        f"{duration(each.epoch_seconds)} an epoch."
    )
