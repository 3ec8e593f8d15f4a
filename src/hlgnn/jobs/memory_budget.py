"""The memory of a run: the plan that fits its budget, the estimate before, and what it has really taken."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from torch import Tensor

from hlgnn.atomic import atomic_path
from hlgnn.errors import RunError, SettingsError
from hlgnn.formulation import readable
from hlgnn.memory_size import peak_bytes, resident_bytes
from hlgnn.models import HLGNN
from hlgnn.models.memory_plan import MemoryPlan, apply_plan
from hlgnn.models.paths import path_costs
from hlgnn.processes import SINGLE, Processes
from hlgnn.training.choose_plan import Planned, choose_plan
from hlgnn.training.work_sizes import work_sizes

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.jobs.train import Prepared

FILE = "memory.json"


def plan_memory(settings: RunSettings, work: Prepared, folder: Path, processes: Processes = SINGLE) -> Planned | None:
    """Choose a plan, or take the one that an interrupted run had, and let the model work by it.

    Without a budget there is none, and the model works as its settings say. Of several processes each may take the
    budget, and all have the plan of the one that holds most. A run that goes on with more or fewer plans anew.

    Raises:
        SettingsError: If no plan fits, or none is known for the model.
    """
    if settings.memory is None:
        return None
    model = work.model
    if not isinstance(model, HLGNN):
        raise SettingsError(
            f"There are no plans of memory for {settings.model_name}.",
            where="--memory",
            hint="Leave it out, or train hlgnn.",
        )
    planned = _noted(folder)
    base, floor = (int(processes.everyone.largest(each)) for each in (resident_bytes(), peak_bytes()))
    if planned is None or planned.processes != processes.size:
        planned = choose_plan(
            work_sizes(model, work.split, settings.train, processes),
            _costs(model, work),
            budget=settings.memory,
            base=base,
            floor=floor,
            half=settings.model.precision == "bfloat16",  # type: ignore[attr-defined]
            processes=processes.size,
        )
    apply_plan(model, planned.plan, existing(folder))
    return planned


def note_plan(folder: Path, planned: Planned | None) -> None:
    """Keep the plan with the run, so that it goes on in the same way after an interruption."""
    if planned is not None:
        with atomic_path(folder / FILE) as temporary:
            temporary.write_text(json.dumps(planned.document(), indent=2) + "\n", encoding="utf-8")


def memory_result(planned: Planned | None, peak: int) -> dict[str, Any]:
    """What the result of a run says of memory."""
    return {"peak_bytes": peak, **({} if planned is None else {"memory_plan": planned.document()})}


def peak_sentence(peak: int, planned: Planned) -> str:
    """What the process has really taken, for a person who was told an estimate."""
    files = ", pages of files included, which are given back where memory is short" if planned.plan.mapped else ""
    most = " for the process that took most" if planned.processes > 1 else ""
    return f"peak: {readable(peak)}{most}{files}"


def existing(folder: Path) -> Path:
    """The nearest folder above that is there: files without a name lie on the disk of the run."""
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


def _noted(folder: Path) -> Planned | None:
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return Planned(**{**values, "plan": MemoryPlan(**values["plan"])})
    except (ValueError, TypeError, KeyError) as error:
        raise RunError(f"The plan of memory cannot be read ({error}).", where=str(path)) from None


def _costs(model: HLGNN, work: Prepared) -> Any:
    """Costs of the paths that apply, or of the one that the settings name."""
    graph, features = work.split.graph, work.split.graph.features
    stored = 0
    if model.preparation is not None and features is not None:
        stored = graph.num_nodes * model.preparation.width
        if not isinstance(features, Tensor) and model.preparation.width == features.shape[1]:
            stored = int(features.nnz)
    costs = path_costs(model, graph.num_nodes, graph.adjacency.num_edges, stored)
    named = model.settings.path
    return costs if named == "auto" else {named: costs.get(named, 1.0)}
