"""Where β starts, against the formulas of Appendix C.1."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from hlgnn.errors import SettingsError, UnknownNameError
from hlgnn.formulation.beta_init import BETA_INITS, initial_beta

DEPTHS = st.integers(1, 40)
SHARES = st.floats(0.01, 1.0)


def beta(name: str, depth: int, parameter: float = 1.0, seed: int = 0) -> torch.Tensor:
    return initial_beta(name, depth, parameter, torch.Generator().manual_seed(seed))


def assert_printed(actual: torch.Tensor, expected: list[float]) -> None:
    assert actual.dtype == torch.float32
    assert_close(actual, torch.tensor(expected), rtol=1e-6, atol=0)


@settings(max_examples=20)
@given(depth=DEPTHS, gamma=SHARES)
def test_katz(depth: int, gamma: float) -> None:
    """β_l = γ^l."""
    assert_printed(beta("ki", depth, gamma), [gamma**order for order in range(depth + 1)])


@settings(max_examples=20)
@given(depth=DEPTHS, alpha=SHARES)
def test_restart(depth: int, alpha: float) -> None:
    """β_l = (1 − α) α^l."""
    assert_printed(beta("rwr", depth, alpha), [(1 - alpha) * alpha**order for order in range(depth + 1)])


@settings(max_examples=20)
@given(depth=DEPTHS)
def test_uniform(depth: int) -> None:
    """β_l = 1 / L, for all L + 1 orders."""
    assert_printed(beta("uniform", depth), [1 / depth] * (depth + 1))
    assert_printed(beta("uniform", depth, 0.8), [1 / depth] * (depth + 1))


@settings(max_examples=20)
@given(depth=DEPTHS, gamma=SHARES)
def test_reverse_katz(depth: int, gamma: float) -> None:
    """β_l = γ^(L − l)."""
    assert_printed(beta("reverse-ki", depth, gamma), [gamma ** (depth - order) for order in range(depth + 1)])


@settings(max_examples=20)
@given(depth=DEPTHS)
def test_final_layer(depth: int) -> None:
    """β_L = 1, all others zero."""
    assert_printed(beta("final-layer", depth), [0.0] * depth + [1.0])


def test_random_is_standard_normal() -> None:
    """β_l ~ N(0, 1), within four standard errors of mean and variance."""
    count = 1000
    drawn = torch.cat([beta("random", count, seed=seed) for seed in range(20)]).double()
    assert abs(float(drawn.mean())) < 4 / math.sqrt(len(drawn))
    assert abs(float(drawn.var()) - 1) < 4 * math.sqrt(2 / len(drawn))
    assert torch.equal(2 * beta("random", 9), beta("random", 9, 2.0))
    assert torch.equal(beta("random", 9), beta("random", 9))
    assert not torch.equal(beta("random", 9), beta("random", 9, seed=1))


@settings(max_examples=20)
@given(depth=DEPTHS, alpha=st.floats(0.01, 0.99))
def test_published_restart_sums_to_one_as_a_walk_that_stops_at_the_last_order(depth: int, alpha: float) -> None:
    printed = [(1 - alpha) * alpha**order for order in range(depth)] + [alpha**depth]
    assert sum(printed) == pytest.approx(1.0)
    assert_close(beta("published-rwr", depth, alpha), torch.tensor(printed), rtol=1e-5, atol=0)


@settings(max_examples=20)
@given(depth=DEPTHS, seed=st.integers(0, 999))
def test_published_random_has_magnitudes_that_sum_to_one(depth: int, seed: int) -> None:
    assert float(beta("published-random", depth, seed=seed).abs().sum()) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("name", list(BETA_INITS))
def test_at_depth_nought_there_is_one_weight(name: str) -> None:
    assert beta(name, 0, 0.5).shape == (1,)


def test_six_are_printed_and_two_are_the_programs() -> None:
    printed = {"ki", "rwr", "random", "uniform", "reverse-ki", "final-layer"}
    assert set(BETA_INITS) == printed | {"published-rwr", "published-random"}


@pytest.mark.parametrize("parameter", [10.0, 1e10])
def test_weights_that_overflow_are_refused(parameter: float) -> None:
    with pytest.raises(SettingsError, match=r"beta_parameter: ki with the parameter .* overflows at depth 1000"):
        beta("ki", 1000, parameter)


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'final-layer'"):
        beta("final-layr", 3)
