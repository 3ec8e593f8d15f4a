"""The number of real links by rank: by hand, against closed forms, and in worlds with known truth."""

from __future__ import annotations

import math

import pytest
import torch
from scipy.stats import betabinom

from calibration.worlds import falling, make_world, seeded
from hlgnn.calibration import by_rank, depths
from hlgnn.calibration.by_rank import SUPPORT
from hlgnn.errors import SettingsError


def test_depths_count_the_candidates_above_each_held_out_link() -> None:
    assert depths(torch.tensor([True, False, False, True, True, False])).tolist() == [0, 2, 2]
    assert depths(torch.zeros(3, dtype=torch.bool)).tolist() == []


def test_a_list_with_enough_held_out_links_is_counted() -> None:
    depth = torch.tensor([0, 1, 2, 3, 4, 5, 30, 60])
    estimate = by_rank(depth, 100, k=20, missing=40, held_out=20)
    assert estimate.mean == 12  # six links of twenty, twice as many are missing
    chances = betabinom.pmf(range(21), 40, 6.5, 14.5)
    chances /= chances.sum()
    assert sum(chances[: estimate.low]) < 0.05 <= sum(chances[: estimate.low + 1])
    assert estimate.high == min(20, betabinom.ppf(0.95, 40, 6.5, 14.5))
    mean = sum(m * chance for m, chance in enumerate(chances))
    assert estimate.spread**2 == pytest.approx(sum((m - mean) ** 2 * chance for m, chance in enumerate(chances)))


def test_a_short_list_borrows_the_rate_of_a_longer_one() -> None:
    depth = torch.tensor([9, 19, 29, 39])
    assert SUPPORT == 3
    assert by_rank(depth, 100, k=1, missing=60, held_out=60).mean == pytest.approx(2 / 30)
    assert by_rank(depth, 100, k=29, missing=60, held_out=60).mean == pytest.approx(29 * 2 / 30)
    assert by_rank(depth, 100, k=30, missing=60, held_out=60).mean == 3
    assert by_rank(depth[:2], 100, k=30, missing=60, held_out=60).mean == pytest.approx(30 * 2 / 100)


def test_limits() -> None:
    none = torch.empty(0, dtype=torch.int64)
    nothing = by_rank(none, 100, k=0, missing=10, held_out=10)
    assert (nothing.mean, nothing.low, nothing.high, nothing.spread) == (0, 0, 0, 0)
    complete = by_rank(none, 100, k=50, missing=0, held_out=10)
    assert (complete.mean, complete.low, complete.high) == (0, 0, 0)
    unseen = by_rank(none, 100, k=50, missing=10, held_out=10)
    assert unseen.mean == unseen.low == 0 < unseen.high
    crowded = by_rank(torch.arange(50), 50, k=50, missing=5000, held_out=50)
    assert (crowded.mean, crowded.high) == (50, 50)  # never more than the list is long


def test_more_is_expected_of_a_longer_list_and_of_more_missing_links() -> None:
    depth = torch.randint(400, (40,), generator=seeded(0)).sort().values
    by_k = [by_rank(depth, 400, k=k, missing=80, held_out=50).mean for k in range(401)]
    assert by_k == sorted(by_k)
    by_missing = [by_rank(depth, 400, k=100, missing=missing, held_out=50) for missing in range(0, 500, 25)]
    for ends in (lambda each: each.mean, lambda each: each.low, lambda each: each.high):
        assert list(map(ends, by_missing)) == sorted(map(ends, by_missing))


def test_a_higher_level_widens_the_interval() -> None:
    depth = torch.arange(0, 100, 4)
    narrow, wide = (by_rank(depth, 100, k=80, missing=50, held_out=50, level=level) for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.mean < narrow.high < wide.high
    assert wide.mean == narrow.mean


@pytest.mark.parametrize(
    ("k", "missing", "held_out", "level"),
    [(101, 1, 1, 0.9), (-1, 1, 1, 0.9), (1, -1, 1, 0.9), (1, 1, 0, 0.9), (1, 1, 1, 1.0)],
)
def test_what_makes_no_sense_is_refused(k: int, missing: int, held_out: int, level: float) -> None:
    with pytest.raises(SettingsError, match="Nothing can be said"):
        by_rank(torch.tensor([3]), 100, k, missing, held_out, level=level)


@pytest.mark.parametrize("k", [1, 3, 10, 40, 200])
@pytest.mark.parametrize("rate", [0.02, 0.1, 0.2])
def test_the_estimate_has_no_bias_where_the_precision_is_constant(k: int, rate: float) -> None:
    """Negative binomial places, long enough for the window to end: the mean is k a / (1 - a) exactly."""
    generator, repeats = seeded(k), 600
    held_out = torch.rand(repeats, 1000, generator=generator) < rate
    means = torch.tensor([by_rank(depths(row), int((~row).sum()), k, 1000, 1000).mean for row in held_out]).double()
    expected = k * rate / (1 - rate)
    error = float(means.std()) / math.sqrt(repeats)
    assert abs(float(means.mean()) - expected) < 4 * error


WORLDS = [
    # candidates, steepness, held out, missing, k
    (4000, 0.0, 200, 200, 100),
    (4000, 0.8, 250, 500, 100),
    (4000, 0.8, 500, 250, 30),
    (20000, 0.9, 263, 527, 100),
    (20000, 0.5, 263, 527, 10),
    (20000, 0.5, 100, 1000, 300),
    (20000, 1.0, 300, 300, 200),
    (2000, 1.5, 50, 50, 100),
]
FULL_WORLDS = [
    (20000, 0.9, 263, 527, 10),
    (20000, 1.5, 263, 527, 100),
    (20000, 1.5, 263, 527, 10),
    (20000, 2.5, 100, 1000, 300),
]
"""So many of the best k are real that estimates are often cut off at k, and are too low on average."""


@pytest.mark.parametrize(("count", "steepness", "held_out", "missing", "k"), WORLDS + FULL_WORLDS)
def test_intervals_hold_the_truth_in_simulated_worlds(
    count: int, steepness: float, held_out: int, missing: int, k: int
) -> None:
    generator, repeats = seeded(1), 300
    inside, errors = 0, []
    for _ in range(repeats):
        world = make_world(falling(count, steepness), held_out, missing, generator)
        tail = world.held_out[:1500]
        estimate = by_rank(depths(tail), int((~tail).sum()), k, missing, held_out)
        truth = world.truth(k)
        inside += estimate.low <= truth <= estimate.high
        errors.append(estimate.mean - truth)
    assert inside / repeats >= 0.87
    error = torch.tensor(errors).double()
    full = (count, steepness, held_out, missing, k) in FULL_WORLDS
    assert full or abs(float(error.mean())) < 4 * float(error.std()) / math.sqrt(repeats)
