"""The paired bootstrap: its own literal definition, verdicts with known answers, and false alarms."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from calibration.worlds import seeded
from hlgnn.calibration import LinkScores, Verdict, choose_heuristic, gate, paired_difference
from hlgnn.errors import MetricError, SettingsError
from hlgnn.evaluation import auc, average_precision, hits_at, mrr
from hlgnn.evaluation.metrics import NamedMetric

SHAPES = pytest.mark.parametrize("shape", [(80,), (60, 9)], ids=["shared", "own"])


def scores(shape: tuple[int, ...], seed: int, *, lift: float = 1.0, positives: int = 60) -> LinkScores:
    generator = seeded(seed)
    positive = torch.randn(positives, generator=generator) + lift
    return LinkScores(positive, torch.randn(shape, generator=generator))


@SHAPES
@pytest.mark.parametrize("metric", [hits_at(5), mrr(), auc, average_precision], ids=lambda metric: metric.name)
def test_draws_are_those_of_the_definition(metric: NamedMetric, shape: tuple[int, ...]) -> None:
    first, second = scores(shape, 0, lift=1.5), scores(shape, 1)
    generator, draws = seeded(2), []
    for _ in range(100):
        rows = torch.randint(60, (60,), generator=generator)
        columns = rows if len(shape) == 2 else torch.randint(80, (80,), generator=generator)
        values = [metric(each.positive[rows], each.negative[columns]) for each in (first, second)]
        draws.append(values[0] - values[1])
    tails = torch.tensor([0.025, 0.975], dtype=torch.float64)
    low, high = torch.tensor(draws, dtype=torch.float64).quantile(tails).tolist()
    found = paired_difference(metric, first, second, generator=seeded(2), repeats=100)
    value = metric(*first) - metric(*second)
    mirrored = min(low, 2 * value - high), value, max(high, 2 * value - low)
    assert found == pytest.approx(mirrored, abs=1e-12)


@SHAPES
def test_equal_scores_are_no_better(shape: tuple[int, ...]) -> None:
    same = scores(shape, 0)
    result = gate(hits_at(5), same, {"RA": same}, {"RA": 0.5}, generator=seeded(0))
    assert result.difference == (0, 0, 0)
    assert result.verdict is Verdict.EQUAL
    assert result.verdict == "no better"
    assert "the difference 0.000 (0.000 to 0.000) is within the noise of the test links." in result.sentence()


@SHAPES
def test_much_better_and_much_worse(shape: tuple[int, ...]) -> None:
    good, bad = scores(shape, 0, lift=5.0), scores(shape, 1, lift=0.0)
    better = gate(auc, good, {"CN": bad}, {"CN": 0.5}, generator=seeded(0))
    worse = gate(auc, bad, {"CN": good}, {"CN": 0.5}, generator=seeded(0))
    assert (better.verdict, worse.verdict) == ("earns its keep", "worse")
    assert better.difference.low > 0 > worse.difference.high
    assert worse.difference == pytest.approx([-each for each in reversed(better.difference)])


def test_links_are_paired() -> None:
    """A small advantage on every link is beyond the noise, however much the links differ from one another."""
    hard = torch.randn(200, generator=seeded(0)) * 10
    negative = torch.randn(200, generator=seeded(1)) * 10
    first, second = LinkScores(hard + 1.5, negative), LinkScores(hard, negative)
    assert paired_difference(auc, first, second, generator=seeded(2)).low > 0


def test_the_heuristic_is_chosen_on_validation_links() -> None:
    learned, poor, rich = scores((80,), 0, lift=2.0), scores((80,), 1, lift=0.2), scores((80,), 2, lift=4.0)
    result = gate(auc, learned, {"CN": poor, "RA": rich}, {"CN": 0.8, "RA": 0.7}, generator=seeded(0))
    assert (result.heuristic, result.heuristic_value) == ("CN", auc(*poor))
    assert choose_heuristic({"AA": 0.1, "RA": 0.3, "CN": 0.3}) == "RA"
    with pytest.raises(SettingsError, match="no test scores of 'AA'"):
        gate(auc, learned, {"CN": poor}, {"AA": 0.9, "CN": 0.8}, generator=seeded(0))
    with pytest.raises(SettingsError, match="no heuristic"):
        choose_heuristic({})


def test_the_sentence() -> None:
    positive = torch.cat([torch.ones(91), -torch.ones(9)])
    half = torch.cat([torch.ones(45), -torch.ones(55)])
    negative = torch.zeros(200)
    result = gate(
        hits_at(100),
        LinkScores(positive, negative),
        {"RA": LinkScores(half, negative)},
        {"RA": 0.4},
        generator=seeded(0),
    )
    low, _, high = result.difference
    assert result.sentence() == (
        "The learned model reaches Hits@100 0.910, the best heuristic (RA) 0.450; "
        f"the difference 0.460 ({low:.3f} to {high:.3f}) is beyond the noise of the test links."
    )


def test_other_links_are_refused() -> None:
    with pytest.raises(MetricError, match="not those of the same links"):
        paired_difference(auc, scores((80,), 0), scores((79,), 0), generator=seeded(0))
    with pytest.raises(SettingsError, match="repeats"):
        paired_difference(auc, scores((80,), 0), scores((80,), 0), generator=seeded(0), level=1.0)


def alike(generator: torch.Generator, shape: tuple[int, ...]) -> tuple[LinkScores, LinkScores]:
    """Two methods that see the same links through noise of the same size."""

    def seen(truth: Tensor) -> list[Tensor]:
        return [truth + 0.7 * torch.randn(truth.shape, generator=generator) for _ in range(2)]

    positive = seen(torch.randn(150, generator=generator) + 1.5)
    negative = seen(torch.randn(shape, generator=generator))
    return LinkScores(positive[0], negative[0]), LinkScores(positive[1], negative[1])


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(150,), (150, 20)], ids=["shared", "own"])
@pytest.mark.parametrize("metric", [hits_at(10), auc, mrr()], ids=lambda metric: metric.name)
def test_false_alarms_are_as_rare_as_the_level_says(metric: NamedMetric, shape: tuple[int, ...]) -> None:
    generator, alarms = seeded(5), 0
    for _ in range(200):
        first, second = alike(generator, shape)
        low, _, high = paired_difference(metric, first, second, generator=generator, repeats=200)
        alarms += not low <= 0 <= high
    assert alarms <= 16  # 8 % of 200
