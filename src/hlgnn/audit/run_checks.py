"""Run every check on a split."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hlgnn.audit.finding import AuditReport
from hlgnn.audit.leaks import (
    empty_parts,
    held_out_links_in_messages,
    links_in_two_parts,
    negatives_that_are_links,
    validation_links_at_test,
)
from hlgnn.audit.quality import (
    loops_among_negatives,
    meaning_of_the_metric,
    one_sided_negatives,
    orientation,
    repeated_negatives,
    repeats_and_loops,
)
from hlgnn.audit.shortcuts import easy_benchmark, trivial_scores
from hlgnn.audit.sources import from_ogb, from_pyg, from_split
from hlgnn.audit.weights import misplaced_weights
from hlgnn.evaluation import metric as find_metric
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hlgnn.audit.finding import Finding
    from hlgnn.audit.subject import Subject
    from hlgnn.data import Dataset, Split
    from hlgnn.graph import Graph

CHECKS: tuple[Callable[[Subject], Iterator[Finding]], ...] = (
    empty_parts,
    held_out_links_in_messages,
    validation_links_at_test,
    links_in_two_parts,
    negatives_that_are_links,
    misplaced_weights,
    repeats_and_loops,
    loops_among_negatives,
    repeated_negatives,
    one_sided_negatives,
    orientation,
    meaning_of_the_metric,
)


def audit(subject: Subject, *, progress: Progress = silent) -> AuditReport:
    """Check ``subject`` for leaks and shortcuts, and score it with predictors that learn nothing.

    Raises:
        UnknownNameError: If there is no such metric.
    """
    subject = replace(subject, metric=None if subject.metric is None else find_metric(subject.metric).name)
    findings: list[Finding] = []
    for number, check in enumerate(CHECKS):
        progress("Checking", number, len(CHECKS))
        findings.extend(check(subject))
    progress("Checking", len(CHECKS), len(CHECKS))
    trivial = trivial_scores(subject, progress=progress)
    return AuditReport(subject.name, subject.protocol, (*findings, easy_benchmark(trivial)), trivial)


def audit_split(
    split: Split,
    *,
    name: str = "split",
    metric: str | None = None,
    dataset: Dataset | None = None,
    progress: Progress = silent,
) -> AuditReport:
    """Audit one of our own splits; with ``dataset`` its weights are compared with those of the whole graph.

    Example:
        >>> from hlgnn.data import PROTOCOLS, load_embedded_cora, make_split
        >>> split = make_split(load_embedded_cora(), PROTOCOLS["paper"], seed=0)
        >>> audit_split(split, metric="hits@100").leaks
        ()
    """
    return audit(from_split(split, name=name, metric=metric, dataset=dataset), progress=progress)


def audit_pyg(
    parts: Sequence[Any],
    *,
    name: str = "PyG split",
    metric: str | None = None,
    key: str = "edge_label",
    reference: Graph | None = None,
) -> AuditReport:
    """Audit the three ``Data`` objects that PyG's ``RandomLinkSplit`` returns.

    Args:
        parts: Training, validation and test ``Data``.
        name: What to call it in the report.
        metric: What it will be reported in, such as ``hits@100``; AUC if that is not said.
        key: The name that ``RandomLinkSplit`` was told to give to labels.
        reference: The graph with its true weights, to find those on wrong edges.
    """
    return audit(from_pyg(parts, name=name, metric=metric, key=key, reference=reference))


def audit_ogb(
    split: Mapping[str, Mapping[str, Any]],
    *,
    num_nodes: int,
    name: str = "OGB split",
    metric: str | None = None,
    messages: Any = None,
    weight: Any = None,
    reference: Graph | None = None,
) -> AuditReport:
    """Audit a dictionary as OGB's ``get_edge_split()`` returns it.

    Args:
        split: The parts, with ``edge`` and ``edge_neg``, or ``source_node``, ``target_node`` and ``target_node_neg``.
        num_nodes: How many nodes the graph has.
        name: What to call it in the report.
        metric: What it will be reported in; AUC if that is not said.
        messages: The edges that carry messages, as a tensor, array or list; the training links if not said.  (E, 2)
        weight: The weight of each of ``messages``, or of each training link.  (E,)
        reference: The graph with its true weights, to find those on wrong edges.
    """
    return audit(
        from_ogb(
            split, num_nodes=num_nodes, name=name, metric=metric, messages=messages, weight=weight, reference=reference
        )
    )
