"""The graph that everything else works on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from hlgnn.errors import GraphFormatError
from hlgnn.graph.adjacency import Adjacency
from hlgnn.graph.build import build_csr
from hlgnn.graph.node_ids import NodeIds

if TYPE_CHECKING:
    from torch import Tensor

Features = torch.Tensor | csr_array
"""Node features, dense or sparse, one row for each node.  (N, F), float32"""


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected simple graph with optional link weights and node features.

    Example:
        >>> graph = Graph.from_edges(4, torch.tensor([[0, 1], [1, 2], [2, 1], [3, 3]]))
        >>> graph
        Graph(num_nodes=4, num_links=2)
        >>> graph.links.tolist()
        [[0, 1], [1, 2]]
        >>> graph.degree.tolist()
        [1, 2, 1, 0]
    """

    adjacency: Adjacency
    node_ids: NodeIds
    features: Features | None = None

    def __post_init__(self) -> None:
        if len(self.node_ids) != self.num_nodes:
            raise GraphFormatError(f"There are {len(self.node_ids)} node ids for {self.num_nodes} nodes.")
        if self.features is not None and self.features.shape[0] != self.num_nodes:
            rows = self.features.shape[0]
            raise GraphFormatError(f"There are {rows} rows of features for {self.num_nodes} nodes.")

    @classmethod
    def from_edges(
        cls,
        num_nodes: int,
        edges: Tensor,
        *,
        weight: Tensor | None = None,
        features: Features | None = None,
        node_ids: NodeIds | None = None,
    ) -> Graph:
        """The graph with these edges, in any order and direction; self-loops and repeats are dropped.  (E, 2)

        The weight of a link is the larger of the sums of the weights given for its two directions.

        Raises:
            GraphFormatError: If edges are no pairs of the nodes 0 … num_nodes − 1, or a weight is no positive number.
        """
        if edges.ndim != 2 or edges.shape[1] != 2:
            raise GraphFormatError(f"Edges have the shape (E, 2), not {tuple(edges.shape)}.")
        source, target = edges[:, 0].contiguous(), edges[:, 1].contiguous()
        return cls.from_ends(num_nodes, source, target, weight=weight, features=features, node_ids=node_ids)

    @classmethod
    def from_ends(
        cls,
        num_nodes: int,
        source: Tensor,
        target: Tensor,
        *,
        weight: Tensor | None = None,
        features: Features | None = None,
        node_ids: NodeIds | None = None,
    ) -> Graph:
        """The same as ``from_edges`` with the two ends of the edges apart, as tables hold them.  (E,), (E,)"""
        if num_nodes < 0:
            raise GraphFormatError(f"A graph cannot have {num_nodes} nodes.", hint="Give zero or more.")
        source, target = integers(source, "Ends of edges"), integers(target, "Ends of edges")
        if weight is not None and weight.shape != source.shape:
            raise GraphFormatError(f"There are {len(source)} edges, but weights of the shape {tuple(weight.shape)}.")
        values = None if weight is None else _positive(weight).numpy()
        built = build_csr(num_nodes, source.numpy(), target.numpy(), values)
        adjacency = Adjacency(
            torch.from_numpy(built.offset),
            torch.from_numpy(built.neighbor),
            None if built.weight is None else torch.from_numpy(built.weight),
        )
        return cls(adjacency, node_ids or NodeIds.range(num_nodes), features)

    @property
    def num_nodes(self) -> int:
        """N."""
        return self.adjacency.num_nodes

    @property
    def num_links(self) -> int:
        """M: each link counts once."""
        return self.adjacency.num_edges // 2

    @property
    def num_features(self) -> int:
        """F, or zero without features."""
        return 0 if self.features is None else self.features.shape[1]

    @property
    def degree(self) -> Tensor:
        """Number of neighbours of each node.  (N,)"""
        return self.adjacency.degree

    @property
    def links(self) -> Tensor:
        """Each link once, smaller node first, in ascending order.  (M, 2)"""
        return self.adjacency.links

    @property
    def link_weight(self) -> Tensor | None:
        """The weight of each of ``links``, or ``None`` when all are one.  (M,)"""
        return self.adjacency.link_weight

    def has_links(self, pairs: Tensor) -> Tensor:
        """Whether each pair is a link, in either direction.  (P, 2) -> (P,), bool"""
        return self.adjacency.has_links(pairs)

    def with_links(self, links: Tensor, weight: Tensor | None = None) -> Graph:
        """The same nodes, ids and features with other links."""
        return Graph.from_edges(self.num_nodes, links, weight=weight, features=self.features, node_ids=self.node_ids)

    def keep_links(self, keep: Tensor) -> Graph:
        """The same nodes with only some of ``links``, weights included; ``keep`` is a mask or positions.  (M,)"""
        weight = None if self.link_weight is None else self.link_weight[keep]
        return self.with_links(self.links[keep], weight)

    def without_links(self, pairs: Tensor) -> Graph:
        """The same nodes without the links between these pairs, in either direction; pairs that are none are ignored.

        Raises:
            GraphFormatError: If a pair names a node that this graph does not have.

        Example:
            >>> from hlgnn.graph.toy_graphs import path
            >>> path(3).without_links(torch.tensor([[1, 0]])).links.tolist()
            [[1, 2]]
        """
        _check_nodes(pairs.flatten(), self.num_nodes)
        return replace(self, adjacency=self.adjacency.without_links(pairs))

    def subgraph(self, nodes: Tensor) -> Graph:
        """The graph among ``nodes``, renumbered in their order, with their ids and features.  (K,)

        Raises:
            GraphFormatError: If one of them is no node of this graph, or is named twice.
        """
        nodes = integers(nodes, "Nodes")
        _check_nodes(nodes, self.num_nodes)
        position = torch.full((self.num_nodes,), -1)
        position[nodes] = torch.arange(len(nodes))
        if int((position >= 0).sum()) < len(nodes):
            twice = nodes[nodes.bincount()[nodes] > 1][0]
            raise GraphFormatError(f"The node {twice} is named more than once.", hint="Name each node once.")
        inside = (position[self.links] >= 0).all(dim=1)  # (M,)
        weight = None if self.link_weight is None else self.link_weight[inside]
        return Graph.from_edges(
            len(nodes),
            position[self.links[inside]],
            weight=weight,
            features=None if self.features is None else self.features[nodes.numpy()],
            node_ids=self.node_ids.take(nodes.numpy()),
        )

    def components(self) -> Tensor:
        """The connected component of each node; component 0 holds the smallest node.  (N,)"""
        _, component = connected_components(self.to_pattern(), directed=False)
        return torch.from_numpy(component.astype(np.int64))

    def largest_component(self) -> Tensor:
        """The nodes of the largest connected component, ascending; the first one among equals.  (K,)"""
        component = self.components()
        return (component == torch.bincount(component).argmax()).nonzero().flatten()

    def to_pattern(self) -> csr_array:
        """The adjacency as a scipy matrix of ones that shares memory with this graph.  (N, N)"""
        adjacency = self.adjacency
        ones = np.ones(adjacency.num_edges, dtype=np.float32)
        parts = (ones, adjacency.neighbor.numpy(), adjacency.offset.numpy())
        return csr_array(parts, shape=(self.num_nodes, self.num_nodes))

    def without_features(self) -> Graph:
        """The same graph with nothing known about its nodes."""
        return replace(self, features=None)

    def __repr__(self) -> str:
        parts = [f"num_nodes={self.num_nodes}", f"num_links={self.num_links}"]
        if self.features is not None:
            parts.append(f"num_features={self.num_features}")
        if self.adjacency.weight is not None:
            parts.append("weighted")
        return f"Graph({', '.join(parts)})"


def _check_nodes(nodes: Tensor, num_nodes: int) -> None:
    """Refuse numbers that are no nodes.  (K,)"""
    if len(nodes) and not 0 <= int(nodes.min()) <= int(nodes.max()) < num_nodes:
        outside = nodes[(nodes < 0) | (nodes >= num_nodes)][0]
        raise GraphFormatError(f"There is no node {outside} among 0 … {num_nodes - 1}.")


def integers(values: Tensor, what: str) -> Tensor:
    """A list of integers as it is, or the error that says what it is instead; an empty one may have any type.  (K,)"""
    if values.ndim != 1:
        raise GraphFormatError(f"{what} are one list of integers, not of the shape {tuple(values.shape)}.")
    if len(values) == 0:
        return values.long()
    if values.dtype == torch.bool or values.is_floating_point() or values.is_complex():
        kind = str(values.dtype).removeprefix("torch.")
        raise GraphFormatError(f"{what} are integers, not {kind}.", hint="Convert them with .long() if they are whole.")
    return values.detach().cpu()


def _positive(weight: Tensor) -> Tensor:
    """The weights in single precision, if all of them are positive and finite there.  (E,)"""
    single = weight.detach().cpu().to(torch.float32)
    if len(single) and not 0 < float(single.min()) <= float(single.max()) < torch.inf:
        row = int((~(single > 0) | single.isinf()).nonzero()[0])
        raise GraphFormatError(
            f"A weight is a positive number, not {weight[row].item()}.",
            where=f"edge {row}",
            hint="Drop links without weight, and shift or clip negative ones.",
        )
    return single
