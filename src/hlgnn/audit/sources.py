"""Turning our splits, PyG's and OGB's into what the audit reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.audit.subject import PART_NAMES, Part, Subject
from hlgnn.data import PROTOCOLS
from hlgnn.errors import SplitError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from hlgnn.data import Dataset, LinkSet, Split
    from hlgnn.graph import Graph


def from_split(
    split: Split, *, name: str = "split", metric: str | None = None, dataset: Dataset | None = None
) -> Subject:
    """One of our own splits; with ``dataset`` the weights are compared with those of its graph."""
    base = split.protocol.partition("+")[0]
    return Subject(
        name=name,
        protocol=split.protocol,
        num_nodes=split.graph.num_nodes,
        parts={
            "train": Part(
                split.graph.links,
                split.train,
                weight=split.graph.link_weight,
                positive_weight=None if split.graph.link_weight is None else split.margin,
            ),
            "valid": _part(split.graph, split.valid),
            "test": _part(split.test_graph, split.test),
        },
        valid_links_at_test=PROTOCOLS[base].valid_links_at_test if base in PROTOCOLS else None,
        metric=metric or (dataset.metric if dataset else None),
        features=split.test_graph.features,
        reference=None if dataset is None else _true_weights(dataset.graph, split.graph),
        node_ids=split.graph.node_ids,
    )


def from_pyg(
    parts: Sequence[Any], *, name: str = "PyG split", metric: str | None = None, reference: Graph | None = None
) -> Subject:
    """The three ``Data`` objects that PyG's ``RandomLinkSplit`` returns, with the true weights if they are known."""
    if len(parts) != 3:
        raise SplitError(
            f"A PyG split has three parts (train, validation, test), not {len(parts)}.",
            hint="Pass what RandomLinkSplit returned.",
        )
    read = dict(zip(PART_NAMES, map(_pyg_part, parts), strict=True))
    features = parts[0].x if "x" in parts[0] else None
    return Subject(
        name=name,
        num_nodes=int(parts[0].num_nodes),
        parts=read,
        metric=metric,
        features=features,
        reference=None if reference is None else _weights(reference),
    )


def from_ogb(
    split: Mapping[str, Mapping[str, Any]],
    *,
    num_nodes: int,
    name: str = "OGB split",
    metric: str | None = None,
    messages: Tensor | None = None,
    weight: Tensor | None = None,
    reference: Graph | None = None,
) -> Subject:
    """A dictionary as OGB's ``get_edge_split()`` returns it; messages are the training links unless given.  (E, 2)"""
    missing = [part for part in PART_NAMES if part not in split]
    if missing:
        raise SplitError(
            f"The split dictionary has no {', '.join(missing)}; it has {', '.join(split) or 'nothing'}.",
            where=name,
            hint="Pass what get_edge_split() returned.",
        )
    positive = {part: _ogb_positive(split[part], f"{name}, {part}") for part in PART_NAMES}
    positive_weight = {part: _optional(split[part].get("weight")) for part in PART_NAMES}
    edges, edge_weight = (positive["train"], positive_weight["train"]) if messages is None else (messages, weight)
    return Subject(
        name=name,
        num_nodes=num_nodes,
        parts={
            part: Part(
                messages=edges,
                positive=positive[part],
                negative=_ogb_negative(split[part], positive[part]),
                weight=edge_weight,
                positive_weight=positive_weight[part],
            )
            for part in PART_NAMES
        },
        metric=metric,
        reference=None if reference is None else _weights(reference),
    )


def _part(messages: Graph, links: LinkSet) -> Part:
    return Part(messages.links, links.positive, links.negative, weight=messages.link_weight)


def _weights(graph: Graph) -> tuple[Tensor, Tensor] | None:
    return None if graph.link_weight is None else (graph.links, graph.link_weight)


def _true_weights(whole: Graph, part: Graph) -> tuple[Tensor, Tensor] | None:
    """The weighted links of ``whole`` in the numbers of ``part``, which may hold some of its nodes only."""
    if whole.link_weight is None:
        return None
    if whole.num_nodes == part.num_nodes:
        return whole.links, whole.link_weight
    position = torch.from_numpy(part.node_ids.find(whole.node_ids.to_arrow()))
    links = position[whole.links]
    inside = (links >= 0).all(dim=1)
    return links[inside], whole.link_weight[inside]


def _pyg_part(data: Any) -> Part:
    """One ``Data``: ``edge_label`` may stand beside ``edge_label_index``, or positives and negatives apart."""
    if "edge_label_index" in data:
        label = data.edge_label if "edge_label" in data else torch.ones(data.edge_label_index.shape[1])
        positive, negative = data.edge_label_index[:, label > 0].t(), data.edge_label_index[:, label == 0].t()
    elif "pos_edge_label_index" in data:
        positive = data.pos_edge_label_index.t()
        negative = data.neg_edge_label_index.t() if "neg_edge_label_index" in data else positive[:0]
    else:
        raise SplitError(
            "A part has neither edge_label_index nor pos_edge_label_index.",
            hint="Pass the three Data objects that RandomLinkSplit returned.",
        )
    weight = next((data[key].flatten() for key in ("edge_weight", "edge_attr") if _is_weight(data, key)), None)
    return Part(data.edge_index.t(), positive, negative, weight=weight)


def _is_weight(data: Any, key: str) -> bool:
    return key in data and data[key] is not None and data[key].numel() == data[key].shape[0]


def _ogb_positive(part: Mapping[str, Any], where: str) -> Tensor:
    if "edge" in part:
        return _tensor(part["edge"])
    if "source_node" in part and "target_node" in part:
        return torch.stack([_tensor(part["source_node"]), _tensor(part["target_node"])], dim=1)
    raise SplitError(
        f"There is neither 'edge' nor 'source_node' and 'target_node'; there is {', '.join(part) or 'nothing'}.",
        where=where,
    )


def _ogb_negative(part: Mapping[str, Any], positive: Tensor) -> Tensor | None:
    if "edge_neg" in part:
        return _tensor(part["edge_neg"])
    if "target_node_neg" in part:
        target = _tensor(part["target_node_neg"])  # (P, K)
        return torch.stack([positive[:, :1].expand_as(target), target], dim=-1)
    return None


def _tensor(values: Any) -> Tensor:
    return torch.as_tensor(np.asarray(values)).long()


def _optional(values: Any) -> Tensor | None:
    return None if values is None else torch.as_tensor(np.asarray(values)).flatten().double()
