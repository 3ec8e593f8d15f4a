"""DeepWalk, Node2vec and MF as link predictors: symmetric, fixed once learned, the same after a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from scipy.sparse import csr_array

from hlgnn.baselines import deepwalk, matrix_factorization, node2vec
from hlgnn.baselines.skip_gram import model as skip_gram_model
from hlgnn.errors import SettingsError
from hlgnn.graph import Graph
from hlgnn.models import LinkModel
from hlgnn.models.settings import HeadSettings
from hlgnn.training.checkpoint import load_tensors, load_weights, save_tensors

NODES = 12
CARDS = [deepwalk.CARD, node2vec.CARD, matrix_factorization.CARD]
FORMS: list[dict[str, Any]] = [
    {"head": {"kind": "cosine"}},
    {"head": {"kind": "dot"}},
    {"head": {"kind": "mlp", "hidden": 8, "layers": 3, "dropout": 0.5}},
    {"head": {"kind": "residual", "hidden": 8}},
    {"encoder_layers": 2, "encoder_width": 6, "encoder_dropout": 0.5, "head": {"hidden": 8}},
    {"features": True, "encoder_layers": 1, "encoder_width": 6, "head": {"hidden": 8}},
]


def graph(*, sparse: bool = False) -> Graph:
    """Random links, features, and a last node without links."""
    generator = torch.Generator().manual_seed(0)
    edges = torch.randint(NODES - 1, (25, 2), generator=generator)
    features = torch.rand(NODES, 5, generator=generator).round()
    return Graph.from_edges(NODES, edges, features=csr_array(features.numpy()) if sparse else features)


def built(card: Any, form: dict[str, Any] | None = None, on: Graph | None = None, seed: int = 0) -> LinkModel[Any, Any]:
    settings = card.settings(width=8, **(form or {}))
    return card.build(on or graph(), settings, torch.Generator().manual_seed(seed))


def all_pairs() -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(NODES), torch.arange(NODES))


def scores(model: LinkModel[Any, Any], on: Graph | None = None) -> torch.Tensor:
    with torch.no_grad():
        return model.eval().score(model.encode(model.prepare(on or graph())), all_pairs()).view(NODES, NODES)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("card", CARDS[:2], ids=lambda card: card.name)
def test_scores_are_symmetric_and_finite(card: Any, form: dict[str, Any]) -> None:
    found = scores(built(card, form))
    assert found.dtype == torch.float32
    assert found.isfinite().all()
    torch.testing.assert_close(found, found.T)


def test_matrix_factorization_is_symmetric() -> None:
    found = scores(built(matrix_factorization.CARD))
    torch.testing.assert_close(found, found.T)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_batches_do_not_matter_and_may_be_empty(card: Any) -> None:
    model = built(card).eval()
    state = model.encode(model.prepare(graph()))
    pairs = all_pairs()
    parts = torch.cat([model.score(state, part) for part in pairs.split(7)])
    torch.testing.assert_close(parts, model.score(state, pairs))
    assert model.score(state, pairs[:0]).shape == (0,)


@pytest.mark.parametrize("kind", ["dot", "cosine", "diagonal"])
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_a_matrix_product_gives_the_same_scores(card: Any, kind: str) -> None:
    model = built(card, {"head": {"kind": kind}}).eval()
    state = model.encode(model.prepare(graph()))
    form = model.product_form(state)
    assert form is not None
    torch.testing.assert_close(form.rows(torch.arange(NODES)), scores(model))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("card", CARDS[:2], ids=lambda card: card.name)
def test_saved_weights_give_equal_scores_without_learning_again(
    card: Any, form: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = built(card, form)
    before = scores(model)
    save_tensors(tmp_path / "weights.safetensors", model.state_dict(), {})
    other = built(card, form, seed=1)
    load_weights(other, load_tensors(tmp_path / "weights.safetensors")[0], where="")
    monkeypatch.setattr(skip_gram_model, "learn_vectors", None)  # calling it would fail
    assert torch.equal(scores(other), before)


def test_vectors_are_those_of_the_first_graph_and_stay() -> None:
    model = built(deepwalk.CARD)
    assert not model.learned
    before = scores(model)
    assert model.learned
    assert torch.equal(scores(model, graph().without_links(graph().links[:5])), before)
    assert not any("vectors" in name for name, _ in model.named_parameters())


def test_the_same_generator_gives_the_same_model() -> None:
    for card in CARDS:
        assert torch.equal(scores(built(card)), scores(built(card)))
        assert not torch.equal(scores(built(card)), scores(built(card, seed=1)))


def test_node2vec_with_p_and_q_of_one_is_deepwalk() -> None:
    assert torch.equal(scores(built(node2vec.CARD, {"p": 1.0, "q": 1.0})), scores(built(deepwalk.CARD)))
    assert not torch.equal(scores(built(node2vec.CARD, {"p": 0.2, "q": 5.0})), scores(built(deepwalk.CARD)))


def test_sparse_and_dense_features_score_alike() -> None:
    form = FORMS[-1]
    dense, sparse = built(deepwalk.CARD, form), built(deepwalk.CARD, form, graph(sparse=True))
    torch.testing.assert_close(scores(sparse, graph(sparse=True)), scores(dense))


def test_the_encoder_is_a_linear_layer_of_both_side_by_side() -> None:
    model = built(deepwalk.CARD, FORMS[-1])
    z = model.encode(model.prepare(graph()))
    weight = torch.cat([model.encoder.of_features, model.encoder.of_vectors])
    torch.testing.assert_close(z, torch.cat([graph().features, model.vectors], dim=1) @ weight + model.encoder.bias)


def test_what_cannot_be_is_refused() -> None:
    without = graph().without_features()
    with pytest.raises(SettingsError, match="no node features"):
        built(deepwalk.CARD, FORMS[-1], without)
    with pytest.raises(ValueError, match="encoder_layers"):
        deepwalk.CARD.settings(features=True)
    with pytest.raises(SettingsError, match="the graph has 0"):
        built(deepwalk.CARD, FORMS[-1]).prepare(without)
    for card in CARDS:
        with pytest.raises(SettingsError, match="vectors for 12 nodes"):
            built(card).prepare(Graph.from_edges(3, torch.tensor([[0, 1]])))
        with pytest.raises(SettingsError, match="vectors of nodes only"):
            built(card, {"head": HeadSettings(pair_features=True)})
