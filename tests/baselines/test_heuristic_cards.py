"""Heuristics as rows of the comparison: exact scores, and a parameter that is chosen on the validation links."""

import pytest
import torch

from hlgnn.catalog import MODELS
from hlgnn.evaluation import metric
from hlgnn.formulation import HEURISTICS, parse
from hlgnn.graph import karate_club
from hlgnn.seeds import Seeds
from hlgnn.training.evaluate import evaluate, score_pairs
from hlgnn.training.fit import fit
from hlgnn.training.train_settings import TrainSettings
from toy_models import community_split


def build(name: str, **chosen: object) -> torch.nn.Module:
    card = MODELS[name]
    return card.build(karate_club(), card.settings.model_validate(chosen), torch.Generator())


@pytest.mark.parametrize("name", ["cn", "aa", "ra", "jaccard", "shortest-path"])
def test_scores_are_those_of_the_heuristic(name: str) -> None:
    graph, model = karate_club(), build(name, self_loops=False)
    pairs = torch.tensor([[0, 33], [4, 9], [14, 15]])
    expected = parse(name, self_loops=False).scores(graph, pairs)
    assert torch.equal(model.score(model.encode(model.prepare(graph)), pairs), expected)


def test_many_pairs_are_scored_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """What their ends share is computed once for all of them."""
    graph, model = karate_club(), build("ki", requests=["ki:gamma=0.1,order=3"])
    pairs = torch.randint(34, (200_000, 2), generator=torch.Generator().manual_seed(0))
    calls, score = [], model.score
    monkeypatch.setattr(model, "score", lambda state, some: calls.append(len(some)) or score(state, some))
    found = score_pairs(model, graph, pairs)
    assert calls == [200_000]
    torch.testing.assert_close(found[:9], score(graph, pairs[:9]))


def test_every_heuristic_has_a_card() -> None:
    assert set(HEURISTICS) <= set(MODELS)


def test_the_parameter_is_the_best_on_the_validation_links() -> None:
    split, area = community_split(), metric("auc")
    requests = ["ki:gamma=0.4,order=6", "ki:gamma=0.001,order=2", "pa"]
    model = build("ki", requests=requests)
    training = fit(model, split, TrainSettings(), default_metric="auc", seeds=Seeds(0))
    values = [evaluate(build("ki", requests=[each]), split.graph, split.valid, [area])[area.name] for each in requests]
    assert len(set(values)) == 3
    assert int(model.chosen) == values.index(max(values))
    assert training.best_valid == max(values)


def test_the_choice_is_saved_with_the_model() -> None:
    model, other = build("rwr"), build("rwr")
    model.choose(2)
    other.load_state_dict(model.state_dict())
    assert int(other.chosen) == 2
    assert model.choices == 4
