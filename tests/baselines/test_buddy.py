"""BUDDY as a link predictor."""

from typing import Any

import pytest
import torch
from scipy.sparse import csr_array
from torch.testing import assert_close

from hlgnn.baselines.buddy import CARD, Buddy, BuddySettings
from hlgnn.baselines.buddy.inputs import feature_inputs
from hlgnn.errors import SettingsError
from hlgnn.graph import Graph
from hlgnn.models.card import ModelCard
from hlgnn.seeds import Seeds
from hlgnn.training.fit import fit
from hlgnn.training.hidden_targets import HiddenTargets
from hlgnn.training.train_settings import TrainSettings
from toy_models import community_split

KINDS: dict[str, dict[str, Any]] = {
    "sketch": {},
    "exact": {"counting": "exact", "hops": 3},
    "everything": {"hops": 3, "normed": True, "resource_allocation": True, "zero_one": True, "sign_k": 2},
    "embedding": {"embedding": True, "embedding_width": 6, "sign_k": 2, "features": False},
    "rounded": {"embedding": True, "embedding_width": 6, "sign_k": 2, "products": "bfloat16"},
    "published": {"form": "published", "both_orders": False, "sign_k": 2, "hops": 3},
    "prepared features": {"tf_idf": True, "normalize": True, "centre": True, "svd": 3, "steps": 2},
    "counts alone": {"features": False},
}


def drawn_graph(nodes: int = 30, links: int = 60, width: int = 7) -> Graph:
    """A graph with features whose last three nodes are isolated."""
    generator = torch.Generator().manual_seed(3)
    edges = torch.randint(nodes - 3, (links, 2), generator=generator)
    return Graph.from_edges(nodes, edges, features=torch.relu(torch.randn(nodes, width, generator=generator)))


def drawn_model(graph: Graph, seed: int = 0, **chosen: Any) -> Buddy:
    """A model with all weights and running means drawn."""
    generator = torch.Generator().manual_seed(seed)
    model = Buddy(graph, BuddySettings.model_validate({"hidden": 8, **chosen}), generator)
    for name, value in model.state_dict().items():
        if value.is_floating_point():
            drawn = torch.randn(value.shape, generator=generator)
            value.copy_(1 + drawn.abs() if name.endswith("var") else drawn)
    return model.eval()


def scores(model: Buddy, graph: Graph, pairs: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return model.score(model.encode(model.prepare(graph)), pairs)


def all_pairs(graph: Graph) -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes))


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_symmetric_and_finite(kind: str) -> None:
    graph = drawn_graph()
    model, pairs = drawn_model(graph, **KINDS[kind]), all_pairs(graph)  # isolated nodes and i = j among them
    found = scores(model, graph, pairs)
    assert found.dtype == torch.float32
    assert bool(found.isfinite().all())
    assert torch.equal(found, scores(model, graph, pairs.flip(1)))
    assert len(found.unique()) > 30


@pytest.mark.parametrize("kind", KINDS)
def test_scores_do_not_depend_on_batches(kind: str) -> None:
    graph = drawn_graph()
    model, pairs = drawn_model(graph, **KINDS[kind]), all_pairs(graph)
    state = model.encode(model.prepare(graph))
    with torch.no_grad():
        whole = model.score(state, torch.cat([pairs, pairs]))
        parts = torch.cat([model.score(state, part) for part in pairs.split(97)])
        assert model.score(state, pairs[:0]).shape == (0,)
        assert_close(model.score(state, pairs[5:6].int()), whole[5:6])
    assert_close(whole, torch.cat([parts, parts]), rtol=1e-4, atol=1e-4)  # of scores in the hundreds


@pytest.mark.parametrize("kind", KINDS)
def test_training_takes_batches_of_any_size(kind: str) -> None:
    graph = drawn_graph()
    model = drawn_model(graph, **KINDS[kind]).train()
    for count in (0, 1, 2, 50):
        state = model.encode(model.prepare(graph))
        found = model.score(state, all_pairs(graph)[100 : 100 + count])
        assert found.shape == (count,)
        found.sum().backward()  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("kind", KINDS)
def test_saved_weights_give_the_same_scores(kind: str) -> None:
    graph = drawn_graph()
    model, other = drawn_model(graph, 0, **KINDS[kind]), drawn_model(graph, 1, **KINDS[kind])
    pairs = all_pairs(graph)
    assert not torch.equal(scores(model, graph, pairs), scores(other, graph, pairs))
    other.load_state_dict(model.state_dict())
    assert torch.equal(scores(model, graph, pairs), scores(other, graph, pairs))


def test_exact_scores_do_not_depend_on_how_nodes_are_numbered() -> None:
    graph = drawn_graph()
    model = drawn_model(graph, counting="exact", normed=True, resource_allocation=True)
    order = torch.randperm(graph.num_nodes, generator=torch.Generator().manual_seed(1))
    assert isinstance(graph.features, torch.Tensor)
    renamed = Graph.from_edges(graph.num_nodes, order[graph.links], features=graph.features[order.argsort()])
    pairs = all_pairs(graph)
    assert_close(scores(model, graph, pairs), scores(model, renamed, order[pairs]))


def test_the_score_is_written_out() -> None:
    graph = drawn_graph()
    model = drawn_model(graph, counting="exact", hops=2)
    pairs, weights = all_pairs(graph), model.state_dict()
    adjacency = torch.eye(30) + torch.from_numpy(graph.to_pattern().toarray())
    root = adjacency.sum(dim=1).rsqrt()
    assert isinstance(graph.features, torch.Tensor)
    nodes = root[:, None] * adjacency * root @ graph.features  # (N, F)
    nodes = nodes @ weights["nodes.single.weight"].T + weights["nodes.single.bias"]

    def block(name: str, x: torch.Tensor) -> torch.Tensor:
        x = x @ weights[f"{name}.linear.weight"].T + weights[f"{name}.linear.bias"]
        x = (x - weights[f"{name}.norm.running_mean"]) / (weights[f"{name}.norm.running_var"] + 1e-5).sqrt()
        return torch.relu(x * weights[f"{name}.norm.weight"] + weights[f"{name}.norm.bias"])

    numbers = model.prepare(graph).counts.numbers(pairs)
    mirror = numbers[:, [0, 2, 1, 3, 5, 4, 7, 6]]
    structure = (block("structure.block", numbers) + block("structure.block", mirror)) / 2
    product = block("node_pairs", nodes[pairs[:, 0]] * nodes[pairs[:, 1]])
    expected = torch.cat([structure, product], dim=1) @ weights["last.weight"][0] + weights["last.bias"]
    assert_close(scores(model, graph, pairs), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kept", [0, 1 << 26])
def test_propagated_features_are_powers(
    order: int, sparse: bool, weighted: bool, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlgnn.baselines.buddy.inputs.KEPT", kept)
    graph = drawn_graph()
    features, rows = graph.features, torch.tensor([4, 0, 29, 4])
    assert isinstance(features, torch.Tensor)
    if weighted:
        graph = graph.with_links(graph.links, 0.5 + torch.arange(graph.num_links) / 10)
    given = csr_array(features.numpy()) if sparse else features
    generator = torch.Generator().manual_seed(0)
    weight = torch.randn(features.shape[1], 3, generator=generator)
    inputs = feature_inputs(graph, given, 3)
    assert len(inputs.orders) == 3 + (kept > 0)
    found = inputs.product(order, weight, rows)
    adjacency = graph.to_pattern().toarray()
    adjacency[adjacency > 0] = 1.0 if graph.adjacency.weight is None else graph.adjacency.weight.numpy()
    looped = torch.eye(30) + torch.from_numpy(adjacency)
    root = looped.sum(dim=1).rsqrt()
    power = torch.linalg.matrix_power(root[:, None] * looped * root, order)
    expected = power @ features @ weight
    assert_close(found, expected[rows], rtol=1e-4, atol=1e-5)


def test_sparse_and_dense_features_give_the_same_scores() -> None:
    graph = drawn_graph(width=400)
    assert isinstance(graph.features, torch.Tensor)
    thin = graph.features * (graph.features > 2.2)
    dense = Graph.from_edges(30, graph.links, features=thin)
    sparse = Graph.from_edges(30, graph.links, features=csr_array(thin.numpy()))
    model, pairs = drawn_model(dense, sign_k=2), all_pairs(graph)
    assert_close(scores(model, dense, pairs), scores(model, sparse, pairs), rtol=1e-4, atol=1e-4)


def test_the_published_orders_are_all_the_first() -> None:
    graph = drawn_graph()
    model = drawn_model(graph, **{**KINDS["published"], "hops": 2})
    inputs = model.prepare(graph).inputs
    assert inputs is not None
    assert len(inputs.orders) == 2
    mended = drawn_model(graph, sign_k=2, both_orders=False)
    mended.load_state_dict(model.state_dict())
    assert not torch.allclose(scores(model, graph, graph.links), scores(mended, graph, graph.links))


@pytest.mark.parametrize("kind", ["sketch", "exact", "everything"])
@pytest.mark.parametrize("hide", ["folds", "batch"])
def test_links_that_are_predicted_are_hidden(kind: str, hide: str) -> None:
    split = community_split()
    model = drawn_model(split.graph, **KINDS[kind])
    settings = TrainSettings(hide=hide, folds=4, batch_size=30)
    targets = HiddenTargets(model, split, settings, torch.Generator().manual_seed(0))
    for prepared, graph, links in targets.epoch(torch.Generator().manual_seed(1)):
        pairs = split.train[links]
        assert not graph.has_links(pairs).any()
        with torch.no_grad():
            found = model.score(model.encode(prepared), pairs)
        assert_close(found, scores(model, split.graph.without_links(pairs), pairs))


def test_it_learns() -> None:
    split = community_split()
    model = Buddy(split.graph, BuddySettings(hidden=16), torch.Generator().manual_seed(0))
    settings = TrainSettings(epochs=10, learning_rate=0.01, batch_size=64, hide="folds", select="auc")
    training = fit(model, split, settings, default_metric="auc", seeds=Seeds(0))
    assert training.best_valid > 0.75


def test_a_repeated_run_is_the_same() -> None:
    split = community_split()

    def weights() -> dict[str, torch.Tensor]:
        model = Buddy(split.graph, BuddySettings(hidden=8), torch.Generator().manual_seed(0))
        settings = TrainSettings(epochs=3, learning_rate=0.01, batch_size=64, hide="batch", select="auc")
        fit(model, split, settings, default_metric="auc", seeds=Seeds(0))
        return dict(model.state_dict())

    first, again = weights(), weights()
    assert all(torch.equal(first[name], again[name]) for name in first)


def test_other_features_are_refused() -> None:
    model = drawn_model(drawn_graph())
    with pytest.raises(SettingsError, match="made for 7 features"):
        model.prepare(drawn_graph(width=6))
    with pytest.raises(SettingsError, match="has 0"):
        model.prepare(drawn_graph().without_features())


def test_a_graph_without_features_and_links() -> None:
    graph = Graph.from_edges(4, torch.empty(0, 2, dtype=torch.int64))
    model = drawn_model(graph, hops=3)
    found = scores(model, graph, torch.tensor([[0, 1], [2, 3]]))
    assert_close(found[0], found[1], rtol=0.1, atol=0.1)  # sizes of one are estimated within a percent


def test_products_are_rounded_in_training_only() -> None:
    graph = drawn_graph()
    chosen: dict[str, Any] = {"embedding": True, "feature_dropout": 0.0, "sign_dropout": 0.0, "structure_dropout": 0.0}
    exact, rounded = (drawn_model(graph, **chosen, products=each) for each in ("float32", "bfloat16"))
    assert torch.equal(scores(exact, graph, graph.links), scores(rounded, graph, graph.links))
    found = [scores(each.train(), graph, graph.links) for each in (exact, rounded)]
    assert 0 < (found[0] - found[1]).norm() < 0.05 * found[0].norm()


def test_the_card() -> None:
    assert isinstance(CARD, ModelCard)
    assert CARD.symmetric
    assert not CARD.hides_target
    assert isinstance(CARD.build(drawn_graph(), BuddySettings(hidden=4), torch.Generator()), Buddy)
