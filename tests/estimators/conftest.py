"""A small graph of communities, and what was trained on it."""

from typing import Any

import networkx
import numpy as np
import pytest

from hlgnn.estimators.link_predictor import LinkPredictor

QUICK: dict[str, Any] = {
    "train.epochs": 2,
    "model.input.hidden": 8,
    "model.input.embedding_width": 8,
    "model.head.hidden": 8,
    "model.propagation.depth": 3,
}


@pytest.fixture(scope="session")
def quick() -> dict[str, Any]:
    return dict(QUICK)


@pytest.fixture(scope="session")
def edges() -> np.ndarray[Any, Any]:
    """Links of six groups of eleven nodes, of which all have some; ids are 0 … 65."""
    graph = networkx.planted_partition_graph(6, 11, 0.6, 0.02, seed=1)
    return np.array(sorted(sorted(edge) for edge in graph.edges))


@pytest.fixture(scope="session")
def fitted(edges: np.ndarray[Any, Any]) -> LinkPredictor:
    return LinkPredictor(settings=QUICK).fit(edges)
