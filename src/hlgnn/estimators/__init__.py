"""Link prediction in the manner of scikit-learn, and a layer for other people's models."""

from hlgnn.estimators.heuristic_features import HeuristicFeatures
from hlgnn.estimators.hl_conv import HLConv
from hlgnn.estimators.link_predictor import LinkPredictor

__all__ = ["HLConv", "HeuristicFeatures", "LinkPredictor"]
