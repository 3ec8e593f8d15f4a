"""Which recipe fits a graph: that of the data set which it is most like, adapted to its features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.jobs.presets import find_preset
from hlgnn.jobs.study.scale import are_measurements, are_words, has_wide_features

if TYPE_CHECKING:
    from typing import Any

    from hlgnn.graph import Graph

FEW_LINKS = 1000
"""Below, thousands of weights cannot be told from so few links."""
MANY_NEIGHBORS = 20.0
"""The mean degree from which the links of other nodes say more than features: a regression of the graph on itself."""
MOST_NODES = 20_000
SMALL, SMALL_REGRESSED, MOST_REGRESSED = 10_000, 8_000, 14_000
"""Nodes up to which all message graphs of training, with what is read of them, fit into some gigabytes."""
WIDE, NARROW = 512, 256


@dataclass(frozen=True)
class Recipe:
    """What a graph is trained with.

    Attributes:
        like: The data set whose default preset is taken.
        reason: Why, in a sentence.
        changes: What is other than there, such as ``model.input.tf_idf=false``.
    """

    like: str
    reason: str
    changes: tuple[str, ...]

    def values_under(self, protocol: str) -> dict[str, Any]:
        """The settings of the preset under a protocol, by section."""
        return find_preset(self.like).values_under(protocol)


def choose_recipe(graph: Graph) -> Recipe | None:
    """The recipe for a graph with at most twenty thousand nodes, by its features, its size and its mean degree.

    The presets are chosen by validation on six data sets, and the limits between them lie where these six are told
    apart. ``None`` where there is too little to learn from, or too much to prepare; ``scaled`` fits these.
    """
    nodes, degree = graph.num_nodes, 2 * graph.num_links / max(1, graph.num_nodes)
    if graph.num_links < FEW_LINKS or nodes > MOST_NODES:
        return None
    dense = degree >= MANY_NEIGHBORS
    seen = f"a mean degree of {degree:.3g}"
    if graph.features is None:
        if dense and nodes <= SMALL_REGRESSED:
            return _recipe("ogbl-ddi", f"no features and {seen}", ())
        return None
    if not has_wide_features(graph):
        return None
    like = "cora" if nodes <= SMALL else "pubmed"
    if dense and nodes <= MOST_REGRESSED:
        like = "photo" if nodes <= SMALL_REGRESSED else "computers"
    return _recipe(like, f"{graph.num_features} features, {nodes} nodes and {seen}", _inputs(graph, like))


def _recipe(like: str, seen: str, changes: tuple[str, ...]) -> Recipe:
    return Recipe(like, f"Trained as {like} is, which it is most like: {seen}.", changes)


def _inputs(graph: Graph, like: str) -> tuple[str, ...]:
    """How features are prepared: counts of words weighed, measurements of one spread, many columns made fewer."""
    measured, counted = are_measurements(graph), are_words(graph) and are_counts(graph)
    width = 0
    if graph.num_features > WIDE:
        width = min(find_preset(like).values["model"]["input"].get("svd") or NARROW, graph.num_nodes)
    return (
        f"model.input.tf_idf={'true' if counted else 'false'}",
        f"model.input.standardize={'true' if measured else 'false'}",
        f"model.input.svd={width}",
    )


def are_counts(graph: Graph) -> bool:
    """Whether all features are whole numbers: what is weighed already has others."""
    features = graph.features
    if features is None:
        return False
    values = features.flatten() if isinstance(features, torch.Tensor) else torch.from_numpy(features.data)
    return bool((values == values.round()).all())
