"""The graph of a run with what has come since: new links, new nodes with features, or another graph altogether."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch
from scipy.sparse import csr_array, vstack

from hlgnn.data import load_own
from hlgnn.errors import SettingsError
from hlgnn.graph import Graph, NodeIds, read_pairs
from hlgnn.graph.feature_table import read_features

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data import Dataset
    from hlgnn.models import LinkModel


@dataclass(frozen=True)
class Growth:
    """What has changed since training.

    Attributes:
        links: A table of links to add.
        nodes: A table of new nodes with the same features.
        graph: A table of edges that is ranked instead of the one that was trained on.
        features: The features of its nodes.
    """

    links: Path | None = None
    nodes: Path | None = None
    graph: Path | None = None
    features: Path | None = None


def grown_dataset(dataset: Dataset, model: LinkModel[Any, Any], growth: Growth) -> Dataset:
    """The data set that links are ranked in; nothing is learned anew.

    Raises:
        SettingsError: If the model cannot score such a graph, with the reason.
        GraphFormatError: If a table is wrong; the message names the line.
    """
    if growth.graph is not None:
        dataset = _other_graph(dataset, model, growth.graph, growth.features)
    elif growth.features is not None:
        raise SettingsError(
            "Features are of the nodes of another graph.", where="--features", hint="Name it by --graph."
        )
    if growth.nodes is not None:
        dataset = _with_nodes(dataset, model, growth.nodes)
    if growth.links is not None:
        dataset = _with_links(dataset, growth.links)
    return dataset


def has_vectors(model: LinkModel[Any, Any]) -> bool:
    """Whether the model has learned a vector for each node that it was trained on, and knows no others."""
    return getattr(model, "embedding", None) is not None or getattr(model, "vectors", None) is not None


def _other_graph(dataset: Dataset, model: LinkModel[Any, Any], path: Path, features: Path | None) -> Dataset:
    _require_features(model, "The model cannot move to another graph", "--graph")
    other = load_own(path, features=features)
    _check_width(dataset, other.graph.num_features, "--features")
    return other


def _with_nodes(dataset: Dataset, model: LinkModel[Any, Any], path: Path) -> Dataset:
    _require_features(model, "New nodes cannot be scored", "--new-nodes")
    graph = dataset.graph
    table = read_features(path, NodeIds.from_labels([]), unknown="add")
    _check_width(dataset, table.values.shape[1], str(path))
    known = graph.node_ids.find(table.node_ids.to_arrow())
    if (known >= 0).any():
        name = table.node_ids[int((known >= 0).argmax())]
        raise SettingsError(f"Node {name!r} is in the graph already.", where=str(path), hint="Give new nodes only.")
    ids = NodeIds.from_labels([*graph.node_ids, *table.node_ids])
    features: torch.Tensor | csr_array | None = None
    if isinstance(graph.features, torch.Tensor):
        features = torch.cat([graph.features, torch.from_numpy(table.values).to(graph.features)])
    elif graph.features is not None:
        features = csr_array(vstack([graph.features, csr_array(table.values)]))
    weight = graph.link_weight
    grown = Graph.from_edges(len(ids), graph.links, weight=weight, features=features, node_ids=ids)
    return replace(dataset, graph=grown, labels=None, time=None)


def _with_links(dataset: Dataset, path: Path) -> Dataset:
    graph = dataset.graph
    pairs = torch.from_numpy(read_pairs(path, graph.node_ids))
    fresh = pairs[~graph.has_links(pairs)]
    weight = graph.link_weight
    if weight is not None:
        weight = torch.cat([weight, weight.mean().expand(len(fresh))])
    links = torch.cat([graph.links, fresh])
    grown = Graph.from_edges(graph.num_nodes, links, weight=weight, features=graph.features, node_ids=graph.node_ids)
    return replace(dataset, graph=grown, time=None)


def _require_features(model: LinkModel[Any, Any], what: str, where: str) -> None:
    if has_vectors(model):
        raise SettingsError(
            f"{what}: it has learned a vector for each node of its graph, and there is none for others.",
            where=where,
            hint="Train with features: --features NODES.parquet, and model.input.source = 'features'.",
        )


def _check_width(dataset: Dataset, width: int, where: str) -> None:
    if width != dataset.graph.num_features:
        raise SettingsError(
            f"There are {width} features, but the model was trained on {dataset.graph.num_features}.",
            where=where,
            hint="Give the same columns in the same order.",
        )
