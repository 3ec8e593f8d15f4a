"""Which pairs may be ranked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import torch

from hlgnn.errors import SettingsError
from hlgnn.graph import Graph

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Adjacency

KindsRule = Literal["differ"] | tuple[int, int]
"""Ends of different kinds, or one end of each of two kinds, in either order."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The unordered pairs of different nodes that are no links, and that nothing else rules out.

    Attributes:
        graph: Its links are never ranked.
        excluded: Pairs that are not ranked either, in either direction.  (Q, 2)
        kinds: The kind of every node, if the kinds of the ends matter.  (N,), int64
        kinds_rule: ``"differ"``, or the two kinds that the ends must have.
        nodes: At least one end is among these, if given.  (R,)
        minimum: The least score, if there is one.

    Raises:
        SettingsError: If a node, a pair or a kind does not fit the graph.

    Example:
        >>> from hlgnn.graph import path
        >>> Candidates(path(4)).count()
        3
        >>> Candidates(path(4), kinds=torch.tensor([0, 1, 0, 1])).count()
        1
    """

    graph: Graph
    excluded: Tensor | None = None
    kinds: Tensor | None = None
    kinds_rule: KindsRule = "differ"
    nodes: Tensor | None = None
    minimum: float | None = None

    def __post_init__(self) -> None:
        count = self.graph.num_nodes
        if self.excluded is not None and (self.excluded.ndim != 2 or self.excluded.shape[1] != 2):
            raise SettingsError(f"Pairs have the shape (Q, 2), not {tuple(self.excluded.shape)}.", where="excluded")
        if self.kinds is not None and self.kinds.shape != (count,):
            hint = "Give one kind for each node."
            raise SettingsError(f"There are {len(self.kinds)} kinds for {count} nodes.", where="kinds", hint=hint)
        if self.minimum is not None and self.minimum != self.minimum:
            raise SettingsError("The least score is no number.", where="minimum", hint="Leave it out for all scores.")
        for where, given in (("excluded", self.excluded), ("nodes", self.nodes)):
            check_nodes(given, count, where)

    @cached_property
    def ruled_out(self) -> Adjacency:
        """The links of the graph and the excluded pairs, as the links of one graph."""
        if self.excluded is None or len(self.excluded) == 0:
            return self.graph.adjacency
        pairs = torch.cat([self.graph.links, self.excluded.long()])
        return Graph.from_edges(self.graph.num_nodes, pairs).adjacency

    @cached_property
    def chosen(self) -> Tensor | None:
        """Whether a node is among ``nodes``.  (N,), bool"""
        if self.nodes is None:
            return None
        marked = torch.zeros(self.graph.num_nodes, dtype=torch.bool)
        marked[self.nodes.long()] = True
        return marked

    def allowed(self, pairs: Tensor) -> Tensor:
        """Whether each pair may be ranked, whatever its score.  (P, 2) -> (P,), bool"""
        source, target = pairs[:, 0], pairs[:, 1]
        return (source != target) & self._fit(source, target) & ~self.ruled_out.has_links(pairs)

    def mask(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Whether the pairs of a block may be ranked, whatever their scores.  (R,), (C,) -> (R, C), bool

        The columns are different nodes.
        """
        allowed = self._fit(rows[:, None], columns[None, :]).expand(len(rows), len(columns)).contiguous()
        place = torch.full((self.graph.num_nodes,), -1)
        place[columns] = torch.arange(len(columns))
        row, neighbor = _listed(self.ruled_out, rows)
        for across, node in ((row, neighbor), (torch.arange(len(rows)), rows)):
            column = place[node]
            inside = column >= 0
            allowed[across[inside], column[inside]] = False
        return allowed

    def count(self) -> int:
        """How many pairs may be ranked; scores are not known here, so ``minimum`` does not count."""
        everyone = torch.arange(self.graph.num_nodes)
        total = self._fitting_pairs(everyone)
        if self.chosen is not None:
            total -= self._fitting_pairs(everyone[~self.chosen])
        links = self.ruled_out.links
        return total - int(self._fit(links[:, 0], links[:, 1]).sum())

    def _fit(self, source: Tensor, target: Tensor) -> Tensor:
        """Whether kinds and chosen nodes allow it; the two broadcast."""
        fits = torch.ones(torch.broadcast_shapes(source.shape, target.shape), dtype=torch.bool)
        if self.kinds is not None:
            left, right = self.kinds[source], self.kinds[target]
            if self.kinds_rule == "differ":
                fits = left != right
            else:
                one, other = self.kinds_rule
                fits = ((left == one) & (right == other)) | ((left == other) & (right == one))
        return fits if self.chosen is None else fits & (self.chosen[source] | self.chosen[target])

    def _fitting_pairs(self, nodes: Tensor) -> int:
        """How many unordered pairs among these nodes the kinds allow.  (S,)"""
        every = len(nodes) * (len(nodes) - 1) // 2
        if self.kinds is None:
            return every
        kinds = self.kinds[nodes]
        if self.kinds_rule == "differ":
            sizes = kinds.unique(return_counts=True)[1]
            return every - int((sizes * (sizes - 1) // 2).sum())
        one, other = (int((kinds == kind).sum()) for kind in self.kinds_rule)
        return one * (one - 1) // 2 if self.kinds_rule[0] == self.kinds_rule[1] else one * other


def check_nodes(nodes: Tensor | None, count: int, where: str) -> None:
    """Refuse numbers that are no nodes, whatever the shape they come in."""
    if nodes is None or nodes.numel() == 0:
        return
    if nodes.is_floating_point() or nodes.dtype == torch.bool:
        raise SettingsError("Nodes are whole numbers.", where=where, hint="Convert them with .long().")
    if not 0 <= int(nodes.min()) <= int(nodes.max()) < count:
        outside = int(nodes[(nodes < 0) | (nodes >= count)][0])
        raise SettingsError(f"There is no node {outside} among 0 … {count - 1}.", where=where)


def _listed(adjacency: Adjacency, rows: Tensor) -> tuple[Tensor, Tensor]:
    """The neighbours of some nodes, each with the position of its node in ``rows``.  (R,) -> (E,), (E,)"""
    degree = adjacency.degree[rows]
    row = torch.repeat_interleave(torch.arange(len(rows)), degree)  # (E,)
    first = adjacency.offset[rows] - (degree.cumsum(0) - degree)  # what to add to a running number to get the edge
    return row, adjacency.neighbor[first[row] + torch.arange(len(row))].long()
