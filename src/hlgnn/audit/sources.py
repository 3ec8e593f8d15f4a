"""Turning our splits, PyG's and OGB's into what the audit reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.audit.subject import PART_NAMES, Part, Subject
from hlgnn.data import PROTOCOLS
from hlgnn.errors import SplitError
from hlgnn.graph.convert import pyg_features

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from hlgnn.data import Dataset, LinkSet, Split
    from hlgnn.graph import Features, Graph, NodeIds


def from_split(
    split: Split, *, name: str = "split", metric: str | None = None, dataset: Dataset | None = None
) -> Subject:
    """One of our own splits; with ``dataset`` the weights are compared with those of its graph.

    Raises:
        SplitError: If the split has nodes that ``dataset`` has not.
    """
    if dataset is not None:
        _require_nodes(split.graph.node_ids, dataset)
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
    parts: Sequence[Any],
    *,
    name: str = "PyG split",
    metric: str | None = None,
    reference: Graph | None = None,
    key: str = "edge_label",
) -> Subject:
    """The three ``Data`` objects that PyG's ``RandomLinkSplit(key=key)`` returns, with the true weights if known.

    Raises:
        SplitError: If they are something else.
    """
    if len(parts) != 3:
        raise SplitError(
            f"A PyG split has three parts (train, validation, test), not {len(parts)}.",
            hint="Pass what RandomLinkSplit returned.",
        )
    for part in parts:
        _require_data(part, name)
    zero_is_class = _zero_is_class(parts, key)
    read = {
        part: _pyg_part(data, key, zero_is_class=zero_is_class) for part, data in zip(PART_NAMES, parts, strict=True)
    }
    return Subject(
        name=name,
        num_nodes=int(parts[0].num_nodes),
        parts=read,
        metric=metric,
        features=_pyg_features(parts[0], name),
        reference=None if reference is None else _weights(reference),
    )


def from_ogb(
    split: Mapping[str, Mapping[str, Any]],
    *,
    num_nodes: int,
    name: str = "OGB split",
    metric: str | None = None,
    messages: Any = None,
    weight: Any = None,
    reference: Graph | None = None,
) -> Subject:
    """A dictionary as OGB's ``get_edge_split()`` returns it; messages are the training links unless given.  (E, 2)

    Links, messages and weights are tensors, arrays or lists.

    Raises:
        SplitError: If a part is missing, or something in it does not have the shape or type that it should have.
    """
    missing = [part for part in PART_NAMES if part not in split]
    if missing:
        raise SplitError(
            f"The split dictionary has no {', '.join(missing)}; it has {', '.join(split) or 'nothing'}.",
            where=name,
            hint="Pass what get_edge_split() returned.",
        )
    positive = {part: _ogb_positive(split[part], f"{name}, {part}") for part in PART_NAMES}
    positive_weight = {part: _optional(split[part].get("weight")) for part in PART_NAMES}
    edges, edge_weight = positive["train"], _optional(weight)
    if messages is not None:
        edges = _pairs(messages, f"{name}, messages")
    elif edge_weight is None:
        edge_weight = positive_weight["train"]
    return Subject(
        name=name,
        num_nodes=num_nodes,
        parts={
            part: Part(
                messages=edges,
                positive=positive[part],
                negative=_ogb_negative(split[part], positive[part], f"{name}, {part}"),
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
    if whole.node_ids == part.node_ids:
        return whole.links, whole.link_weight
    position = torch.from_numpy(part.node_ids.find(whole.node_ids.to_arrow()))
    links = position[whole.links]
    inside = (links >= 0).all(dim=1)
    return links[inside], whole.link_weight[inside]


def _require_nodes(ids: NodeIds, dataset: Dataset) -> None:
    """Raise if a node of the split is no node of the data set."""
    known = dataset.graph.node_ids
    if ids == known:
        return
    unknown = np.flatnonzero(known.find(ids.to_arrow()) < 0)
    if len(unknown):
        raise SplitError(
            f"{len(unknown)} nodes of the split, such as {ids[int(unknown[0])]!r}, are no nodes of {dataset.name!r}.",
            hint="Give the data set that the split was made from, or none.",
        )


def _require_data(part: Any, name: str) -> None:
    """Raise if a part is not a ``Data`` with one kind of nodes and edges."""
    kinds = [kind.__name__ for kind in type(part).__mro__]
    if "HeteroData" in kinds:
        raise SplitError(
            "A part is a HeteroData, which has several kinds of nodes or edges.",
            where=name,
            hint="Pass one kind of edges as Data, for example with to_homogeneous().",
        )
    if "Data" not in kinds or part.edge_index is None:
        raise SplitError(
            f"A part is a {kinds[0]} without edge_index.",
            where=name,
            hint="Pass the three Data objects that RandomLinkSplit returned.",
        )


def _pyg_features(data: Any, name: str) -> Features | None:
    """Features of every node, where one number for each is a column.  (N, F)"""
    x = data.x if "x" in data else None
    if x is not None and x.ndim == 1:
        x = x.unsqueeze(1)
    if x is not None and x.ndim != 2:
        raise SplitError(f"The features x have the shape {tuple(x.shape)}, not (N, F).", where=name)
    return pyg_features(x)


def _zero_is_class(parts: Sequence[Any], key: str) -> bool:
    """Whether the label 0 is a class of links, and not the mark of negatives.

    ``RandomLinkSplit`` moves classes up by one to make room for the mark, but not if it draws no negatives. Then the
    training pairs with the label 0 are links, and all of them carry messages in one of the parts.
    """
    train = parts[0]
    if f"{key}_index" not in train or key not in train:
        return False
    zeros = train[f"{key}_index"][:, _labels(train, key) == 0]
    if zeros.shape[1] == 0:
        return False
    size = int(train.num_nodes)
    edges = torch.cat([part.edge_index for part in parts], dim=1)
    known = torch.cat([edges[0] * size + edges[1], edges[1] * size + edges[0]])
    return bool(torch.isin(zeros[0] * size + zeros[1], known).all())


def _labels(data: Any, key: str) -> Tensor:
    """One label for each pair.  (P,)"""
    label: Tensor = data[key]
    if label.numel() != label.shape[0]:
        raise SplitError(
            f"Labels {key!r} have the shape {tuple(label.shape)}, not (P,).", hint="Give one for each pair."
        )
    return label.flatten()


def _pyg_part(data: Any, key: str, *, zero_is_class: bool) -> Part:
    """One ``Data``: labels may stand beside their pairs, or positives and negatives apart; both may be missing."""
    if f"{key}_index" in data:
        pairs = data[f"{key}_index"].t().cpu()
        is_link = torch.ones(len(pairs), dtype=torch.bool)
        if key in data and not zero_is_class:
            is_link = _labels(data, key).cpu() != 0
        positive, negative = pairs[is_link], pairs[~is_link]
    elif f"pos_{key}_index" in data:
        positive = data[f"pos_{key}_index"].t().cpu()
        negative = data[f"neg_{key}_index"].t().cpu() if f"neg_{key}_index" in data else positive[:0]
    else:
        found = next((name for name in data.keys() if name.endswith("_index") and name != "edge_index"), None)  # noqa: SIM118
        guess = None if found is None else found.removesuffix("_index").removeprefix("pos_").removeprefix("neg_")
        raise SplitError(
            f"A part has neither {key}_index nor pos_{key}_index.",
            hint=f"Say key={guess!r}, as RandomLinkSplit was told."
            if guess
            else "Pass the three Data objects that RandomLinkSplit returned.",
        )
    weight = next((data[name].flatten().cpu() for name in ("edge_weight", "edge_attr") if _is_weight(data, name)), None)
    return Part(data.edge_index.t().cpu(), positive, negative if len(negative) else None, weight=weight)


def _is_weight(data: Any, key: str) -> bool:
    return key in data and data[key] is not None and data[key].numel() == data[key].shape[0]


def _ogb_positive(part: Mapping[str, Any], where: str) -> Tensor:
    if "edge" in part:
        return _pairs(part["edge"], f"{where}, edge")
    if "source_node" in part and "target_node" in part:
        ends = [_integers(part[end], f"{where}, {end}") for end in ("source_node", "target_node")]
        if ends[0].ndim != 1 or ends[0].shape != ends[1].shape:
            shapes = " and ".join(str(tuple(end.shape)) for end in ends)
            raise SplitError(f"Both ends have the shape (P,), not {shapes}.", where=where)
        return torch.stack(ends, dim=1)
    raise SplitError(
        f"There is neither 'edge' nor 'source_node' and 'target_node'; there is {', '.join(part) or 'nothing'}.",
        where=where,
    )


def _ogb_negative(part: Mapping[str, Any], positive: Tensor, where: str) -> Tensor | None:
    if "edge_neg" in part:
        return _pairs(part["edge_neg"], f"{where}, edge_neg", own=len(positive))
    if "target_node_neg" in part:
        target = _integers(part["target_node_neg"], f"{where}, target_node_neg")  # (P, K)
        if target.ndim != 2 or len(target) != len(positive):
            raise SplitError(
                f"Negative targets have the shape ({len(positive)}, K), not {tuple(target.shape)}.",
                where=f"{where}, target_node_neg",
                hint="Give a row of nodes for each link.",
            )
        return torch.stack([positive[:, :1].expand_as(target), target], dim=-1)
    return None


def _pairs(values: Any, where: str, *, own: int | None = None) -> Tensor:
    """Pairs of nodes (P, 2); negatives may also be each link's own, (own, K, 2)."""
    pairs = _integers(values, where)
    if pairs.numel() == 0 and pairs.ndim == 1:
        return pairs.view(0, 2)
    shared = pairs.ndim == 2 and pairs.shape[1] == 2
    if not shared and (own is None or pairs.ndim != 3 or pairs.shape[2] != 2 or len(pairs) != own):
        raise SplitError(
            f"Pairs have the shape (P, 2), not {tuple(pairs.shape)}.",
            where=where,
            hint="Transpose them." if pairs.ndim == 2 and len(pairs) == 2 else "Give two nodes in each row.",
        )
    return pairs


def _integers(values: Any, where: str) -> Tensor:
    array = _tensor(values)
    if array.numel() and (array.is_floating_point() or array.is_complex() or array.dtype == torch.bool):
        kind = str(array.dtype).removeprefix("torch.")
        raise SplitError(f"Nodes are integers, not {kind}.", where=where, hint="Convert them if they are whole.")
    return array.long()


def _tensor(values: Any) -> Tensor:
    return values.detach().cpu() if isinstance(values, torch.Tensor) else torch.as_tensor(np.asarray(values))


def _optional(values: Any) -> Tensor | None:
    return None if values is None else _tensor(values).flatten().double()
