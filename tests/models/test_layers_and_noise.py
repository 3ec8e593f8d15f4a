"""Layers with matrices and activations (Table 10), first weights, and dropout."""

import math

import pytest
import scipy.sparse
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from dense_learned import MODES, dense_layers, double_messages, drawn_propagation
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph
from hlgnn.models import PropagationSettings
from hlgnn.models.dropout import Dropout
from hlgnn.models.head import build_head
from hlgnn.models.initialization import embedding, linear
from hlgnn.models.layered import LayeredPropagation
from hlgnn.models.settings import HeadSettings
from toy_models import all_scores, build, karate_with_features


def layered(seed: int = 0, **chosen: object) -> LayeredPropagation:
    return LayeredPropagation(PropagationSettings(depth=3, **chosen), 4, torch.Generator().manual_seed(seed)).double()


def features() -> torch.Tensor:
    return torch.randn(34, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("transformation", "activation"), [(True, "none"), (False, "relu"), (True, "tanh")])
def test_each_layer_is_written_out(mode: str, transformation: bool, activation: str) -> None:
    """Z_l = σ(A_l Z_(l-1) W_l), with its gradients."""
    graph, x = karate_with_features(), features()
    made = layered(operators=mode, transformation=transformation, activation=activation)
    messages = made.messages(normalize(graph.adjacency))
    function = {"none": lambda z: z, "relu": torch.relu, "tanh": torch.tanh}[activation]
    z, total = x, made.beta[0] * x
    for level, operator in enumerate(dense_layers(made.plain, graph, messages)):
        z = operator @ z
        z = z @ made.transformations[level].weight.T if transformation else z
        z = function(z)
        total = total + made.beta[level + 1] * z
    actual = made(messages, x)
    assert_close(actual, total, rtol=0, atol=1e-10)
    learned = list(made.parameters())
    for left, right in zip(
        torch.autograd.grad(actual.square().sum(), learned),
        torch.autograd.grad(total.square().sum(), learned),
        strict=True,
    ):
        assert_close(left, right, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("mode", MODES)
def test_with_nothing_between_the_layers_it_is_plain_propagation(mode: str) -> None:
    graph, x, plain = karate_with_features(), features(), drawn_propagation(1, depth=3, operators=mode)
    made = layered(operators=mode)
    made.plain.load_state_dict(plain.state_dict())
    messages = double_messages(plain, graph)
    assert_close(made(messages, x), plain(messages, x))


def test_a_model_with_layers_learns_its_matrices() -> None:
    graph = karate_with_features()
    settings = {"depth": 2, "transformation": True, "activation": "relu", "operators": "geometric"}
    model = build(graph, input={"hidden": 4}, head={"hidden": 4}, propagation=settings)
    all_scores(model, graph, graph.links).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_linear_layers_start_as_those_of_torch() -> None:
    layer = linear(100, 50, torch.Generator().manual_seed(0))
    for weights in (layer.weight, layer.bias):
        assert weights.abs().max() <= 0.1
        assert weights.abs().max() > 0.09
    assert_close(layer.weight.std(), torch.tensor(0.1 / math.sqrt(3)), rtol=0.05, atol=0)
    assert torch.equal(layer.weight, linear(100, 50, torch.Generator().manual_seed(0)).weight)
    assert linear(3, 2, torch.Generator(), bias=False).bias is None


def test_learned_vectors_start_as_they_are_told() -> None:
    xavier = embedding(300, 20, "xavier", torch.Generator().manual_seed(0))
    assert 0.95 * math.sqrt(6 / 320) < xavier.abs().max() <= math.sqrt(6 / 320)
    tall, wide = (embedding(*shape, "orthogonal", torch.Generator().manual_seed(0)) for shape in ((30, 5), (5, 30)))
    assert_close(tall.T @ tall, torch.eye(5), rtol=0, atol=1e-5)
    assert_close(wide @ wide.T, torch.eye(5), rtol=0, atol=1e-5)


def test_dropout_drops_its_share_and_keeps_the_mean() -> None:
    dropout, x = Dropout(0.25, torch.Generator().manual_seed(0)), torch.ones(400, 100)
    dropped = dropout(x)
    assert set(dropped.unique().tolist()) == {0.0, float(torch.tensor(1.0) / 0.75)}
    assert float((dropped == 0).float().mean()) == pytest.approx(0.25, abs=0.01)
    assert float(dropped.mean()) == pytest.approx(1.0, abs=0.02)
    assert not torch.equal(dropped, dropout(x))
    assert torch.equal(dropped, Dropout(0.25, torch.Generator().manual_seed(0))(x))
    assert dropout.eval()(x) is x
    assert Dropout(0.0, torch.Generator())(x) is x


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_dropped_entries_do_not_depend_on_each_other(share: float) -> None:
    dropout, count = Dropout(share, torch.Generator().manual_seed(1)), 200_000
    first, second = (dropout(torch.ones(count)) != 0 for _ in range(2))
    error = 4 * (share * (1 - share) / count) ** 0.5
    assert abs(first.double().mean() - (1 - share)) < error
    for lag in (1, 4, 255, 256, 1024):  # neighbours, and entries that read bits of one hash
        both = (first[lag:] & first[:-lag]).double().mean()
        assert abs(both - (1 - share) ** 2) < 4 / count**0.5
    assert abs((first & second).double().mean() - (1 - share) ** 2) < 4 / count**0.5


@given(shape=st.lists(st.integers(0, 40), min_size=0, max_size=3), share=st.floats(0.01, 0.99), seed=st.integers(0, 99))
def test_the_gradient_of_dropout_goes_through_what_is_kept(shape: list[int], share: float, seed: int) -> None:
    x = torch.rand(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)) + 1
    x.requires_grad_()
    y = Dropout(share, torch.Generator().manual_seed(seed))(x)
    y.backward(torch.ones_like(y))
    assert y.shape == x.shape
    assert x.grad is not None
    assert_close(x.grad * x, y)
    scale = 65_536 / (65_536 - round(65_536 * share))
    assert torch.isin(x.grad, torch.tensor([0.0, scale], dtype=torch.float64)).all()


def test_dropped_entries_do_not_depend_on_threads_or_on_what_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.ones(3_000_001)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    alone = Dropout(0.3, torch.Generator().manual_seed(0))(x)
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert torch.equal(alone, Dropout(0.3, torch.Generator().manual_seed(0))(x))
    infinite = Dropout(0.3, torch.Generator().manual_seed(0))(x * torch.inf)
    assert torch.equal(infinite == 0, alone == 0)


def test_a_head_in_bfloat16_rounds_in_training_only() -> None:
    settings = HeadSettings(hidden=32, layers=3, precision="bfloat16")
    heads = [
        build_head(16, each, torch.Generator().manual_seed(0), torch.Generator().manual_seed(1))
        for each in (settings, settings.model_copy(update={"precision": "float32"}))
    ]
    left, right = torch.randn(2, 500, 16, generator=torch.Generator().manual_seed(2))
    rounded, exact = (head(left, right) for head in heads)
    assert 0 < (rounded - exact).abs().max() < 0.02 * exact.abs().max()
    low, full = (
        torch.autograd.grad(each.sum(), list(head.parameters()))
        for head, each in zip(heads, (rounded, exact), strict=True)
    )
    for mine, its in zip(low, full, strict=True):
        assert (mine - its).norm() < 0.05 * its.norm()
    assert torch.equal(heads[0].eval()(left, right), heads[1].eval()(left, right))


@pytest.mark.parametrize("sparse", [False, True])
def test_dropout_of_features_happens_in_training_only(sparse: bool) -> None:
    graph = karate_with_features()
    if sparse:
        assert graph.features is not None
        graph = Graph(graph.adjacency, graph.node_ids, scipy.sparse.csr_array(graph.features.numpy()))
    model = build(
        graph, input={"hidden": 8, "dropout": 0.5}, propagation={"depth": 2}, head={"hidden": 8, "dropout": 0.5}
    )
    prepared = model.prepare(graph)
    noisy = model.score(model.encode(prepared), graph.links)
    assert not torch.equal(noisy, model.score(model.encode(prepared), graph.links))
    model.eval()
    quiet = model.score(model.encode(prepared), graph.links)
    assert torch.equal(quiet, model.score(model.encode(prepared), graph.links))
    assert torch.equal(quiet, all_scores(model, graph, graph.links))  # what was prepared is untouched
