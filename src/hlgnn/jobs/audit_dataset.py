"""Audit a data set, or a graph of one's own, under a protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.audit import audit_split
from hlgnn.data import PROTOCOLS, load_split, make_split
from hlgnn.data.split_files import load_origin
from hlgnn.evaluation import metric as find_metric
from hlgnn.progress import Progress, silent
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.audit import AuditReport
    from hlgnn.data import Dataset, Negatives, Protocol

NEGATIVES: Registry[Negatives] = Registry(
    "kind of negatives", {"uniform": "uniform", "degree-matched": "degree-matched", "heart": "heart"}
)


def audit_dataset(
    dataset: Dataset,
    protocol: Protocol,
    *,
    seed: int = 0,
    metric: str | None = None,
    progress: Progress = silent,
) -> AuditReport:
    """Split ``dataset`` under ``protocol`` and audit the result."""
    measure = find_metric(metric or protocol.metric_for(dataset.metric))
    split = make_split(dataset, protocol, seed, progress=progress)
    return audit_split(split, name=dataset.name, metric=measure.name, dataset=dataset, progress=progress)


def audit_folder(folder: Path, *, metric: str | None = None, progress: Progress = silent) -> AuditReport:
    """Audit a saved split in ``metric``, or else in the one that was saved with it."""
    origin = load_origin(folder)
    named = metric or origin.metric
    measure = None if named is None else find_metric(named).name
    return audit_split(load_split(folder), name=origin.name or str(folder), metric=measure, progress=progress)


def choose_protocol(dataset: Dataset, name: str | None, negatives: str | None = None) -> Protocol:
    """The protocol of that name, or the one that suits ``dataset``; with other negatives if asked for."""
    if name is None:
        name = "ogb" if dataset.official is not None else "time" if dataset.time is not None else "paper"
    protocol = PROTOCOLS[name]
    if negatives is None:
        return protocol
    return protocol.with_negatives(NEGATIVES[negatives])
