"""Pieces that fit into scikit-learn."""

from hlgnn.estimators.heuristic_features import HeuristicFeatures

__all__ = ["HeuristicFeatures"]
