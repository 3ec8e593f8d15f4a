"""What every method that passes messages must obey: symmetry, batches, numbering, isolated nodes, hidden links."""

from typing import Any

import pytest
import torch
from scipy.sparse import csr_array
from torch.testing import assert_close

from hlgnn.baselines.gat import CARD as GAT
from hlgnn.baselines.gcn import CARD as GCN
from hlgnn.baselines.mlp import CARD as MLP
from hlgnn.baselines.ncn import NCN_CARD, NCNC_CARD
from hlgnn.baselines.neo_gnn import CARD as NEO
from hlgnn.baselines.sage import CARD as SAGE
from hlgnn.errors import SettingsError
from hlgnn.graph import Graph, karate_club
from hlgnn.models import LinkModel, ModelCard
from hlgnn.seeds import Seeds
from hlgnn.training.evaluate import score_pairs
from hlgnn.training.fit import fit
from hlgnn.training.train_settings import TrainSettings
from toy_models import community_split, karate_with_features

STACK: dict[str, Any] = {"hidden": 8, "layers": 2, "head": {"hidden": 8, "dropout": 0.2}}
CASES: dict[str, tuple[ModelCard, dict[str, Any]]] = {
    "gcn": (GCN, STACK),
    "gat": (GAT, STACK),
    "sage": (SAGE, STACK),
    "mlp": (MLP, STACK),
    "neo-gnn": (NEO, STACK),
    "ncn": (NCN_CARD, {"hidden": 8, "link_dropout": 0.3, "deep_head": True}),
    "ncnc": (NCNC_CARD, {"hidden": 8, "scale": 1.0, "offset": 0.0, "tail_activation": False, "residual": True}),
}
names = pytest.mark.parametrize("name", list(CASES))


def build(name: str, graph: Graph, seed: int = 0, **chosen: Any) -> LinkModel[Any, Any]:
    card, settings = CASES[name]
    return card.build(graph, card.settings.model_validate(settings | chosen), torch.Generator().manual_seed(seed))


def all_pairs(num_nodes: int) -> torch.Tensor:
    return torch.combinations(torch.arange(num_nodes), 2)


@names
def test_scores_are_symmetric_and_do_not_depend_on_batches(name: str) -> None:
    graph = karate_with_features()
    model, pairs = build(name, graph).eval(), torch.cat([all_pairs(34), all_pairs(34)[:5]])
    prepared = model.prepare(graph)
    scores = score_pairs(model, prepared, pairs)
    assert scores.dtype == torch.float32
    assert bool(scores.isfinite().all())
    assert scores.std() > 1e-3
    assert_close(scores, score_pairs(model, prepared, pairs.flip(1)))
    state = model.encode(prepared)
    in_parts = torch.cat([model.score(state, part) for part in pairs.split(37)])
    assert_close(scores, in_parts.detach())
    assert model.score(state, pairs[:0]).shape == (0,)


@names
def test_another_numbering_of_nodes_permutes_scores(name: str) -> None:
    graph = karate_with_features()
    order = torch.randperm(34, generator=torch.Generator().manual_seed(3))  # the new number of each node
    features = torch.empty_like(graph.features)
    features[order] = graph.features
    renumbered = Graph.from_edges(34, order[graph.links], features=features)
    model, pairs = build(name, graph), all_pairs(34)
    scores = score_pairs(model, model.prepare(graph), pairs)
    assert_close(scores, score_pairs(model, model.prepare(renumbered), order[pairs]), rtol=1e-4, atol=1e-4)


@names
@pytest.mark.parametrize("sparse", [False, True])
def test_isolated_nodes_and_graphs_without_links_have_scores(name: str, sparse: bool) -> None:
    features = torch.tensor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [1.0, 1.0]])
    for links in ([[0, 1], [0, 3], [1, 3]], []):
        stored = csr_array(features.numpy()) if sparse else features
        graph = Graph.from_edges(4, torch.tensor(links, dtype=torch.int64).view(-1, 2), features=stored)
        model = build(name, graph)
        for_training = model.score(model.encode(model.prepare(graph)), all_pairs(4))
        for_training.sum().backward()
        assert all(bool(each.grad.isfinite().all()) for each in model.parameters() if each.grad is not None)
        assert bool(score_pairs(model, model.prepare(graph), all_pairs(4)).isfinite().all())


@names
def test_sparse_features_are_dense_ones(name: str) -> None:
    graph = karate_with_features()
    sparse = Graph.from_edges(34, graph.links, features=csr_array(graph.features.numpy()))
    model, pairs = build(name, graph, input={"normalize": True}), all_pairs(34)
    assert_close(score_pairs(model, model.prepare(graph), pairs), score_pairs(model, model.prepare(sparse), pairs))


@names
def test_learned_vectors_stand_in_for_features(name: str) -> None:
    graph = karate_club()
    model = build(name, graph, input={"embedding_width": 6})
    assert model.input.vectors.shape == (34, 6)
    assert bool(score_pairs(model, model.prepare(graph), all_pairs(34)).isfinite().all())
    with pytest.raises(SettingsError, match="34 nodes"):
        model.prepare(graph.subgraph(torch.arange(30)))
    with pytest.raises(SettingsError, match="no node features"):
        build(name, graph, input={"source": "features"})


@names
def test_it_learns_with_hidden_batches_and_repeats_itself(name: str) -> None:
    split = community_split()
    settings = TrainSettings(epochs=8, learning_rate=0.02, batch_size=32, hide="batch", select="auc")
    runs = []
    for _ in range(2):
        model = build(name, split.graph, input={"dropout": 0.2})
        training = fit(model, split, settings, default_metric="auc", seeds=Seeds(0))
        runs.append(score_pairs(model, model.prepare(split.graph), split.valid.positive))
    assert training.best_valid > 0.7
    assert torch.equal(*runs)


@names
def test_first_weights_come_from_the_generator_alone(name: str) -> None:
    graph = karate_with_features()
    before = torch.random.get_rng_state()
    first, second, other = build(name, graph, 1), build(name, graph, 1), build(name, graph, 2)
    assert torch.equal(before, torch.random.get_rng_state())
    weights = [torch.nn.utils.parameters_to_vector(each.parameters()) for each in (first, second, other)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


@pytest.mark.parametrize("name", ["mlp", "sage"])
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("source", ["dense", "sparse", "vectors", "weighted"])
def test_a_step_encodes_the_nodes_of_its_pairs_and_has_the_gradients_of_all(
    name: str, layers: int, source: str
) -> None:
    graph = karate_with_features()
    assert isinstance(graph.features, torch.Tensor)
    if source in ("sparse", "vectors"):
        features = csr_array(graph.features.numpy()) if source == "sparse" else None
        graph = Graph.from_edges(34, graph.links, features=features)
    if source == "weighted":
        graph = graph.with_links(graph.links, 0.5 + torch.arange(graph.num_links) / 10)
    pairs, head = all_pairs(34)[5:40], {"hidden": 8, "dropout": 0.0}
    model = build(name, graph, layers=layers, dropout=0.0, head=head)
    prepared, found = model.prepare(graph), []
    model.expect(9)
    assert isinstance(model.encode(prepared), torch.Tensor)  # 18 of 34 nodes, more than half
    model.expect(8)
    for whole in (False, True):
        state = model.encode(prepared)
        assert not isinstance(state, torch.Tensor)  # nothing is encoded before the pairs are known
        if whole:
            state = model.stack(model.input(state.features), state.messages)
        model.zero_grad()
        scores = model.score(state, pairs)
        scores.square().sum().backward()
        found.append((scores, *(each.grad for each in model.parameters())))
    assert_close(*found, rtol=1e-4, atol=1e-5)
    with torch.no_grad():
        assert model.encode(prepared).shape == (34, 8)
