"""What the numbers of any pair of one message graph are computed from, each part when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hlgnn.models.pair_features import neighborhoods
from hlgnn.models.profile import profile
from hlgnn.models.regression import regressions

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph
    from hlgnn.models import HLGNN
    from hlgnn.models.across import Across
    from hlgnn.models.pair_features import Neighborhoods


@dataclass(frozen=True, eq=False)
class LinkView:
    """A message graph as a head reads it; links that are explained one after the other share what depends on it alone.

    Attributes:
        model: Whose head reads numbers.
        graph: The message graph.
    """

    model: HLGNN
    graph: Graph

    @property
    def takes_all_nodes(self) -> bool:
        """Whether something is read of a pair that takes a look at all nodes, and so again on every other graph."""
        head = self.model.settings.head
        return any((head.crowding, head.similar, head.metric, head.across, head.regression))

    @cached_property
    def near(self) -> Neighborhoods:
        """Neighbours of every node."""
        return neighborhoods(self.graph)

    @cached_property
    def crowding_units(self) -> Tensor:
        """A^l X of the orders at which nodes are near to others, in rows of length one.  (N, K, F)"""
        return self.model.views.order_units(self.graph, self.model.settings.head.crowding)

    @cached_property
    def similar_units(self) -> Tensor:
        """The same over links joined with alike nodes.  (N, K, F)"""
        return self.model.views.similar_units(self.graph)

    @cached_property
    def related_units(self) -> Tensor:
        """The same in the metric of the links.  (N, K, F)"""
        return self.model.views.related_units(self.graph)

    @cached_property
    def across(self) -> Across:
        """What each end is compared with the neighbours of the other by."""
        return self.model.views.across(self.graph, self.near.pattern)

    @cached_property
    def profiles(self) -> Tensor:
        """What random walks know of each node.  (N, 2 L)"""
        return profile(self.near.pattern, self.model.settings.head.profile)

    @cached_property
    def explained(self) -> Tensor:
        """The graph as regressed on itself.  (K, N, N)"""
        return regressions(self.near.pattern, self.model.settings.head.regression)
