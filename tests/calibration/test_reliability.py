"""Bins of chances beside outcomes."""

from __future__ import annotations

import pytest
import torch
from scipy.stats import beta

from calibration.worlds import seeded
from hlgnn.calibration import reliability_curve
from hlgnn.errors import SettingsError


def test_bins_hold_everything_once_in_rising_order() -> None:
    predicted = torch.rand(1003, generator=seeded(0))
    real = torch.rand(1003, generator=seeded(1)) < predicted
    curve = reliability_curve(predicted, real, bins=10)
    assert sum(each.count for each in curve) == 1003
    assert sum(each.observed * each.count for each in curve) == pytest.approx(int(real.sum()))
    assert sum(each.predicted * each.count for each in curve) == pytest.approx(float(predicted.sum()), rel=1e-6)
    assert [each.predicted for each in curve] == sorted(each.predicted for each in curve)


def test_equal_chances_share_a_bin_and_the_order_does_not_matter() -> None:
    predicted = torch.tensor([0.5, 0.1, 0.5, 0.1, 0.5])
    real = torch.tensor([True, False, False, True, True])
    curve = reliability_curve(predicted, real, bins=4)
    assert [(each.count, each.observed) for each in curve] == [(2, 0.5), (3, pytest.approx(2 / 3))]
    order = torch.tensor([4, 2, 0, 1, 3])
    assert reliability_curve(predicted[order], real[order], bins=4) == curve


def test_the_interval_is_that_of_jeffreys() -> None:
    (only,) = reliability_curve(torch.full((10,), 0.3), torch.arange(10) < 4, level=0.8)
    assert (only.low, only.high) == pytest.approx(tuple(beta.ppf([0.1, 0.9], 4.5, 6.5)))
    (none,) = reliability_curve(torch.full((10,), 0.3), torch.zeros(10, dtype=torch.bool))
    (every,) = reliability_curve(torch.full((10,), 0.3), torch.ones(10, dtype=torch.bool))
    assert none.low == 0 < none.high < 1
    assert 0 < every.low < every.high == 1


def test_intervals_hold_true_shares() -> None:
    predicted = torch.arange(1, 10).repeat_interleave(200) / 10
    inside = total = 0
    for seed in range(40):
        real = torch.rand(len(predicted), generator=seeded(seed)) < predicted
        curve = reliability_curve(predicted, real, bins=9)
        total += len(curve)
        inside += sum(each.low <= each.predicted <= each.high for each in curve)
    assert inside / total >= 0.87


def test_nothing_gives_nothing_and_nonsense_is_refused() -> None:
    assert reliability_curve(torch.empty(0), torch.empty(0, dtype=torch.bool)) == []
    with pytest.raises(SettingsError, match="make no curve"):
        reliability_curve(torch.ones(2), torch.ones(3, dtype=torch.bool))
