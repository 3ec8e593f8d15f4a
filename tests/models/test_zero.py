"""HL-GNN without training is a fixed heuristic of features, or of random signatures."""

import pytest
import torch
from torch.testing import assert_close

from hlgnn.formulation.kernels.reference import matrices
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph, karate_club
from hlgnn.models.zero import HLGNNZero, ZeroSettings
from hlgnn.seeds import Seeds
from hlgnn.training.fit import fit
from hlgnn.training.train_settings import TrainSettings
from toy_models import community_split, karate_with_features


def build(graph: Graph, **chosen: object) -> HLGNNZero:
    return HLGNNZero(graph, ZeroSettings.model_validate(chosen), torch.Generator().manual_seed(0))


def test_it_is_the_cosine_of_the_centred_dense_sum() -> None:
    graph = karate_with_features()
    assert isinstance(graph.features, torch.Tensor)
    model = build(graph, decays=[0.7], depth=5, tf_idf=False, normalize=False)
    step = matrices(normalize(graph.adjacency, dtype=torch.float64))[1]
    z, power = torch.zeros(34, 5, dtype=torch.float64), graph.features.double()
    for order in range(6):
        z = z + 0.7**order * power
        power = step @ power
    z = z - z.mean(dim=0)
    pairs = torch.tensor([[0, 33], [3, 3], [12, 5]])
    expected = torch.nn.functional.cosine_similarity(z[pairs[:, 0]], z[pairs[:, 1]])
    state = model.encode(model.prepare(graph))
    assert_close(model.score(state, pairs).double(), expected, atol=1e-5, rtol=0)
    form = model.product_form(state)
    assert_close(form.rows(torch.tensor([0]))[0, 33], model.score(state, pairs)[0])


def test_signatures_estimate_the_walks_that_join_two_nodes() -> None:
    graph = karate_club()
    model = build(graph, decays=[0.5], depth=3, signatures=20_000)
    step = matrices(normalize(graph.adjacency, dtype=torch.float64))[1]
    h = sum(0.5**order * torch.linalg.matrix_power(step, order) for order in range(4))
    h = h - h.mean(dim=0)
    expected = torch.nn.functional.cosine_similarity(h[:, None], h[None], dim=2)
    state = model.encode(model.prepare(graph))
    assert_close((state @ state.T).double(), expected, atol=0.05, rtol=0)


@pytest.mark.parametrize("decays", [[0.9], [0.1, 0.9, 1.0]])
def test_nothing_is_learned_and_the_decay_is_chosen_on_validation_links(decays: list[float]) -> None:
    split = community_split()
    model = build(split.graph, decays=decays)
    assert not list(model.parameters())
    training = fit(model, split, TrainSettings(), default_metric="auc", seeds=Seeds(0))
    best = []
    for decay in decays:
        single = build(split.graph, decays=[decay])
        best.append(fit(single, split, TrainSettings(), default_metric="auc", seeds=Seeds(0)).best_valid)
    assert training.best_valid == max(best)
    assert best[int(model.chosen)] == max(best)
