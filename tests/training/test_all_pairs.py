"""Training on all pairs against loops over them."""

import math
from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from hlgnn.catalog import load_dataset
from hlgnn.data import PROTOCOLS, make_split
from hlgnn.errors import SettingsError
from hlgnn.graph import Graph, karate_club
from hlgnn.models import HLGNN, HLGNNSettings
from hlgnn.seeds import Seeds
from hlgnn.settings import parse_settings
from hlgnn.training.all_pairs import AllPairs, all_pairs_cross_entropy
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings


def hide(graph: Graph, count: int) -> tuple[Graph, set[tuple[int, int]]]:
    hidden = graph.links[torch.randperm(graph.num_links, generator=torch.Generator().manual_seed(0))[:count]]
    return graph.without_links(hidden), {(i, j) for i, j in hidden.tolist()}


@pytest.mark.parametrize("count", [0, 1, 20, 78])
def test_links_count_where_they_are_hidden_and_all_of_them_where_none_is(count: int) -> None:
    graph = karate_club()
    messages, hidden = hide(graph, count)
    known = {(i, j) for i, j in graph.links.tolist()}
    nodes = torch.tensor([33, 0, 5])
    pairs = AllPairs(graph, messages)
    labels, counted = pairs.labels(nodes), pairs.counted(nodes)
    for row, i in enumerate(nodes.tolist()):
        for j in range(graph.num_nodes):
            pair = (min(i, j), max(i, j))
            assert labels[row, j] == (pair in known)
            seen = count > 0 and pair in known - hidden
            assert counted[row, j] == (i != j and not seen)


def test_the_loss_is_the_mean_over_pairs_that_count() -> None:
    generator = torch.Generator().manual_seed(4)
    scores = 5 * torch.randn(3, 7, generator=generator, dtype=torch.float64)
    labels, counted = (torch.randint(2, (3, 7), generator=generator).double() for _ in range(2))
    losses = [
        math.log1p(math.exp(-s if y else s))
        for s, y, c in zip(
            scores.flatten().tolist(), labels.flatten().tolist(), counted.flatten().tolist(), strict=True
        )
        if c
    ]
    assert_close(float(all_pairs_cross_entropy(scores, labels, counted)), sum(losses) / len(losses))


def training(kind: str, **settings: object) -> Training:
    dataset = load_dataset("cora", offline=True)
    dataset = replace(dataset, graph=dataset.graph.subgraph(torch.arange(400)))
    split = make_split(dataset, PROTOCOLS["paper"], 0)
    values = {
        "input": {"source": "embedding", "embedding_width": 16, "hidden": 0},
        "propagation": {"depth": 2},
        "head": {"kind": kind},
    }
    model = HLGNN(split.graph, parse_settings(HLGNNSettings, values), torch.Generator().manual_seed(0))
    told = TrainSettings(objective="all-pairs", rows=150, learning_rate=0.05, gradient_clip=0.0, **settings)
    return Training(model, split, told, default_metric="auc", seeds=Seeds(0))


@pytest.mark.parametrize("hide", ["none", "folds", "fraction"])
@pytest.mark.parametrize("kind", ["cosine", "diagonal"])
def test_the_loss_falls(kind: str, hide: str) -> None:
    run = training(kind, epochs=6, hide=hide, folds=2)
    losses = [run.run_epoch().loss for _ in range(6)]
    assert losses[-1] < losses[0]


def test_a_perceptron_is_refused() -> None:
    with pytest.raises(SettingsError, match="matrix product"):
        training("mlp", epochs=1).run_epoch()
