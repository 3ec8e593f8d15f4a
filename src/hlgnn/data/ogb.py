"""The link prediction benchmarks of OGB, with their official splits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.data.dataset import Dataset, OfficialSplit
from hlgnn.data.link_times import earliest_times
from hlgnn.data.official_files import require_files
from hlgnn.data.ogb_tables import read_features, read_num_nodes
from hlgnn.data.own_targets import OwnTargets
from hlgnn.data.safe_pickle import read_torch_pickle
from hlgnn.data.split import LinkSet
from hlgnn.errors import DatasetError
from hlgnn.graph import Graph
from hlgnn.progress import silent

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

    from hlgnn.data.dataset import DatasetCard
    from hlgnn.progress import Progress

Numbers = np.ndarray[Any, Any]
Part = dict[str, Numbers]


def load_ogb(card: DatasetCard, home: Path, progress: Progress = silent) -> Dataset:
    """Read the official files of an OGB data set; its graph is that of the training links.

    Raises:
        DatasetError: If a file is missing, is not the official one, or does not hold what it should.
    """
    paths = require_files(card, home, progress)
    num_nodes = read_num_nodes(paths["raw/num-node-list.csv.gz"])
    splits = {path.stem: path for path in paths.values() if path.suffix == ".pt"}
    progress(f"Reading {card.title}", 0, 3)
    train, weight, time = _read_train(splits["train"], num_nodes)
    features = paths.get("raw/node-feat.csv.gz")
    graph = Graph.from_edges(
        num_nodes,
        # Repeats of a link over the years add up whichever way round they are written.
        train if weight is None else train.sort(dim=1).values,
        weight=weight,
        features=None if features is None else read_features(features, num_nodes, card.num_features, progress),
    )
    progress(f"Reading {card.title}", 1, 3)
    valid, valid_weight = _read_links(splits["valid"], num_nodes)
    progress(f"Reading {card.title}", 2, 3)
    test, _ = _read_links(splits["test"], num_nodes)
    progress(f"Reading {card.title}", 3, 3)
    return Dataset(
        card.name,
        graph,
        card.metric,
        time=None if time is None else earliest_times(graph, train, time),
        official=OfficialSplit(train, valid, test, weight, valid_weight),
    )


def _read_train(path: Path, num_nodes: int) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """Training links with their weights and years, if they have any."""
    part = _read_part(path)
    year = torch.from_numpy(part["year"].astype(np.int64)).flatten() if "year" in part else None
    return _links(part, num_nodes, path), _weight(part), year


def _read_links(path: Path, num_nodes: int) -> tuple[LinkSet, Tensor | None]:
    """Positives with their negatives, and the weights of the positives, if they have any."""
    part = _read_part(path)
    return _link_set(part, num_nodes, path), _weight(part)


def _read_part(path: Path) -> Part:
    part = read_torch_pickle(path)
    if not isinstance(part, dict) or not all(isinstance(value, np.ndarray) for value in part.values()):
        raise DatasetError("It holds no dictionary of arrays.", where=str(path))
    return part


def _link_set(part: Part, num_nodes: int, path: Path) -> LinkSet:
    """Positives with the negatives that all share (``edge_neg``) or that each has for itself (``target_node_neg``)."""
    positive = _links(part, num_nodes, path)  # (P, 2)
    if "edge_neg" in part:
        return LinkSet(positive, _pairs(part["edge_neg"], num_nodes, path))
    if "target_node_neg" in part:
        target = _nodes(part["target_node_neg"], np.int32, num_nodes, path)  # (P, K)
        if target.ndim != 2 or len(target) != len(positive):
            raise DatasetError(
                f"It holds negatives of the shape {tuple(target.shape)} for {len(positive)} links.", where=str(path)
            )
        return OwnTargets(positive, target)
    raise DatasetError("It holds no negatives.", where=str(path))


def _links(part: Part, num_nodes: int, path: Path) -> Tensor:
    """``edge``, or ``source_node`` beside ``target_node`` for citations: (P, 2)."""
    if "edge" in part:
        return _pairs(part["edge"], num_nodes, path)
    try:
        source, target = part["source_node"], part["target_node"]
    except KeyError as error:
        raise DatasetError(f"It holds no {error}.", where=str(path)) from error
    if source.ndim != 1 or source.shape != target.shape:
        raise DatasetError(
            f"It holds sources of the shape {source.shape} beside targets of the shape {target.shape}.", where=str(path)
        )
    links = torch.empty(len(source), 2, dtype=torch.int64)  # 30 million for citation2: filled in place
    links[:, 0] = _nodes(source, np.int64, num_nodes, path)
    links[:, 1] = _nodes(target, np.int64, num_nodes, path)
    return links


def _pairs(pairs: Numbers, num_nodes: int, path: Path) -> Tensor:
    nodes = _nodes(pairs, np.int64, num_nodes, path)
    if nodes.ndim != 2 or nodes.shape[1] != 2:
        raise _foreign(num_nodes, path)
    return nodes


def _nodes(numbers: Numbers, kind: type[np.integer[Any]], num_nodes: int, path: Path) -> Tensor:
    """Numbers of nodes as a tensor of their own, once they are known to be ones."""
    if numbers.dtype.kind not in "iu":
        raise DatasetError(f"It holds numbers of nodes of the type {numbers.dtype}.", where=str(path))
    if numbers.size and not 0 <= int(numbers.min()) <= int(numbers.max()) < num_nodes:
        raise _foreign(num_nodes, path)
    return torch.from_numpy(numbers.astype(kind))  # what was read from a file cannot be written to


def _foreign(num_nodes: int, path: Path) -> DatasetError:
    return DatasetError(f"It holds pairs that do not belong to a graph of {num_nodes} nodes.", where=str(path))


def _weight(part: Part) -> Tensor | None:
    return torch.from_numpy(part["weight"].astype(np.float32)).flatten() if "weight" in part else None
