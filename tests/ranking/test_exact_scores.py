"""The score of a pair is that of the model, and does not depend on what is computed together with it."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from hlgnn.baselines.buddy.model import BuddyState
from hlgnn.catalog import MODELS
from hlgnn.models import HLGNN
from hlgnn.models.frozen_encoder import FrozenEncoder, FrozenSettings
from hlgnn.ranking.exact_scores import ExactScores, settled
from toy_models import build, karate_with_features

PAIRS = torch.combinations(torch.arange(34))
CHOICES = [
    {"kind": "mlp"},
    {"kind": "mlp", "difference": True, "pair_features": True},
    {"kind": "mlp", "order_matrix": (0, 2), "crowding": (1,), "similar": (1, 2), "walks": 4},
    {"kind": "mlp", "regression": (1.0, 3.0)},
    {"kind": "residual"},
    {"kind": "dot"},
    {"kind": "cosine"},
    {"kind": "diagonal"},
]


def drawn(head: dict[str, object], path: str = "auto") -> HLGNN:
    graph = karate_with_features()
    model = build(graph, path=path, input={"hidden": 6}, propagation={"depth": 2}, head={"hidden": 7, **head})
    for parameter in model.head.parameters():
        torch.nn.init.normal_(parameter, generator=torch.Generator().manual_seed(1))
    return model.eval()


@pytest.mark.parametrize("head", CHOICES, ids=str)
@pytest.mark.parametrize("path", ["plain", "once"])
@torch.no_grad()
def test_it_is_the_score_of_the_model(head: dict[str, object], path: str) -> None:
    model = drawn(head, path)
    state = model.encode(model.prepare(karate_with_features()))
    before = {name: value.clone() for name, value in model.state_dict().items()}
    score = ExactScores(model, settled(state))
    assert_close(score(PAIRS), model.score(state, PAIRS).double(), rtol=1e-4, atol=1e-5)
    assert torch.equal(score(PAIRS), score(PAIRS).float().double())
    for name, value in model.state_dict().items():
        assert value.dtype == before[name].dtype
        assert torch.equal(value, before[name])


@pytest.mark.parametrize("head", CHOICES, ids=str)
@torch.no_grad()
def test_neither_order_nor_company_changes_a_bit(head: dict[str, object]) -> None:
    model = drawn(head)
    score = ExactScores(model, settled(model.encode(model.prepare(karate_with_features()))))
    whole, order = score(PAIRS), torch.randperm(len(PAIRS), generator=torch.Generator().manual_seed(3))
    assert torch.equal(score(PAIRS[order]), whole[order])
    assert torch.equal(torch.cat([score(PAIRS[i : i + 1]) for i in range(50)]), whole[:50])
    assert torch.equal(score(PAIRS.flip(1)), whole)
    assert torch.equal(score(PAIRS.repeat(20, 1)), whole.repeat(20))


@torch.no_grad()
def test_double_precision_is_closer_to_the_truth_than_single() -> None:
    """A sum with cancellation: 1e8 + 1 − 1e8, which single precision cannot hold."""
    model = build(karate_with_features(), path="plain", input={"hidden": 3}, head={"kind": "dot"}).eval()
    state = settled(model.encode(model.prepare(karate_with_features())))
    z = torch.ones(34, 3)
    z[0] = torch.tensor([1e8, 1.0, -1e8])
    score = ExactScores(model, replace(state, z=z))
    assert score(torch.tensor([[0, 1]])).tolist() == [1.0]


@torch.no_grad()
def test_a_frozen_encoder_as_well() -> None:
    graph = karate_with_features()
    settings = FrozenSettings.model_validate({"head": {"kind": "mlp", "hidden": 7}})
    model = FrozenEncoder(graph, settings, torch.Generator().manual_seed(0)).eval()
    state = model.encode(model.prepare(graph))
    assert_close(ExactScores(model, state)(PAIRS), model.score(state, PAIRS).double(), rtol=1e-4, atol=1e-5)


@torch.no_grad()
def test_no_pairs_have_no_scores() -> None:
    model = drawn({"kind": "mlp"})
    score = ExactScores(model, settled(model.encode(model.prepare(karate_with_features()))))
    assert score(torch.empty(0, 2, dtype=torch.int64)).shape == (0,)


@pytest.mark.parametrize("name", list(MODELS))
def test_every_method_has_exact_scores(name: str) -> None:
    card, graph = MODELS[name], karate_with_features()
    model = card.build(graph, card.settings(), torch.Generator().manual_seed(0)).eval()
    pairs = torch.tensor([[0, 1], [33, 4], [16, 2], [0, 1]])
    with torch.no_grad():
        state = settled(model.encode(model.prepare(graph)))
        found = ExactScores(model, state)(pairs)
        assert_close(found, model.score(state, pairs.sort(dim=1).values).double(), rtol=1e-3, atol=1e-5)
    assert found[0] == found[3]


def test_a_model_that_knows_single_precision_only_is_used_as_it_is() -> None:
    graph = karate_with_features()
    card = MODELS["buddy"]
    model = card.build(graph, card.settings(), torch.Generator().manual_seed(0)).eval()
    state = model.encode(model.prepare(graph))
    plain = model.score
    pairs = torch.tensor([[0, 1], [16, 2]])

    def single(state: BuddyState, pairs: torch.Tensor) -> torch.Tensor:
        return plain(state, pairs) * torch.ones(1, 1).mm(model.last.weight[:, :1]).clamp(1, 1)[0]

    with torch.no_grad():
        expected = plain(state, pairs.sort(dim=1).values).double()
        model.score = single  # type: ignore[method-assign]
        assert_close(ExactScores(model, state)(pairs), expected, rtol=1e-5, atol=1e-6)
