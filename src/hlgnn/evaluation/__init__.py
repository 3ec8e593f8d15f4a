"""Metrics, and how sure one can be of them."""

from hlgnn.evaluation.intervals import Interval, bootstrap
from hlgnn.evaluation.link_scores import score_links
from hlgnn.evaluation.metrics import (
    METRICS,
    Metric,
    NamedMetric,
    auc,
    average_precision,
    false_positive_rate,
    hits_at,
    metric,
    mrr,
)
from hlgnn.evaluation.trivial import TRIVIAL, Predictor, common_neighbors, degree_product, feature_cosine

__all__ = [
    "METRICS",
    "TRIVIAL",
    "Interval",
    "Metric",
    "NamedMetric",
    "Predictor",
    "auc",
    "average_precision",
    "bootstrap",
    "common_neighbors",
    "degree_product",
    "false_positive_rate",
    "feature_cosine",
    "hits_at",
    "metric",
    "mrr",
    "score_links",
]
