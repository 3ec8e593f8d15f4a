"""A power law is found again, and its interval holds it as often as it says."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.errors import SettingsError
from hlgnn.experiments.power_law import fit_power_law


@given(exponent=st.floats(-3, 3), factor=st.floats(1e-6, 1e3), count=st.integers(3, 8))
def test_an_exact_power_law_is_recovered(exponent: float, factor: float, count: int) -> None:
    sizes = [100.0 * 2**k for k in range(count)]
    law = fit_power_law(sizes, [factor * size**exponent for size in sizes])
    assert law.exponent == pytest.approx(exponent, abs=1e-9)
    assert law(700.0) == pytest.approx(factor * 700.0**exponent, rel=1e-6)
    assert law.half_width == pytest.approx(0.0, abs=1e-6)


def test_the_interval_covers_the_exponent_as_often_as_it_says() -> None:
    random = np.random.default_rng(0)
    sizes = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    laws = [fit_power_law(sizes, sizes**1.5 * np.exp(0.1 * random.standard_normal(5))) for _ in range(2000)]
    covered = np.mean([law.low <= 1.5 <= law.high for law in laws])
    assert 0.935 < covered < 0.965


def test_two_points_have_an_exponent_and_no_interval() -> None:
    law = fit_power_law([10.0, 20.0], [1.0, 8.0])
    assert law.exponent == pytest.approx(3.0)
    assert law.half_width == math.inf


@pytest.mark.parametrize(("x", "y"), [([1.0, 1.0], [1.0, 2.0]), ([1.0, 2.0], [0.0, 2.0]), ([-1.0, 2.0], [1.0, 2.0])])
def test_what_has_no_power_is_refused(x: list[float], y: list[float]) -> None:
    with pytest.raises(SettingsError):
        fit_power_law(x, y)
