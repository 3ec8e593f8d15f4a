"""From a table of edges to a trained model and a report, in one go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.catalog import DATASETS
from hlgnn.data import read_own
from hlgnn.formulation import DEFAULT_MEMORY
from hlgnn.jobs.presets import OWN, find_preset, settings_for
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.study.findings import Findings, inspect_graph
from hlgnn.jobs.study.foresee import Foresight, foresee
from hlgnn.jobs.study.scale import scaled
from hlgnn.jobs.study.study import Asked, study_run
from hlgnn.jobs.train import load_for, prepare_run, train_run
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
    offline: bool = False,
    progress: Progress = silent,
) -> OwnRun:
    """Read the tables, look at the graph, and choose settings for it; what the caller sets wins.

    A data set has presets of its own, unless it is taken ``as_own``, as if it had come in a table. With a column of
    times, links are held out by time: the latest are to be predicted from the earlier ones.
    """
    columns = dict(columns or {})
    chosen = protocol or ("time" if columns.get("time") else None)
    plain = settings_for(name, preset=preset, protocol=chosen, seed=seed, columns=columns)
    if as_own:
        values = find_preset(OWN, preset).values
        told = {"dataset": name, "protocol": plain.protocol, "seed": seed}
        plain = make_run_settings({**values, **told})
    notes: tuple[str, ...] = ()
    if name in DATASETS:
        dataset = load_for(plain, offline=offline, progress=progress)
    else:
        own = read_own(name, progress=progress, **columns)
        dataset, notes = own.dataset, own.notes
    own_preset = preset == "default" and (as_own or name not in DATASETS)
    settings = scaled(plain, dataset.graph) if own_preset else plain
    return OwnRun(override(settings, list(changes)), dataset, inspect_graph(dataset.graph, notes))


def train_and_study(
    own: OwnRun,
    folder: Path,
    *,
    command: str = "",
    automatic: bool = False,
    top: int = 20,
    memory: int = DEFAULT_MEMORY,
    tell: Callable[[str], None] = lambda _: None,
    on_epoch: Callable[[EpochRecord], None] = lambda _: None,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Say what is there and what it will take, train, and write the study and its report.

    Args:
        own: The graph and its settings.
        folder: The folder of the run.
        command: The line that was typed, for the report.
        automatic: Whether the best heuristic is used where the model does not earn its keep.
        top: How many links the report lists.
        memory: Bytes that heuristics and ranking may use.
        tell: Told each sentence as soon as it is known.
        on_epoch: Told about each epoch.
        progress: Told how much is done.
    """
    RunFolder.require_free(folder)
    for sentence in (*own.findings.notes, *own.findings.sentences):
        tell(sentence)
    expected: Foresight = foresee(own.settings, prepare_run(own.settings, dataset=own.dataset, progress=progress))
    tell(expected.sentence())
    train_run(own.settings, folder, dataset=own.dataset, on_epoch=on_epoch, progress=progress)
    asked = Asked(command, automatic, top, memory, own.findings.notes, (expected.seconds, expected.bytes))
    return study_run(folder, asked, progress=progress)
