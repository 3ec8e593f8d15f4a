"""Differences seed by seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.experiments.cell import Cell
from hlgnn.experiments.outcomes import CellOutcome
from hlgnn.experiments.paired import bootstrap_entry, bootstrap_interval, paired_differences, paired_entry


def outcome(values: dict[int, float]) -> CellOutcome:
    cell = Cell("row", "column", "train", {}, tuple(values))
    return CellOutcome(cell, {seed: {"test": {"auc": value}} for seed, value in values.items()}, {})


def test_only_seeds_that_both_have_are_compared() -> None:
    first, second = outcome({0: 0.9, 1: 0.8, 2: 0.7}), outcome({2: 0.5, 1: 0.7, 5: 0.1})
    found = paired_differences(first, second, "test", "auc", scale=100.0)
    assert [round(each, 6) for each in found] == [10.0, 20.0]


def test_a_constant_difference_is_certain_whatever_the_splits_are() -> None:
    first = outcome({0: 0.5, 1: 0.9, 2: 0.1})
    entry = paired_entry(first, outcome({0: 0.25, 1: 0.65, 2: -0.15}), "test", "auc")
    assert entry.text == "+0.25 [+0.25, +0.25]"
    assert entry.mark == "above"


def test_the_interval_is_students() -> None:
    entry = paired_entry(outcome({0: 1.0, 1: 3.0}), outcome({0: 0.0, 1: 0.0}), "test", "auc")
    assert entry.text == "+2.00 [−10.71, +14.71]"  # 12.71 · √2 / √2 around two
    assert entry.mark == ""


def test_nothing_in_common_is_missing() -> None:
    assert paired_entry(outcome({0: 1.0}), outcome({1: 1.0}), "test", "auc").mark == "missing"
    assert paired_entry(None, outcome({1: 1.0}), "test", "auc").mark == "missing"


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=12), st.floats(-5, 5))
def test_a_bootstrap_lies_between_the_extremes_and_moves_with_the_differences(found: list[float], shift: float) -> None:
    low, high = bootstrap_interval(found, draws=500)
    assert min(found) - 1e-9 <= low <= high <= max(found) + 1e-9
    moved = bootstrap_interval([each + shift for each in found], draws=500)
    assert moved == pytest.approx((low + shift, high + shift), abs=1e-9)


def test_a_bootstrap_of_many_differences_is_that_of_the_normal_distribution() -> None:
    found = np.random.default_rng(1).normal(3.0, 2.0, size=4000)
    low, high = bootstrap_interval(list(found))
    reach = 1.96 * found.std() / 4000**0.5
    assert (low, high) == pytest.approx((found.mean() - reach, found.mean() + reach), abs=0.1 * reach)


def test_a_bootstrap_of_one_seed_is_missing_and_others_are_marked_by_their_side() -> None:
    assert bootstrap_entry(outcome({0: 1.0}), outcome({0: 0.0}), "test", "auc").mark == "missing"
    above = bootstrap_entry(outcome({0: 1.0, 1: 2.0}), outcome({0: 0.5, 1: 0.0}), "test", "auc")
    assert (above.text, above.mark) == ("[+0.50, +2.00]", "above")
    assert bootstrap_entry(outcome({0: 1.0, 1: -2.0}), outcome({0: 0.5, 1: 0.0}), "test", "auc").mark == ""
