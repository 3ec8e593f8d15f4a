"""Settings that fit a graph of one's own: its features and its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.settings import override

if TYPE_CHECKING:
    from hlgnn.graph import Graph
    from hlgnn.jobs.run_settings import RunSettings

MANY_LINKS, VERY_MANY_LINKS = 50_000, 500_000
WIDE_FEATURES = 256
FEW_COLUMNS = 32
HALF = 0.5


def scaled(settings: RunSettings, graph: Graph) -> RunSettings:
    """The preset of own graphs, adapted.

    With features and not too many links, β alone is learned, with a scale and a shift of the cosine of what is
    propagated: some ten numbers, which a small graph can tell, and whose best pairs are found exactly in seconds.
    Measurements in units of their own get the same spread, and few of them a perceptron: their cosine says little.
    Without features every node has a learned vector, and a perceptron corrects its cosine. On large graphs a step costs
    a propagation, so that batches are an eighth of the links, vectors are narrower, and the number of epochs is fixed.
    """
    if settings.model_name != "hlgnn":
        return settings
    measured = are_measurements(graph)
    changes = ["model.input.standardize=true"] if measured else []
    if has_wide_features(graph) and graph.num_links <= MANY_LINKS:
        changes += _few_numbers(graph)
    if graph.num_links > MANY_LINKS:
        changes += [
            f"model.input.svd={_narrowed(graph)}",
            "model.input.hidden=64",
            "model.input.embedding_width=64",
            "model.head.hidden=64",
            f"train.batch_size={graph.num_links // 8}",
            "train.epochs=30",
            "train.folds=3",
            "train.evaluate_every=1",
            "train.patience=0",
            "train.selection_negatives=1",
            "train.learning_rate=0.01",
        ]
    if graph.num_links > VERY_MANY_LINKS:
        changes += ["model.propagation.depth=4", "train.epochs=15", "train.folds=2"]
    return override(settings, changes)


def has_wide_features(graph: Graph) -> bool:
    """Whether cosines of features say something: of a few measurements they do not."""
    return graph.features is not None and not (are_measurements(graph) and graph.num_features <= FEW_COLUMNS)


def _few_numbers(graph: Graph) -> list[str]:
    return [
        "model.input.source=features",
        f"model.input.tf_idf={'true' if are_words(graph) else 'false'}",
        f"model.input.svd={_narrowed(graph)}",
        "model.input.hidden=0",
        "model.propagation.depth=10",
        "model.propagation.beta_init=rwr",
        "model.head.kind=cosine",
        "model.head.pair_features=false",
        "train.epochs=40",
        "train.patience=10",
        "train.learning_rate=0.05",
        "train.beta_rate=0.02",
        "train.batch_size=2048",
        "train.folds=3",
        "train.selection_negatives=1",
    ]


def _narrowed(graph: Graph) -> int:
    """The width that wide features are reduced to, 0 for those that are not."""
    return min(WIDE_FEATURES, graph.num_nodes) if graph.num_features > WIDE_FEATURES else 0


def are_words(graph: Graph) -> bool:
    """Whether features look like counts of words: no negative ones, and most of them zero."""
    features = graph.features
    if features is None or graph.num_nodes == 0:
        return False
    values = features.flatten() if isinstance(features, torch.Tensor) else torch.from_numpy(features.data)
    return bool(values.numel()) and not bool((values < 0).any()) and _filled(values, graph) < HALF


def are_measurements(graph: Graph) -> bool:
    """Whether features look like numbers in units of their own: most are not zero, and some columns are far from one.

    Columns that reach from −1 to 1 at most, such as vectors of a language model, stay as they are.
    """
    features = graph.features
    if not isinstance(features, torch.Tensor) or features.numel() == 0:
        return False
    return _filled(features, graph) >= HALF and bool(features.abs().max() > 1)


def _filled(values: torch.Tensor, graph: Graph) -> float:
    return int((values != 0).sum()) / max(1, graph.num_nodes * graph.num_features)
