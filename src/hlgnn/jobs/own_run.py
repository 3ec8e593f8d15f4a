"""From a table of edges to a trained model and a report, in one go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hlgnn.catalog import DATASETS
from hlgnn.data import read_own
from hlgnn.formulation import DEFAULT_MEMORY
from hlgnn.jobs.memory_budget import plan_memory
from hlgnn.jobs.presets import DEFAULT, OWN, find_preset, settings_for
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.study.findings import Findings, inspect_graph
from hlgnn.jobs.study.foresee import Foresight, foresee
from hlgnn.jobs.study.recipe import Recipe, choose_recipe
from hlgnn.jobs.study.scale import scaled
from hlgnn.jobs.study.study import Asked, study_run
from hlgnn.jobs.train import load_for, prepare_run, train_run
from hlgnn.jobs.train_seeds import is_begun
from hlgnn.memory_size import resident_bytes
from hlgnn.processes import SINGLE, Processes
from hlgnn.progress import Progress, silent
from hlgnn.settings import override

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from hlgnn.data import Dataset
    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.training.fit import EpochRecord


@dataclass(frozen=True, eq=False)
class OwnRun:
    """A graph that is about to be trained on.

    Attributes:
        settings: What was chosen for it.
        dataset: The graph.
        findings: What is in it.
    """

    settings: RunSettings
    dataset: Dataset
    findings: Findings


def open_own(
    name: str,
    *,
    preset: str = "default",
    protocol: str | None = None,
    seed: int = 0,
    changes: Sequence[str] = (),
    columns: Mapping[str, Any] | None = None,
    as_own: bool = False,
    automatic: bool = False,
    offline: bool = False,
    progress: Progress = silent,
) -> OwnRun:
    """Read the tables, look at the graph, and choose settings for it; what the caller sets wins.

    A data set has presets of its own, unless it is taken ``as_own``, as if it had come in a table. With a column of
    times, links are held out by time: the latest are to be predicted from the earlier ones. The usual settings are
    those that take seconds; ``automatic`` ones are those of the data set that the graph is most like, and take minutes.
    """
    columns = dict(columns or {})
    plain = settings_for(name, preset=preset, protocol=protocol, seed=seed, columns=columns)
    if as_own:
        values = find_preset(OWN, preset).values_under(plain.protocol)
        told = {"dataset": name, "protocol": plain.protocol, "seed": seed}
        plain = make_run_settings({**values, **told})
    notes: tuple[str, ...] = ()
    if name in DATASETS:
        dataset = load_for(plain, offline=offline, progress=progress)
    else:
        own = read_own(name, progress=progress, **columns)
        dataset, notes = own.dataset, own.notes
    graph, recipe = dataset.graph, None
    settings = plain
    if preset == DEFAULT and automatic:
        recipe = choose_recipe(graph)
    if recipe is not None:
        settings = _by_recipe(plain, recipe)
    elif preset == DEFAULT and (as_own or name not in DATASETS):
        settings = scaled(plain, graph)
    found = inspect_graph(graph, notes)
    if recipe is not None:
        found = replace(found, sentences=(*found.sentences, recipe.reason))
    return OwnRun(override(settings, list(changes)), dataset, found)


def _by_recipe(settings: RunSettings, recipe: Recipe) -> RunSettings:
    """The model and the training of the recipe, on the data and under the protocol that are asked for."""
    made = make_run_settings(
        {**recipe.values_under(settings.protocol), "dataset": settings.dataset, "protocol": settings.protocol}
    )
    chosen = settings.model_copy(update={"model": made.model, "train": made.train})
    return override(chosen, list(recipe.changes))


def study_memory(memory: int | None) -> int:
    """Bytes for heuristics and ranking: what the budget of the process leaves, and never less than a quarter of it."""
    return DEFAULT_MEMORY if memory is None else max(memory // 4, memory - resident_bytes())


def train_and_study(
    own: OwnRun,
    folder: Path,
    *,
    command: str = "",
    automatic: bool = False,
    top: int = 20,
    memory: int | None = None,
    again: bool = False,
    processes: Processes = SINGLE,
    tell: Callable[[str], None] = lambda _: None,
    on_epoch: Callable[[EpochRecord], None] = lambda _: None,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Say what is there and what it will take, train, and write the study and its report.

    Several processes train together if all of them call this; the first one writes the study, the others get nothing.

    Args:
        own: The graph and its settings.
        folder: The folder of the run.
        command: The line that was typed, for the report.
        automatic: Whether the best heuristic is used where the model does not earn its keep.
        top: How many links the report lists.
        memory: Bytes that the process may take; heuristics and ranking get what training left of them.
        again: Whether processes were started again: they go on with what is there of this very run.
        processes: Who takes part.
        tell: Told each sentence as soon as it is known.
        on_epoch: Told about each epoch.
        progress: Told how much is done.
    """
    settings = own.settings.model_copy(update={"memory": memory, "automatic": automatic})
    resume = again and is_begun(folder, settings, 1)
    if not resume:
        RunFolder.require_free(folder)
    for sentence in (*own.findings.notes, *own.findings.sentences):
        tell(sentence)
    expected: Foresight | None = None
    if processes.first:
        work = prepare_run(settings, dataset=own.dataset, progress=progress)
        expected = foresee(settings, work, plan_memory(settings, work, folder))
        del work  # it is made anew where it is trained
        tell(expected.sentence())
    train_run(
        settings,
        folder,
        resume=resume,
        dataset=own.dataset,
        processes=processes,
        on_epoch=on_epoch,
        tell=tell,
        progress=progress,
    )
    if expected is None:
        return {}
    took = (expected.seconds, expected.bytes)
    asked = Asked(command, automatic, top, study_memory(memory), own.findings.notes, took)
    return study_run(folder, asked, progress=progress)
