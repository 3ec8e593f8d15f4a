"""Graphs of other libraries into ours and back; the other libraries are imported only when they are needed.

Our graphs are undirected and simple. Links that were stated in one direction only are told to the log as a warning,
self-loops and repeats as information. A link whose two directions have different weights gets the larger one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from scipy.sparse import coo_array, csr_array, issparse

from hlgnn.errors import GraphFormatError
from hlgnn.graph.border import assemble, check_weights, label_ids, require
from hlgnn.graph.frames import from_pandas, from_polars, to_pandas, to_polars
from hlgnn.graph.node_ids import NodeIds

if TYPE_CHECKING:
    import networkx as nx
    from torch import Tensor

    from hlgnn.graph.graph import Features, Graph

__all__ = [
    "from_networkx",
    "from_pandas",
    "from_polars",
    "from_pyg",
    "from_scipy",
    "to_networkx",
    "to_pandas",
    "to_polars",
    "to_pyg",
    "to_scipy",
]


def from_networkx(graph: nx.Graph[Any], *, weight: str | None = "weight", features: str | None = None) -> Graph:
    """The graph with networkx's nodes, in its order, and their labels as ids.

    Args:
        graph: Any networkx graph, directed or not, with parallel edges or not.
        weight: The edge attribute with weights; an edge without it weighs one, as in networkx.
        features: The node attribute with features, a row of numbers for each node.

    Example:
        >>> import networkx
        >>> from_networkx(networkx.path_graph(["a", "b", "c"])).node_ids[2]
        'c'
    """
    labels = list(graph.nodes)
    position = {label: i for i, label in enumerate(labels)}
    ends = list(graph.edges(data=weight if weight is not None else False))
    edges = torch.tensor([(position[edge[0]], position[edge[1]]) for edge in ends]).view(-1, 2)
    weights = None
    if weight is not None and any(edge[2] is not None for edge in ends):
        stated = [1.0 if edge[2] is None else edge[2] for edge in ends]
        weights = check_weights(stated, where=lambda i: f"edge {ends[i][:2]!r}")
    rows = None if features is None else _networkx_features(graph, features)
    return assemble(edges.long(), weights, label_ids(labels), rows, directed=graph.is_directed())


def _networkx_features(graph: nx.Graph[Any], name: str) -> Tensor:
    rows = []
    for label, attributes in graph.nodes(data=True):
        if name not in attributes:
            raise GraphFormatError(f"There is no attribute {name!r}.", where=f"node {label!r}")
        rows.append(np.atleast_1d(np.asarray(attributes[name], dtype=np.float32)))
        if rows[-1].shape != rows[0].shape:
            shapes = f"{rows[-1].shape}, but those before {rows[0].shape}"
            raise GraphFormatError(f"Its {name!r} have the shape {shapes}.", where=f"node {label!r}")
    return torch.from_numpy(np.stack(rows)) if rows else torch.empty(0, 0)


def to_networkx(graph: Graph, *, weight: str = "weight", features: str = "features") -> nx.Graph[Any]:
    """The networkx graph with node ids as labels, weights as an edge attribute and features as dense rows.

    Example:
        >>> from hlgnn.graph.toy_graphs import star
        >>> sorted(to_networkx(star(2)).edges)
        [(0, 1), (0, 2)]
    """
    labels = graph.node_ids.to_arrow().to_pylist()
    made = require("networkx").Graph()
    made.add_nodes_from(labels)
    if graph.features is not None:
        rows = dense_features(graph.features).numpy()
        made.add_nodes_from((label, {features: row}) for label, row in zip(labels, rows, strict=True))
    ends = [(labels[i], labels[j]) for i, j in graph.links.tolist()]
    if graph.link_weight is None:
        made.add_edges_from(ends)
    else:
        weights = graph.link_weight.tolist()
        made.add_edges_from((*pair, {weight: value}) for pair, value in zip(ends, weights, strict=True))
    return made  # type: ignore[no-any-return]


def from_scipy(
    matrix: Any, *, weighted: bool = True, features: Features | None = None, node_ids: NodeIds | None = None
) -> Graph:
    """The graph of a sparse adjacency matrix (N, N).

    Args:
        matrix: Any scipy sparse array or matrix; entries stored twice are added, as scipy does.
        weighted: Whether values are weights; if all of them are one, the graph is unweighted in any case.
        features: Node features, which a matrix cannot hold.
        node_ids: Node ids, which a matrix cannot hold.

    Example:
        >>> from_scipy(csr_array([[0, 2], [2, 0]])).link_weight
        tensor([2.])
    """
    sparse: bool = issparse(matrix)
    if not sparse:
        raise GraphFormatError(f"A {type(matrix).__name__} is no sparse matrix.", hint="Use scipy.sparse.csr_array.")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.dtype.kind not in "biuf":
        raise GraphFormatError(f"An adjacency is square and real, not {matrix.shape} of {matrix.dtype}.")
    entries: Any = coo_array(matrix)  # what follows replaces its arrays, and leaves those of the matrix alone
    entries.sum_duplicates()
    if not weighted:
        entries.eliminate_zeros()
    edges = torch.from_numpy(np.stack(entries.coords, axis=1).astype(np.int64))  # (E, 2)
    weights = None
    if weighted:
        weights = check_weights(entries.data, where=lambda i: f"row {edges[i, 0]}, column {edges[i, 1]}")
    return assemble(edges, weights, node_ids or NodeIds.range(matrix.shape[0]), features, directed=True)


def to_scipy(graph: Graph) -> csr_array:
    """The symmetric adjacency matrix (N, N) in single precision, sharing nothing with the graph.

    Example:
        >>> from hlgnn.graph.toy_graphs import path
        >>> to_scipy(path(3)).toarray().tolist()
        [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    matrix = graph.to_pattern().copy()
    if graph.adjacency.weight is not None:
        matrix.data[:] = graph.adjacency.weight.numpy()
    return matrix


def from_pyg(data: Any) -> Graph:
    """The graph of a torch_geometric ``Data``: its edge_index, edge_weight, x, num_nodes, and node_id if it has one.

    Example:
        >>> from hlgnn.graph.toy_graphs import star
        >>> from_pyg(to_pyg(star(4)))
        Graph(num_nodes=5, num_links=4)
    """
    if not isinstance(data, require("torch_geometric.data").Data) or data.edge_index is None:
        raise GraphFormatError(
            f"A {type(data).__name__} without edge_index is no graph.", hint="Give a torch_geometric.data.Data."
        )
    edges = data.edge_index.t().cpu()
    weights = None
    if data.edge_weight is not None:
        values = data.edge_weight.detach().cpu().numpy()
        values = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values  # (E, 1) is what layers take
        if values.shape != (len(edges),):
            raise GraphFormatError(f"There are {len(edges)} edges, but weights of the shape {values.shape}.")
        weights = check_weights(values, where=lambda i: f"edge_weight[{i}]")
    labels = data.node_id if "node_id" in data else range(data.num_nodes)
    node_ids = label_ids(labels.tolist() if isinstance(labels, torch.Tensor) else list(labels))
    return assemble(edges, weights, node_ids, pyg_features(data.x), directed=True)


def pyg_features(x: Tensor | None) -> Features | None:
    """What PyG calls ``x`` as features of ours, sparse ones as a scipy array.  (N, F)"""
    if x is None:
        return None
    if x.ndim != 2:
        raise GraphFormatError(f"Features have the shape (N, F), not {tuple(x.shape)}.", where="x")
    x = x.detach().cpu().float()
    if x.layout == torch.strided:
        return x
    entries = x.to_sparse().coalesce()
    values, (rows, columns) = entries.values().numpy(), entries.indices().numpy()
    return csr_array((values, (rows, columns)), shape=(x.shape[0], x.shape[1]))


def to_pyg(graph: Graph) -> Any:
    """The torch_geometric ``Data`` with both directions of every link, dense features, and ``node_id`` if ids matter.

    Example:
        >>> from hlgnn.graph.toy_graphs import path
        >>> to_pyg(path(3)).edge_index.tolist()
        [[0, 1, 1, 2], [1, 0, 2, 1]]
    """
    adjacency = graph.adjacency
    edge_index = torch.stack([adjacency.source, adjacency.neighbor.long()])  # (2, E)
    data = require("torch_geometric.data").Data(edge_index=edge_index, num_nodes=graph.num_nodes)
    if adjacency.weight is not None:
        data.edge_weight = adjacency.weight.clone()
    if graph.features is not None:
        data.x = dense_features(graph.features)
    labels = graph.node_ids.to_arrow().to_pylist()
    if labels != list(range(graph.num_nodes)):
        data.node_id = labels
    return data


def dense_features(features: Features) -> Tensor:
    """A copy of the features as a dense tensor (N, F)."""
    if isinstance(features, torch.Tensor):
        return features.clone()
    return torch.from_numpy(features.toarray())
