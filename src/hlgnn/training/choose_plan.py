"""The fastest plan that fits into an amount of memory."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.errors import SettingsError
from hlgnn.formulation.layer_storage import computed_again
from hlgnn.formulation.memory import readable
from hlgnn.models.memory_estimate import training_use
from hlgnn.models.memory_plan import MemoryPlan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hlgnn.formulation.layer_storage import Layers
    from hlgnn.models.memory_estimate import WorkSizes
    from hlgnn.models.paths import Path

BACKWARD = 1.3
"""How much longer than a product its gradient takes."""
NARROWEST = 16
ROUNDING = 1.3
"""An exact plan is preferred if it is at most this much slower than one that rounds."""
FILES = 1.25
"""How much longer a step takes at most when vectors and their state live in files."""


@dataclass(frozen=True)
class Planned:
    """A plan and what it takes.

    Attributes:
        plan: The plan.
        bytes: The most memory of the process at any time, by the estimate.
        mapped: Bytes in files, which the system keeps in memory as long as there is room.
        budget: What was allowed, or ``None``.
        learned: Whether operators are.
        processes: How many share the work; all numbers are those of one.
    """

    plan: MemoryPlan
    bytes: int
    mapped: int
    budget: int | None
    learned: bool
    processes: int = 1

    def sentence(self) -> str:
        """For a person who waits."""
        files = f" and {readable(self.mapped)} in files" if self.mapped else ""
        each = " for each process" if self.processes > 1 else ""
        return f"plan: {self.plan.words(learned=self.learned)}; about {readable(self.bytes)}{files}{each}"

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)


def choose_plan(
    sizes: WorkSizes,
    paths: Mapping[Path, float],
    *,
    budget: int | None,
    base: int,
    floor: int = 0,
    half: bool = False,
    processes: int = 1,
) -> Planned:
    """The fastest plan whose memory, with the ``base`` bytes that are there already, is within the budget.

    Args:
        sizes: What is trained.
        paths: What a step costs on each path that applies.
        budget: Bytes for the whole process; ``None`` is no limit.
        base: Bytes that the process has before training.
        floor: The most bytes that it has had so far.
        half: Whether layers are to be stored in bfloat16 in any case.
        processes: How many share the work; sizes and bytes are those of one.

    Raises:
        SettingsError: If no plan fits; it says how little would do, and what to lower.
    """
    found = []
    for cost, plan in plan_costs(sizes, paths, half=half):
        use = training_use(sizes, plan)
        needed = max(floor, base + use.bytes)
        found.append((cost, Planned(plan, needed, use.mapped, budget, sizes.learned, processes)))
    limit = math.inf if budget is None else budget
    fitting = [(cost, planned) for cost, planned in found if planned.bytes <= limit]
    if fitting:
        return min(fitting, key=lambda pair: (pair[0], pair[1].bytes))[1]
    least = min((planned for _, planned in found), key=lambda planned: planned.bytes)
    each = "for each process " if processes > 1 else ""
    raise SettingsError(
        f"{readable(limit)} of memory {each}are too little to train: the least is {readable(least.bytes)}, of which "
        f"{readable(base)} are in use already.",
        where="--memory",
        hint=f"Allow more, or lower {_what_to_lower(sizes)}.",
    )


def plan_costs(
    sizes: WorkSizes, paths: Mapping[Path, float], *, half: bool = False
) -> Iterator[tuple[float, MemoryPlan]]:
    """Every plan and what a step costs under it."""
    for path, cost in paths.items():
        for mapped in (False, True):
            files = cost * (FILES if mapped else 1.0)
            if path != "plain" or sizes.operators == "layered":
                yield files, MemoryPlan(path=path, mapped=mapped)
                continue
            for factor, plan in _plain_plans(sizes, mapped=mapped, half=half):
                yield files * factor, plan


def _plain_plans(sizes: WorkSizes, *, mapped: bool, half: bool) -> Iterator[tuple[float, MemoryPlan]]:
    widths = [0, *_narrower(sizes.propagated)]
    if not sizes.learned:
        for columns in widths:
            yield _narrow_cost(columns), MemoryPlan(columns=columns, mapped=mapped)
        return
    whole = (1 + BACKWARD) * max(1, sizes.depth)
    storages: tuple[Layers, ...] = ("all", "root", "none") if sizes.operators != "geometric" else ("all", "root")
    for layers in storages:
        for columns in widths:
            again = computed_again(sizes.depth, layers) + (sizes.depth if columns else 0)
            factor = (whole + again) / whole * _narrow_cost(columns)
            if not half:
                yield factor, MemoryPlan(layers=layers, columns=columns, mapped=mapped)
            if sizes.operators != "geometric" and layers != "none":
                rounded = MemoryPlan(layers=layers, precision="bfloat16", columns=columns, mapped=mapped)
                yield factor * (1.0 if half else ROUNDING), rounded
            elif half:
                yield factor, MemoryPlan(layers=layers, columns=columns, mapped=mapped)


def _narrower(width: int) -> list[int]:
    """Half as many columns, a quarter, and so on."""
    widths = []
    while width > NARROWEST:
        width = max(NARROWEST, -(-width // 2))
        widths.append(width)
    return widths


def _narrow_cost(columns: int) -> float:
    """Short rows are fetched less well than long ones."""
    return 1.0 + 8.0 / columns if columns else 1.0


def _what_to_lower(sizes: WorkSizes) -> str:
    pairs = sizes.pairs * (sizes.width + sizes.head_hidden * max(1, sizes.head_layers))
    if pairs > sizes.nodes * sizes.width:
        return "train.batch_size or model.head.hidden"
    if sizes.embedding:
        return "model.input.embedding_width or model.input.hidden"
    return "model.input.hidden or model.propagation.depth"
