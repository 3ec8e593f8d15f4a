"""What would training on a graph of this size take, on one process and on several?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.errors import SettingsError
from hlgnn.jobs.growth.fitted import PLAIN
from hlgnn.jobs.growth.sharing import Shared, own_size, sent_bytes, summed_bytes
from hlgnn.models.memory_estimate import training_use
from hlgnn.training.choose_plan import Planned, choose_plan, plan_costs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.jobs.growth.fitted import Fitted
    from hlgnn.jobs.growth.step_size import StepSize

PATHS: dict[Any, float] = {"plain": 1.0}
LARGEST_GROUP = 1 << 12


@dataclass(frozen=True)
class Needs:
    """What each of some processes needs.

    Attributes:
        processes: How many there are.
        shared: What they share out; one process shares nothing.
        bytes: The most memory of each.
        mapped: Bytes of it in files besides, if a plan puts them there.
        plan: How each works, in words.
        summed: Bytes that each brings to sums in a step.
        sent: Bytes that each sends for them, in a ring.
        step_seconds: One step, communication included.
        sum_seconds: Communication alone.
        epoch_seconds: All steps of an epoch, without evaluation.
    """

    processes: int
    shared: Shared
    bytes: int
    mapped: int
    plan: str
    summed: int
    sent: int
    step_seconds: float
    sum_seconds: float
    epoch_seconds: float


def needs(
    fitted: Fitted, size: StepSize, shared: Shared, processes: int, *, memory: int | None = None, network: float = 0.0
) -> Needs:
    """What each process needs, under the fastest plan that fits.

    Args:
        fitted: The growth model.
        size: What is trained.
        shared: What processes share out.
        processes: How many; each has as many processors as were measured on.
        memory: Bytes that each may take; ``None`` is no limit.
        network: Bytes per second that a process can send; 0 is as fast as two processes on the machine that was
            measured on.

    Raises:
        SettingsError: If no plan fits.
    """
    own = own_size(size, shared, processes)
    planned = _planned(fitted, own, memory)
    summed = summed_bytes(size, shared, processes)
    sent = sent_bytes(summed, processes)
    talk = sent / network if network else fitted.sum_seconds * sent
    work = fitted.step_seconds(own) * _slower(own, planned)
    return Needs(
        processes=processes,
        shared=shared,
        bytes=planned.bytes,
        mapped=planned.mapped,
        plan=planned.plan.words(learned=planned.learned),
        summed=summed,
        sent=sent,
        step_seconds=work + talk,
        sum_seconds=talk,
        epoch_seconds=size.steps * (work + talk),
    )


def fewest_processes(
    fitted: Fitted, size: StepSize, shared: Shared, memory: int, *, network: float = 0.0
) -> Needs | None:
    """The least number of processes that each fit into ``memory`` under some plan; ``None`` if no number does.

    Fewer columns or pairs never take more memory, so the number is found by halving.
    """
    most = min(LARGEST_GROUP, size.width if shared == "columns" else size.batch)
    if not _fits(fitted, size, shared, most, memory):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _fits(fitted, size, shared, middle, memory) else (middle, high)
    return needs(fitted, size, shared, high, memory=memory, network=network)


def least_bytes(fitted: Fitted, size: StepSize) -> int:
    """The least memory that a process can have, with one column or as few as processes may share out."""
    own = size.with_columns(min(LARGEST_GROUP, size.width))
    use = min(training_use(own.work, plan).bytes for _, plan in plan_costs(own.work, PATHS))
    return max(fitted.built_bytes(own), fitted.base_bytes(own) + use)


def each_number(processes: int, shared: Shared, size: StepSize) -> Iterator[int]:
    """One process, two, four and so on, as far as there is something to share."""
    most = size.width if shared == "columns" else size.batch
    number = 1
    while number <= min(processes, most):
        yield number
        number *= 2


def _fits(fitted: Fitted, size: StepSize, shared: Shared, processes: int, memory: int) -> bool:
    try:
        _planned(fitted, own_size(size, shared, processes), memory)
    except SettingsError:
        return False
    return True


def _planned(fitted: Fitted, own: StepSize, memory: int | None) -> Planned:
    """Within a limit the fastest plan; without one as a model works that was given none."""
    if memory is None:
        return Planned(PLAIN, fitted.peak_bytes(own), 0, None, own.work.learned)
    base, floor = fitted.base_bytes(own), fitted.built_bytes(own)
    return choose_plan(own.work, PATHS, budget=memory, base=base, floor=floor)


def _slower(own: StepSize, planned: Planned) -> float:
    """How much longer a step takes under the plan than as it was measured."""
    cost = {plan: cost for cost, plan in plan_costs(own.work, PATHS)}
    return cost[planned.plan] / cost[PLAIN]
