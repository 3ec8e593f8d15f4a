"""However Z is computed, scores and gradients are the same."""

from typing import Any

import pytest
import scipy.sparse
import torch
from torch.testing import assert_close

from dense_learned import dense_learned
from dense_matrices import all_pairs
from hlgnn.errors import SettingsError
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph, complete
from hlgnn.models import HLGNN, Propagation
from toy_models import all_scores, build, karate_with_features

PAIRS = all_pairs(34)
NAMED = ("plain", "once", "spectral")
CHOICES: list[dict[str, Any]] = [
    {},
    {"input": {"hidden": 3}},
    {"input": {"hidden": 0}},
    {"input": {"tf_idf": True, "normalize": True}},
    {"input": {"centre": True, "svd": 3}},
    {"propagation": {"centre": True}},
    {"propagation": {"layers": "first-3"}},
    {"propagation": {"layers": "last", "order": "reading"}},
    {"propagation": {"depth": 0}},
    {"propagation": {"beta_init": "random", "beta_parameter": 1.0}, "head": {"kind": "residual"}},
    {"head": {"kind": "dot"}},
]


def chosen(choice: dict[str, Any]) -> dict[str, Any]:
    """Small widths unless something else is asked for."""
    default = {"input": {"hidden": 8}, "propagation": {"depth": 6}, "head": {"hidden": 8}}
    return {name: default[name] | choice.get(name, {}) for name in default}


def scores_and_gradients(model: HLGNN, graph: Graph) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    upstream = torch.randn(len(PAIRS), generator=torch.Generator().manual_seed(3)) / len(PAIRS)
    scores = all_scores(model, graph, PAIRS)
    model.zero_grad()
    scores.backward(upstream)
    return scores.detach(), {name: each.grad for name, each in model.named_parameters() if each.grad is not None}


def assert_same(model: HLGNN, reference: HLGNN, graph: Graph) -> None:
    """To single precision: 1e-4 of the largest entry."""
    actual, actual_gradients = scores_and_gradients(model, graph)
    expected, expected_gradients = scores_and_gradients(reference, graph)
    assert_close(actual, expected, rtol=0, atol=1e-4 * max(1.0, float(expected.abs().max())))
    assert actual_gradients.keys() == expected_gradients.keys()
    for name, gradient in expected_gradients.items():
        assert_close(actual_gradients[name], gradient, rtol=0, atol=1e-4 * max(1e-3, float(gradient.abs().max())))


@pytest.mark.parametrize("path", ["once", "spectral", "auto"])
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_every_path_gives_the_same(choice: dict[str, Any], path: str) -> None:
    graph = karate_with_features()
    plain = build(graph, path="plain", **chosen(choice))
    assert_same(build(graph, path=path, **chosen(choice)), plain, graph)
    assert "propagation.beta" in scores_and_gradients(plain, graph)[1]


@pytest.mark.parametrize("operators", ["row", "col"])
def test_other_fixed_operators_are_kept_as_well(operators: str) -> None:
    graph, settings = karate_with_features(), chosen({"propagation": {"operators": operators}})
    assert_same(build(graph, path="once", **settings), build(graph, path="plain", **settings), graph)


@pytest.mark.parametrize("path", NAMED)
@pytest.mark.parametrize("hidden", [0, 3, 8])
def test_sparse_features_give_what_dense_ones_do(hidden: int, path: str) -> None:
    graph = karate_with_features()
    assert graph.features is not None
    sparse = Graph(graph.adjacency, graph.node_ids, scipy.sparse.csr_array(graph.features.numpy()))
    settings = chosen({"input": {"hidden": hidden, "tf_idf": True}})
    left, right = build(sparse, path=path, **settings), build(graph, path=path, **settings)
    actual, actual_gradients = scores_and_gradients(left, sparse)
    expected, expected_gradients = scores_and_gradients(right, graph)
    assert_close(actual, expected, rtol=1e-4, atol=1e-5)
    for name, gradient in expected_gradients.items():
        assert_close(actual_gradients[name], gradient, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("operators", ["sym", "row", "mixture", "geometric"])
@pytest.mark.parametrize("hidden", [2, 5, 6, 7, 16])
def test_whichever_side_is_propagated_it_is_h_times_the_hidden_layer(hidden: int, operators: str) -> None:
    """Five features: from a width of seven on, [X, 1] is propagated instead of X W + b."""
    graph = karate_with_features(5)
    model = build(graph, path="plain", **chosen({"input": {"hidden": hidden}, "propagation": {"operators": operators}}))
    assert model._narrow_first(5) == (hidden >= 7)
    assert isinstance(model.propagation, Propagation)
    assert model.linear is not None
    double = model.propagation.double()
    h = dense_learned(double, graph, double.messages(normalize(graph.adjacency)))
    model.propagation.float()
    expected = h @ model.linear(graph.features).double()
    z = model.encode(model.prepare(graph)).z
    assert z is not None
    assert_close(z.double(), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("source", ["embedding", "both"])
def test_learned_vectors_take_the_same_paths(source: str) -> None:
    graph = karate_with_features()
    settings = chosen({"input": {"source": source, "embedding_width": 4}})
    plain = build(graph, path="plain", **settings)
    assert_same(build(graph, path="spectral", **settings), plain, graph)
    assert_same(build(graph, path="auto", **settings), plain, graph)
    assert "embedding" in scores_and_gradients(plain, graph)[1]


def test_both_sources_stand_side_by_side() -> None:
    graph = karate_with_features(5)
    model = build(graph, **chosen({"input": {"source": "both", "embedding_width": 4, "hidden": 0}}))
    assert model.width == 9
    x = model.inputs(model.prepare(graph))
    assert isinstance(x, torch.Tensor)
    assert torch.equal(x[:, :5], graph.features)
    assert torch.equal(x[:, 5:], model.embedding)


def test_what_auto_chooses() -> None:
    graph = karate_with_features()
    assert build(graph, **chosen({})).prepare(graph).path == "once"
    assert build(graph, memory=1, **chosen({"propagation": {"operators": "row"}})).prepare(graph).path == "plain"
    learned = chosen({"input": {"source": "embedding", "embedding_width": 4}})
    dense = complete(34)
    assert build(dense, **learned).prepare(dense).path == "spectral"
    assert build(graph, **chosen({"propagation": {"operators": "mixture"}})).prepare(graph).path == "plain"
    assert build(graph, **chosen({"propagation": {"activation": "relu"}})).prepare(graph).path == "plain"


@pytest.mark.parametrize(
    ("path", "choice"),
    [
        ("once", {"propagation": {"operators": "mixture"}}),
        ("once", {"input": {"source": "embedding"}}),
        ("once", {"input": {"dropout": 0.5}}),
        ("once", {"propagation": {"transformation": True}}),
        ("spectral", {"propagation": {"operators": "row"}}),
        ("spectral", {"propagation": {"activation": "tanh"}}),
    ],
)
def test_a_path_that_does_not_apply_is_refused(path: str, choice: dict[str, Any]) -> None:
    graph = karate_with_features()
    with pytest.raises(SettingsError, match=r"^path: .*Use path = 'auto'"):
        build(graph, path=path, **chosen(choice)).prepare(graph)


def test_a_stack_that_does_not_fit_is_refused() -> None:
    graph = karate_with_features()
    needed = 4 * 34 * 7 * 6  # single precision, 34 nodes, 7 orders, 5 features and a one
    assert build(graph, path="once", memory=needed, **chosen({})).prepare(graph).stack is not None
    with pytest.raises(SettingsError, match="memory is too little"):
        build(graph, path="once", memory=needed - 1, **chosen({})).prepare(graph)


@pytest.mark.parametrize("path", NAMED)
def test_scores_of_some_pairs_are_those_among_all(path: str) -> None:
    graph = karate_with_features()
    model = build(graph, path=path, **chosen({}))
    state = model.encode(model.prepare(graph))
    some = torch.tensor([[3, 1], [33, 0], [3, 1]])
    assert_close(model.score(state, some), model.score(state, PAIRS).view(34, 34)[some[:, 0], some[:, 1]])
    assert_close(state.rows(torch.tensor([5, 0, 5])), state.rows(torch.arange(34))[[5, 0, 5]])


@pytest.mark.parametrize("path", NAMED)
def test_centred_representations_have_the_mean_zero(path: str) -> None:
    graph = karate_with_features()
    model = build(graph, path=path, **chosen({"propagation": {"centre": True}}))
    mean = model.encode(model.prepare(graph)).rows(torch.arange(34)).mean(dim=0)
    assert_close(mean, torch.zeros_like(mean), rtol=0, atol=1e-5)


def test_relabelling_the_nodes_commutes() -> None:
    graph, order = karate_with_features(), torch.randperm(34, generator=torch.Generator().manual_seed(1))
    position = order.argsort()
    for path in NAMED:
        model = build(graph, path=path, **chosen({"input": {"tf_idf": True}}))
        assert_close(
            all_scores(model, graph.subgraph(order), position[PAIRS]),
            all_scores(model, graph, PAIRS),
            rtol=1e-4,
            atol=1e-5,
        )


def test_graphs_that_do_not_fit_are_refused() -> None:
    graph = karate_with_features()
    model = build(graph, **chosen({}))
    with pytest.raises(SettingsError, match="reads node features, and the graph has none"):
        model.prepare(graph.without_features())
    with pytest.raises(SettingsError, match="made for 5 features, but the graph has 4"):
        model.prepare(karate_with_features(4))
    with pytest.raises(SettingsError, match=r"input\.source: The graph has no node features"):
        build(graph.without_features(), **chosen({}))
    vectors = build(graph, **chosen({"input": {"source": "embedding", "embedding_width": 4}}))
    with pytest.raises(SettingsError, match="learned vectors for 34 nodes, but the graph has 33"):
        vectors.prepare(graph.subgraph(torch.arange(33)))


def test_beta_and_alpha_are_the_slow_parameters() -> None:
    graph = karate_with_features()
    model = build(graph, **chosen({"propagation": {"operators": "geometric"}}))
    assert [id(each) for each in model.slow_parameters()] == [id(model.propagation.beta), id(model.propagation.alpha)]
    fixed = build(graph, **chosen({"propagation": {"learn_beta": False}}))
    assert fixed.slow_parameters() == []
