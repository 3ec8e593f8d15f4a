"""From a graph of any library to a trained run in a folder, by the code of the command line."""

from __future__ import annotations

import logging
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import tomli_w

from hlgnn.errors import SettingsError
from hlgnn.estimators.fitted_run import FittedRun, Workspace
from hlgnn.estimators.graph_input import write_input
from hlgnn.jobs.own_run import open_own
from hlgnn.jobs.study.study import Asked, study_run
from hlgnn.jobs.train import train_run
from hlgnn.memory_size import memory_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.jobs.study.findings import Findings
    from hlgnn.training.fit import EpochRecord

log = logging.getLogger(__name__)
LOOPS = "Edges from a node to itself"


@dataclass(frozen=True, eq=False)
class Trained:
    """What training leaves behind.

    Attributes:
        run: The run, opened.
        settings: What was chosen for it.
        findings: What is in the graph.
    """

    run: FittedRun
    settings: RunSettings
    findings: Findings


def train_input(
    given: Mapping[str, Any],
    *,
    preset: str,
    protocol: str | None,
    seed: int,
    settings: Mapping[str, Any] | None,
    automatic: bool,
    memory: str | int,
    verbose: bool,
) -> Trained:
    """Write the tables of a graph, read them, train, and study the run if the best method is to be chosen.

    Args:
        given: The arguments of ``write_input`` but the folder.
        preset: The preset, by name or file.
        protocol: How links are held out.
        seed: What everything is drawn from.
        settings: Such as ``{"train.epochs": 50}``.
        automatic: Whether the best heuristic is used where the model does not earn its keep.
        memory: How much may be used.
        verbose: Whether to tell what is found and how training goes.
    """
    budget, workspace = memory_bytes(memory), Workspace()
    tables = write_input(given["graph"], workspace.input, **{k: v for k, v in given.items() if k != "graph"})
    with _teller(verbose=verbose) as tell:
        own = open_own(
            tables.name,
            preset=preset,
            protocol=protocol,
            seed=seed,
            changes=[f"{name}={_toml(name, value)}" for name, value in (settings or {}).items()],
            columns=tables.columns,
            automatic=automatic,
        )
        notes = tuple(note for note in own.findings.notes if not (tables.loops and note.startswith(LOOPS)))
        for sentence in (*notes, *own.findings.sentences):
            tell(sentence)
        train_run(own.settings, workspace.run, dataset=own.dataset, on_epoch=lambda record: tell(_told(record)))
        if automatic:
            study_run(workspace.run, Asked(automatic=True, memory=budget, notes=notes))
    return Trained(FittedRun(workspace, memory=budget, notes=notes), own.settings, own.findings)


def plain_value(value: Any) -> Any:
    """A number of numpy as Python's own; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def _toml(name: str, value: Any) -> str:
    try:
        return tomli_w.dumps({"value": plain_value(value)}).partition("=")[2].strip()
    except TypeError:
        hint = "Give numbers, text, truth values or lists of these; leave out what is to stay."
        raise SettingsError(f"{value!r} cannot be set.", where=f"settings {name}", hint=hint) from None


def _told(record: EpochRecord) -> str:
    return f"Epoch {record.epoch}: loss {record.loss:.4f}"


@contextmanager
def _teller(*, verbose: bool) -> Iterator[Callable[[str], None]]:
    """A function that is told sentences: to the log, and with ``verbose`` to standard error as long as this lasts."""
    if not verbose:
        yield log.debug
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield log.info
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
