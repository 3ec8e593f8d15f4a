"""The training loop: it learns, it repeats itself, it keeps the best epoch and stops in time."""

import math
from typing import Any

import pytest
import torch
from torch.testing import assert_close

from hlgnn.data import Split
from hlgnn.errors import NumericalError
from hlgnn.models import HLGNN
from hlgnn.seeds import Seeds
from hlgnn.training.evaluate import score_pairs
from hlgnn.training.fit import EpochRecord, Training, build_optimizer, fit
from hlgnn.training.objectives import OBJECTIVES
from hlgnn.training.samplers import SAMPLERS
from hlgnn.training.train_settings import TrainSettings
from toy_models import build, community_split

SMALL: dict[str, Any] = {"input": {"hidden": 8}, "propagation": {"depth": 3}, "head": {"hidden": 8}}


def small_model(split: Split, seed: int = 0, **chosen: Any) -> HLGNN:
    return build(split.graph, seed, **{name: SMALL[name] | chosen.get(name, {}) for name in SMALL})


def train(model: HLGNN, split: Split, seed: int = 0, **chosen: Any) -> tuple[Training, list[EpochRecord]]:
    records: list[EpochRecord] = []
    settings = TrainSettings.model_validate({"epochs": 12, "learning_rate": 0.02, "batch_size": 64} | chosen)
    training = fit(model, split, settings, default_metric="auc", seeds=Seeds(seed), on_epoch=records.append)
    return training, records


@pytest.mark.parametrize("objective", list(OBJECTIVES))
def test_the_loss_falls(objective: str) -> None:
    split = community_split()
    _, records = train(small_model(split), split, objective=objective, epochs=15)
    losses = [record.loss for record in records]
    assert all(math.isfinite(loss) for loss in losses)
    assert sum(losses[-3:]) < 0.9 * sum(losses[:3])


@pytest.mark.parametrize("hide", ["none", "folds", "fraction"])
@pytest.mark.parametrize("operators", ["sym", "mixture", "geometric"])
def test_validation_becomes_better_than_chance(operators: str, hide: str) -> None:
    split = community_split()
    training, _ = train(
        small_model(split, propagation={"operators": operators}), split, hide=hide, hide_share=0.5, epochs=15
    )
    assert training.best_valid > 0.75


CHOICES: list[dict[str, Any]] = [
    {},
    {"hide": "folds", "folds": 3},
    {"hide": "fraction"},
    {"both_directions": True, "negatives": 3, "sampler": "per-source"},
    {"steps_per_encode": 2, "schedule": "cosine", "beta_rate": 0.1},
    {"selection_negatives": 2, "weight_decay": 0.01},
]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_the_same_seed_gives_the_same_weights_to_the_last_bit(choice: dict[str, Any]) -> None:
    noise: dict[str, Any] = {"input": {"dropout": 0.2}, "head": {"dropout": 0.2}}
    split = community_split()
    first, second, other = (small_model(split, seed, **noise) for seed in (0, 0, 1))
    (left, left_records), (right, right_records) = (
        train(model, split, epochs=4, **choice) for model in (first, second)
    )
    train(other, split, epochs=4, seed=1, **choice)
    assert [(each.loss, each.valid) for each in left_records] == [(each.loss, each.valid) for each in right_records]
    assert (left.best_epoch, left.best_valid) == (right.best_epoch, right.best_valid)
    for name, weight in first.state_dict().items():
        assert torch.equal(weight, second.state_dict()[name])
    assert not torch.equal(first.propagation.beta, other.propagation.beta)


@pytest.mark.parametrize("rate", [0.02, 3.0])
def test_the_best_epoch_is_put_back(rate: float) -> None:
    """At the larger rate training goes astray, and weights of an early epoch, or the first ones, are the best."""
    split = community_split()
    model = small_model(split)
    untrained = Training(model, split, TrainSettings(), default_metric="auc", seeds=Seeds(0)).offer()
    training, records = train(model, split, learning_rate=rate, gradient_clip=0.0)
    values = [untrained, *(record.valid for record in records)]
    assert training.best_valid == max(values)
    assert training.best_epoch == values.index(max(values))  # the first among equals
    assert training.selection.value(model, training.targets.whole) == (training.best_valid, training.best_auc)


def test_restored_weights_are_those_after_the_best_epoch() -> None:
    split = community_split()
    model = small_model(split)
    training, _ = train(model, split)
    assert training.best_epoch > 0
    shorter = small_model(split)
    again = Training(
        shorter,
        split,
        TrainSettings(epochs=12, learning_rate=0.02, batch_size=64),
        default_metric="auc",
        seeds=Seeds(0),
    )
    for _ in range(training.best_epoch):
        again.run_epoch()
    for name, weight in shorter.state_dict().items():
        assert torch.equal(weight, model.state_dict()[name])


@pytest.mark.parametrize(("patience", "every", "expected"), [(1, 1, 1), (3, 1, 3), (2, 4, 8), (0, 1, 12), (99, 1, 12)])
def test_patience(patience: int, every: int, expected: int) -> None:
    """Steps too small to change a rank: no evaluation is better than the first."""
    split = community_split()
    training, records = train(small_model(split), split, learning_rate=1e-20, patience=patience, evaluate_every=every)
    assert len(records) == training.epoch == expected
    assert training.best_epoch == 0
    assert training.finished


def test_epochs_are_evaluated_when_it_is_due_and_at_the_end() -> None:
    split = community_split()
    _, records = train(small_model(split), split, epochs=7, evaluate_every=3)
    assert [record.epoch for record in records if record.valid is not None] == [3, 6, 7]
    assert [record.epoch for record in records] == list(range(1, 8))


def test_no_epochs_leave_the_weights_as_they_are() -> None:
    split = community_split()
    model, untouched = small_model(split), small_model(split)
    training, records = train(model, split, epochs=0)
    assert records == []
    assert training.best_epoch == 0
    assert math.isfinite(training.best_valid)
    assert all(torch.equal(weight, untouched.state_dict()[name]) for name, weight in model.state_dict().items())


def test_a_model_with_nothing_to_learn_is_left_alone() -> None:
    split = community_split()
    model = build(split.graph, input={"hidden": 0}, propagation={"depth": 2, "learn_beta": False}, head={"kind": "dot"})
    training, records = train(model, split)
    assert records == []
    assert training.epoch == 0


@pytest.mark.parametrize("kind", ["mlp", "dot"])
def test_steps_may_share_an_encoding(kind: str) -> None:
    """With a head that learns nothing only the first of them moves anything."""
    split = community_split()
    model = small_model(split, head={"kind": kind}, propagation={"operators": "mixture"})
    _, records = train(model, split, steps_per_encode=3, batch_size=16)
    assert records[-1].loss < records[0].loss


def test_one_step_for_each_encoding_is_the_plain_loop() -> None:
    split = community_split()
    first, second = small_model(split), small_model(split)
    train(first, split, steps_per_encode=1, batch_size=10_000)
    train(second, split, steps_per_encode=5, batch_size=10_000)  # one batch in all
    assert torch.equal(first.propagation.beta, second.propagation.beta)


@pytest.mark.parametrize("sampler", list(SAMPLERS))
def test_every_sampler_serves(sampler: str) -> None:
    split = community_split()
    _, records = train(small_model(split), split, sampler=sampler, negatives=2, epochs=3)
    assert len(records) == 3


def test_beta_has_a_rate_of_its_own_and_is_not_decayed() -> None:
    split = community_split()
    model = small_model(split, propagation={"operators": "geometric"})
    optimizer = build_optimizer(model, TrainSettings(learning_rate=0.1, beta_rate=0.3, weight_decay=0.7))
    fast, slow = optimizer.param_groups
    assert (fast["lr"], fast["weight_decay"]) == (0.1, 0.7)
    assert (slow["lr"], slow["weight_decay"]) == (0.3, 0.0)
    assert [id(each) for each in slow["params"]] == [id(model.propagation.beta), id(model.propagation.alpha)]
    everything = {id(each) for each in model.parameters()}
    assert {id(each) for group in optimizer.param_groups for each in group["params"]} == everything
    alike = build_optimizer(model, TrainSettings(learning_rate=0.1))
    assert [group["lr"] for group in alike.param_groups] == [0.1, 0.1]


def test_rates_fall_along_half_a_cosine() -> None:
    split = community_split()
    settings = TrainSettings(epochs=4, learning_rate=0.1, beta_rate=0.2, schedule="cosine")
    training = Training(small_model(split), split, settings, default_metric="auc", seeds=Seeds(0))
    rates = []
    while not training.finished:
        training.run_epoch()
        rates.append([group["lr"] for group in training.optimizer.param_groups])
    share = [0.5 * (1 + math.cos(math.pi * done / 4)) for done in range(4)]
    assert_close(torch.tensor(rates), torch.tensor([[0.1 * each, 0.2 * each] for each in share]))


def test_the_gradient_is_clipped(monkeypatch: pytest.MonkeyPatch) -> None:
    split = community_split()
    norms: list[float] = []
    model = small_model(split)
    training = Training(model, split, TrainSettings(epochs=1, gradient_clip=1e-3), default_metric="auc", seeds=Seeds(0))
    step = training.optimizer.step

    def watched(*args: Any, **kwargs: Any) -> Any:
        norms.append(
            float(torch.stack([each.grad.norm() for each in model.parameters() if each.grad is not None]).norm())
        )
        return step(*args, **kwargs)

    monkeypatch.setattr(training.optimizer, "step", watched)
    training.run_epoch()
    assert norms
    assert max(norms) <= 1e-3 * (1 + 1e-5)


def test_a_loss_that_is_no_number_ends_training_before_it_spoils_the_weights() -> None:
    split = community_split()
    model = small_model(split, propagation={"beta_init": "final-layer", "beta_parameter": 1e30})
    with torch.no_grad():
        for parameter in model.head.parameters():
            parameter.fill_(1e30)
    training = Training(model, split, TrainSettings(epochs=1), default_metric="auc", seeds=Seeds(0))
    with pytest.raises(NumericalError, match=r"The loss of epoch 1 is not a number.*learning_rate"):
        training.run_epoch()
    assert all(weight.isfinite().all() for weight in model.parameters())


def test_relabelling_the_nodes_commutes_with_the_scores_of_a_trained_model() -> None:
    split = community_split()
    model = small_model(split, input={"tf_idf": True, "normalize": True})
    train(model, split, epochs=3)
    order = torch.randperm(split.graph.num_nodes, generator=torch.Generator().manual_seed(5))
    pairs, position = split.test.positive, order.argsort()
    scores = score_pairs(model, model.prepare(split.graph), pairs)
    moved = score_pairs(model, model.prepare(split.graph.subgraph(order)), position[pairs])
    assert_close(moved, scores, rtol=1e-4, atol=1e-5)
