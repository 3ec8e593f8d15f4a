"""The bootstrap against closed forms, its own literal definition, and repetition."""

import math

import pytest
import torch
from torch import Tensor

from hlgnn.errors import MetricError, SettingsError
from hlgnn.evaluation import Interval, auc, average_precision, bootstrap, hits_at, mrr
from hlgnn.evaluation.metrics import NamedMetric


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def tied_scores(num_positives: int, shape: tuple[int, ...], seed: int = 0) -> tuple[Tensor, Tensor]:
    """Scores on a grid, with positives higher on average."""
    generator = seeded(seed)
    positive = torch.randint(2, 12, (num_positives,), generator=generator) / 4
    return positive, torch.randint(0, 10, shape, generator=generator) / 4


@pytest.mark.parametrize("shape", [(25,), (30, 7)], ids=["shared", "own"])
@pytest.mark.parametrize(
    "tested",
    [hits_at(3), hits_at(5, "average"), hits_at(5, "optimistic"), mrr(), mrr("optimistic"), auc],
    ids=lambda tested: tested.name,
)
def test_counted_ranks_give_what_scoring_each_draw_gives(tested: NamedMetric, shape: tuple[int, ...]) -> None:
    positive, negative = tied_scores(30, shape)

    def plainly(positive: Tensor, negative: Tensor) -> float:
        return tested(positive, negative)

    fast = bootstrap(tested, positive, negative, generator=seeded(1), repeats=200)
    plain = bootstrap(plainly, positive, negative, generator=seeded(1), repeats=200)
    assert fast == pytest.approx(plain, abs=1e-12)
    assert fast.low < fast.value < fast.high


def test_only_positives_matter_when_all_negatives_are_equal() -> None:
    # Then Hits is a share of P independent draws: its bootstrap is a binomial with a known spread.
    positive = torch.cat([torch.ones(300), -torch.ones(700)])
    low, value, high = bootstrap(hits_at(2), positive, torch.zeros(50), generator=seeded(0), repeats=4000)
    spread = 1.96 * math.sqrt(0.3 * 0.7 / 1000)
    assert value == pytest.approx(0.3)
    assert (low, high) == pytest.approx((0.3 - spread, 0.3 + spread), abs=0.004)


def test_negatives_are_resampled_too() -> None:
    # The only draw without the top negative has probability (1 − 1/Q)^Q ≈ 1/e; then the positive wins.
    negative = torch.zeros(100)
    negative[0] = 2.0
    interval = bootstrap(hits_at(1), torch.ones(1), negative, generator=seeded(0), repeats=200, level=0.5)
    assert interval == Interval(0.0, 0.0, 1.0)


def test_own_negatives_move_with_their_positive() -> None:
    # Every positive is above its own negatives but below those of the next one.
    positive = torch.arange(20.0)
    negative = (positive[:, None] - 0.5).expand(20, 3)
    assert bootstrap(auc, positive, negative, generator=seeded(0), repeats=50) == (1, 1, 1)

    def together(positive: Tensor, negative: Tensor) -> float:
        return float((negative == positive[:, None] - 0.5).all())

    assert bootstrap(together, positive, negative, generator=seeded(0), repeats=50) == (1, 1, 1)


def test_a_metric_that_is_no_mean_over_positives_is_bootstrapped_too() -> None:
    positive, negative = tied_scores(60, (60,))
    low, value, high = bootstrap(average_precision, positive, negative, generator=seeded(0), repeats=200)
    assert low < value < high
    assert value == average_precision(positive, negative)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator, covered, trials = seeded(3), 0, 200
    truth = 0.5 * (1 + math.erf(1 / 2))  # P(N(1, 1) > N(0, 1))
    for _ in range(trials):
        positive, negative = torch.randn(80, generator=generator) + 1, torch.randn(80, generator=generator)
        low, _, high = bootstrap(auc, positive, negative, generator=generator, repeats=200, level=0.8)
        covered += low <= truth <= high
    assert covered / trials == pytest.approx(0.8, abs=0.1)  # three standard errors are 0.085


def test_the_interval_shrinks_as_the_root_of_the_size_and_grows_with_the_level() -> None:
    def width(size: int, level: float = 0.9) -> float:
        positive, negative = torch.linspace(0, 2, size), torch.linspace(-1, 1, size)
        low, _, high = bootstrap(auc, positive, negative, generator=seeded(0), repeats=1000, level=level)
        return high - low

    assert width(50) / width(1250) == pytest.approx(5, rel=0.15)
    assert width(500, 0.5) < width(500, 0.9) < width(500, 0.99)


def test_a_generator_decides_everything() -> None:
    positive, negative = tied_scores(40, (60,))
    first, again, other = (bootstrap(mrr(), positive, negative, generator=seeded(seed)) for seed in (5, 5, 6))
    assert first == again
    assert first.value == other.value
    assert first != other


def test_what_cannot_be_bootstrapped() -> None:
    scores = torch.rand(5, generator=seeded(0))
    for options in ({"repeats": 0}, {"level": 0.0}, {"level": 1.0}, {"level": 95.0}):
        with pytest.raises(SettingsError):
            bootstrap(auc, scores, scores, generator=seeded(0), **options)
    with pytest.raises(MetricError, match="at least 6 negatives"):
        bootstrap(hits_at(6), scores, scores, generator=seeded(0))
    with pytest.raises(MetricError, match="NaN"):
        bootstrap(lambda *_: 0.0, scores, scores.log_().sqrt_(), generator=seeded(0))
