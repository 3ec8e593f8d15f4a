"""What is in a graph, in sentences that a person can act on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array

from hlgnn.jobs.graph_summary import GraphSummary, summarize
from hlgnn.jobs.study.scale import are_measurements
from hlgnn.jobs.study.sides import is_bipartite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hlgnn.graph import Graph

FEW_LINKS = 200
MANY_LEAVES = 0.3
HUB_SHARE = 0.01
WIDE_RANGE = 1e3
BIPARTITE = (
    "The graph is bipartite: links join two sides, and nodes that could be linked have no common neighbours. "
    "Heuristics of odd length count there (lpi, ki, shortest-path), and only pairs across the sides are ranked. "
    "Pairs within a side are among those that test links are compared with, which makes that comparison easier."
)


@dataclass(frozen=True)
class Findings:
    """A graph, looked at.

    Attributes:
        summary: Its size and shape.
        sentences: What stands out, and what it means for predictions.
        notes: What was dropped or merged while reading.
        bipartite: Whether its nodes fall into two sides that are linked across only.
    """

    summary: GraphSummary
    sentences: tuple[str, ...]
    notes: tuple[str, ...] = ()
    bipartite: bool = False


def inspect_graph(graph: Graph, notes: Sequence[str] = ()) -> Findings:
    """Look at sizes, components, degrees and features; a few passes over the links.

    Example:
        >>> from hlgnn.graph import star
        >>> inspect_graph(star(4)).bipartite
        True
    """
    summary, bipartite = summarize(graph), is_bipartite(graph)
    sentences = [
        _size(summary),
        *_shape(graph, summary),
        *([BIPARTITE] if bipartite else []),
        *_feature_sentences(graph),
    ]
    return Findings(summary, tuple(sentences), tuple(notes), bipartite)


def _size(summary: GraphSummary) -> str:
    return (
        f"{count(summary.nodes, 'node')} and {count(summary.links, 'link')}; a node has {summary.mean_degree:.1f} "
        f"links on average, half of the nodes at most {summary.median_degree:g}, the busiest {summary.max_degree}."
    )


def _shape(graph: Graph, summary: GraphSummary) -> Iterable[str]:
    if summary.links < FEW_LINKS:
        yield "There are few links: held-out parts of them are small, and every number below is uncertain."
    if summary.isolated:
        yield (
            f"{count(summary.isolated, 'node')} without links: only features could say anything about "
            f"{'it' if summary.isolated == 1 else 'them'}."
        )
    linked = summary.components - summary.isolated
    if linked > 1:
        share = summary.largest_component / summary.nodes
        yield (
            f"The linked nodes fall into {linked} components, the largest with {share:.0%} of all nodes. No path leads "
            "from one to another, so only features can predict links between them."
        )
    degree = graph.degree.sort(descending=True).values
    hubs = max(1, round(HUB_SHARE * len(degree)))
    if len(degree) >= 1 / HUB_SHARE:
        share = float(degree[:hubs].sum() / degree.sum().clamp(min=1))
        yield f"The busiest {HUB_SHARE:.0%} of the nodes have {share:.0%} of all link ends."
    leaves = int((graph.degree == 1).sum())
    if leaves > MANY_LEAVES * summary.nodes:
        yield (
            f"{leaves / summary.nodes:.0%} of the nodes have one link only; when it is held out, nothing in the graph "
            "points to it."
        )


def _feature_sentences(graph: Graph) -> Iterable[str]:
    if graph.features is None:
        yield "There are no features: every node gets a learned vector, and nodes that come later cannot be scored."
        return
    values = graph.features
    if isinstance(values, torch.Tensor):
        columns = values.double()
        largest, smallest = columns.abs().amax(dim=0).numpy(), (columns - columns[:1]).abs().amax(dim=0).numpy()
        constant, empty = int((smallest == 0).sum()), int((columns == 0).all(dim=1).sum())
        filled = float((columns != 0).double().mean())
    else:
        present = csr_array(abs(values))
        largest = np.asarray(present.max(axis=0).todense()).ravel()
        constant, empty = int((largest == 0).sum()), int((np.diff(present.indptr) == 0).sum())
        filled = present.nnz / max(1, present.shape[0] * present.shape[1])
    yield f"{count(graph.num_features, 'feature')} for each node, {_percent(filled)} of the numbers are not zero."
    if constant:
        yield f"{count(constant, 'feature')} with the same value for all nodes: they say nothing."
    if empty:
        yield f"{count(empty, 'node')} with zeros only in the features."
    positive = largest[largest > 0]
    if len(positive) and positive.max() > WIDE_RANGE * positive.min():
        yield (
            f"Features differ in scale by a factor of {positive.max() / positive.min():.0f}: the largest would decide "
            f"alone. {_remedy(graph)}"
        )


def _remedy(graph: Graph) -> str:
    if are_measurements(graph):
        return "HL-GNN gives every column the same mean and deviation; other methods read them as they are."
    return "Scale columns to the same range before training."


def _percent(share: float) -> str:
    """Two digits, and whole numbers from ten on."""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


def count(number: int, noun: str) -> str:
    """``1 node``, ``2 708 nodes``."""
    return f"{number:,}".replace(",", " ") + f" {noun}{'' if number == 1 else 's'}"
