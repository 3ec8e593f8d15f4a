"""Audit a data set, or a graph of one's own, under a protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.audit import audit_split
from hlgnn.data import PROTOCOLS, make_split
from hlgnn.errors import SettingsError
from hlgnn.evaluation import metric as find_metric
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from hlgnn.audit import AuditReport
    from hlgnn.data import Dataset, Negatives, Protocol


def audit_dataset(
    dataset: Dataset,
    protocol: Protocol,
    *,
    seed: int = 0,
    metric: str | None = None,
    progress: Progress = silent,
) -> AuditReport:
    """Split ``dataset`` under ``protocol`` and audit the result."""
    measure = find_metric(metric or dataset.metric)
    split = make_split(dataset, protocol, seed, progress=progress)
    return audit_split(split, name=dataset.name, metric=measure.name, dataset=dataset)


def choose_protocol(dataset: Dataset, name: str | None, negatives: str | None = None) -> Protocol:
    """The protocol of that name, or the one that suits ``dataset``; with other negatives if asked for."""
    if name is None:
        name = "ogb" if dataset.official is not None else "time" if dataset.time is not None else "paper"
    protocol = PROTOCOLS[name]
    if negatives is None:
        return protocol
    known: dict[str, Negatives] = {"uniform": "uniform", "degree-matched": "degree-matched", "heart": "heart"}
    if negatives not in known:
        raise SettingsError(
            f"There are no negatives called {negatives!r}.", where="--negatives", hint=f"Choose {', '.join(known)}."
        )
    return protocol.with_negatives(known[negatives])
