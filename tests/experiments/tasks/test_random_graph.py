"""Drawn graphs have exactly the size that was asked for."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.errors import SettingsError
from hlgnn.experiments.tasks.random_graph import random_graph


@given(nodes=st.integers(1, 60), share=st.floats(0, 1), features=st.integers(0, 4), seed=st.integers(0, 99))
def test_nodes_links_and_features_are_as_asked(nodes: int, share: float, features: int, seed: int) -> None:
    links = int(share * nodes * (nodes - 1) // 2)
    graph = random_graph(nodes, links, features, torch.Generator().manual_seed(seed))
    assert (graph.num_nodes, graph.num_links, graph.num_features) == (nodes, links, features)


def test_links_are_spread_evenly() -> None:
    counts = torch.zeros(6, 6)
    for seed in range(500):
        i, j = random_graph(6, 3, 0, torch.Generator().manual_seed(seed)).links.unbind(dim=1)
        counts[i, j] += 1
    drawn = counts[torch.triu_indices(6, 6, offset=1).unbind()]
    assert drawn.sum() == 1500
    assert (drawn - 100).abs().max() < 5 * 100**0.5


def test_more_links_than_pairs_are_refused() -> None:
    with pytest.raises(SettingsError, match="6 pairs"):
        random_graph(4, 7, 0, torch.Generator())
