"""Pairs of nodes as a table of heuristic scores, for any model of scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from hlgnn.errors import SettingsError
from hlgnn.formulation import DEFAULT_MEMORY, parse, score_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from hlgnn.graph import Graph


class HeuristicFeatures(TransformerMixin, BaseEstimator):
    """Turns pairs into one column for each heuristic.

    Nothing is learned from the pairs; the graph is a parameter, so that it takes part in cloning and searching.

    Args:
        graph: What pairs are scored on. Hide the links that are to be predicted from it.
        heuristics: Names as in ``hlgnn heuristics``, with parameters if wanted: ``"katz:gamma=0.01"``.
        self_loops: Whether a node is its own neighbour, as in the paper.
        memory: About how many bytes may be used at once.

    Example:
        >>> from hlgnn.graph import karate_club
        >>> features = HeuristicFeatures(karate_club(), heuristics=("cn", "jaccard"), self_loops=False)
        >>> features.fit_transform([[0, 33], [0, 1]]).round(3).tolist()
        [[4.0, 0.138], [7.0, 0.389]]
        >>> features.get_feature_names_out().tolist()
        ['cn', 'jaccard']
    """

    def __init__(
        self,
        graph: Graph | None = None,
        heuristics: Sequence[str] = ("cn", "ra", "aa", "jaccard"),
        *,
        self_loops: bool = True,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self.graph = graph
        self.heuristics = heuristics
        self.self_loops = self_loops
        self.memory = memory

    def fit(self, X: Any, y: Any = None) -> HeuristicFeatures:  # noqa: ARG002, N803 - scikit-learn's names
        """Check the parameters; there is nothing to learn.

        Raises:
            SettingsError: If there is no graph, or a heuristic is not what it should be.
        """
        if self.graph is None:
            raise SettingsError("There is no graph to score pairs on.", where="graph", hint="Pass one: graph=….")
        self.heuristics_ = {name: parse(name, self_loops=self.self_loops) for name in self.heuristics}
        self.fitted_graph_ = self.graph
        self.n_features_in_ = 2
        return self

    def transform(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803 - scikit-learn's name
        """The scores of each pair, given by the ids of its nodes.  (P, 2) -> (P, H)

        Raises:
            GraphFormatError: If a node is unknown.
            SettingsError: If these are no pairs.
        """
        check_is_fitted(self, "heuristics_")
        ids = np.asarray(X)
        if ids.ndim != 2 or ids.shape[1] != 2:
            raise SettingsError(f"Pairs have the shape (P, 2), not {ids.shape}.", where="X")
        graph = self.fitted_graph_
        pairs = torch.from_numpy(np.stack([graph.node_ids.index(ids[:, end]) for end in (0, 1)], axis=1))
        scores = score_table(graph, pairs, self.heuristics_, memory=self.memory)
        return torch.stack([scores[name] for name in self.heuristics_], dim=1).numpy()

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:  # noqa: ARG002
        """The names of the columns."""
        return np.array(list(self.heuristics), dtype=object)
