"""From a message graph to what numbers of its pairs are computed from, as the settings of a head ask for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from hlgnn.errors import SettingsError
from hlgnn.formulation.normalization import normalize
from hlgnn.models.across import Across
from hlgnn.models.crowding import crowding, nearest_cosines
from hlgnn.models.feature_memory import FeatureMemory
from hlgnn.models.link_metric import link_metric
from hlgnn.models.order_matrix import order_units
from hlgnn.models.pair_features import neighborhoods
from hlgnn.models.pair_reader import PairView, count_numbers
from hlgnn.models.profile import profile
from hlgnn.models.regression import regressions
from hlgnn.models.similar import most_alike, with_similar
from hlgnn.models.walks import walks

if TYPE_CHECKING:
    from hlgnn.formulation.normalization import Normalized
    from hlgnn.graph import Graph
    from hlgnn.models.features import FeaturePreparation
    from hlgnn.models.settings import HeadSettings


class PairViews:
    """What a head reads of any message graph.

    The view of the graph that a model is made on is handed on to whoever prepares that graph first, and kept no longer.

    Args:
        graph: The graph that a model is made on.
        settings: What the head reads.
        preparation: How features are prepared, or ``None`` if vectors are learned, also beside features.
        operator: What is propagated by, or ``None`` if it is learned.  (4,)
    """

    def __init__(
        self, graph: Graph, settings: HeadSettings, preparation: FeaturePreparation | None, operator: Tensor | None
    ) -> None:
        self.settings, self.preparation, self.operator = settings, preparation, operator
        self.memory = FeatureMemory()
        self.first: tuple[Graph | None, PairView | None] = (graph, self._make(graph, None))

    @property
    def first_view(self) -> PairView | None:
        """That of the graph that the model is made on, until it is handed on."""
        return self.first[1]

    def of(self, graph: Graph, normalized: Normalized) -> PairView | None:
        """The view of a graph, if the head reads any numbers."""
        known, view = self.first
        if known is not graph:
            return self._make(graph, normalized)
        self.first = (None, None)
        return view

    def _make(self, graph: Graph, normalized: Normalized | None) -> PairView | None:
        chosen = self.settings
        if not chosen.reads_numbers or count_numbers(chosen) == 0:
            return None
        seen = normalize(graph.adjacency, dtype=torch.float32) if normalized is None else normalized
        near, crowded = neighborhoods(graph), None
        if chosen.crowding:
            at_orders = self.order_units(graph, chosen.crowding, seen)
            crowded = crowding(near.pattern, at_orders, nearest=self.nearest(graph, at_orders))
        units = self.order_units(graph, chosen.order_matrix, seen) if chosen.order_matrix else None
        return PairView(
            neighborhoods=near if chosen.pair_features else None,
            units=units,
            crowded=crowded,
            similar=self.similar_units(graph) if chosen.similar else None,
            walks=walks(seen, chosen.walks) if chosen.walks else None,
            related=self.related_units(graph, seen) if chosen.metric else None,
            across=self.across(graph, near.pattern, seen, units) if chosen.across else None,
            profiles=profile(near.pattern, chosen.profile) if chosen.profile else None,
            explained=regressions(near.pattern, chosen.regression) if chosen.regression else None,
        )

    def order_units(
        self, graph: Graph, orders: tuple[int, ...], normalized: Normalized | None = None, *, related: bool = False
    ) -> Tensor:
        """A^l X of the given orders, centred, in rows of length one, as the head reads them.  -> (N, K, F)

        Raises:
            SettingsError: If the input or the operator are learned.
        """
        if self.preparation is None or graph.features is None or self.operator is None:
            raise SettingsError(
                "Cosines between orders need features and an operator that are not learned.",
                where="head.order_matrix, head.crowding, head.similar, head.metric, head.across",
                hint="Set input.source = 'features' and propagation.operators = 'sym', or all of them to [].",
            )
        rows = self.preparation(graph.features)
        dense = rows if isinstance(rows, Tensor) else torch.from_numpy(rows.toarray())
        seen = normalize(graph.adjacency, dtype=torch.float32) if normalized is None else normalized
        x = dense @ link_metric(dense, graph.links) if related else dense
        return order_units(seen, self.operator, orders, x)

    def related_units(self, graph: Graph, normalized: Normalized | None = None) -> Tensor:
        """The same in the metric of the links.  -> (N, K, F)"""
        return self.order_units(graph, self.settings.metric, normalized, related=True)

    def similar_units(self, graph: Graph) -> Tensor:
        """The same over the graph joined with its most alike nodes.  -> (N, K, F)"""
        chosen = self.settings
        if self.preparation is None or graph.features is None:
            return self.order_units(graph, chosen.similar)  # says what is wrong
        rows = partial(self.preparation.rows, graph.features)
        alike = self.memory.recall(graph.features, "alike", lambda: most_alike(rows(), chosen.similar_count))
        return self.order_units(with_similar(graph, alike), chosen.similar)

    def nearest(self, graph: Graph, units: Tensor) -> dict[int, Tensor]:
        """Nearest cosines at order zero, which no link has a part in, by the place of that order.  (N, K, F) -> (N,)"""
        orders = self.settings.crowding
        if 0 not in orders or graph.features is None:
            return {}
        place = orders.index(0)
        column = partial(nearest_cosines, units[:, place : place + 1])
        return {place: self.memory.recall(graph.features, "nearest", lambda: column()[:, 0])}

    def across(
        self, graph: Graph, pattern: Normalized, normalized: Normalized | None = None, units: Tensor | None = None
    ) -> Across:
        """What ends are compared with neighbours by; units of the matrix of orders serve if they hold all orders."""
        orders, known = self.settings.across, self.settings.order_matrix
        if units is not None and set(orders) <= set(known):
            return Across(pattern, units, tuple(known.index(order) for order in orders))
        return Across(pattern, self.order_units(graph, orders, normalized), tuple(range(len(orders))))
