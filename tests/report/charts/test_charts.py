"""Places in charts are proportional to values, whatever the values are."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hlgnn.report.charts import difference_chart, interval_bar, line_chart, reliability_chart, stem_chart
from hlgnn.report.charts.bars import LENGTH
from hlgnn.report.charts.frame import LETTERS, WIDTH
from hlgnn.report.charts.line import thinned
from hlgnn.report.charts.reliability import reach
from hlgnn.report.charts.scale import nice_range, ticks
from hlgnn.report.values import Interval
from report.pages import shapes

SHARES = st.floats(0, 1)
VALUES = st.floats(-1e6, 1e6)
CLOSE = pytest.approx
PRECISION = 0.011  # places have two digits behind the point


@st.composite
def intervals(draw: st.DrawFn, values: st.SearchStrategy[float] = SHARES) -> Interval:
    return Interval(*sorted(draw(st.tuples(values, values, values))))


@given(intervals(), st.sampled_from([1.0, 2.5]))
def test_bars_are_as_long_as_their_values(found: Interval, top: float) -> None:
    picture = interval_bar(found, top, "t", learned=True)
    assert shapes(picture, "bar learned")[0]["width"] == CLOSE(LENGTH * found.value / top, abs=PRECISION)
    if found.high > found.low:
        whisker = shapes(picture, "whisker")[0]
        ends = (LENGTH * found.low / top, LENGTH * found.high / top)
        assert (whisker["x1"], whisker["x2"]) == CLOSE(ends, abs=PRECISION)


def test_a_bar_beyond_the_top_stays_inside() -> None:
    assert shapes(interval_bar(Interval(2, 3, 4), 1.0, "t"), "bar")[0]["width"] == LENGTH


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30))
def test_stems_are_as_long_as_their_weights(betas: list[float]) -> None:
    stems = shapes(stem_chart(betas, "t"), "stem")
    assert len(stems) == len(betas)
    lengths = [stem["y1"] - stem["y2"] for stem in stems]  # up is less y
    largest = max(range(len(betas)), key=lambda order: abs(betas[order]))
    assume(abs(betas[largest]) > 1e-9)
    unit = lengths[largest] / betas[largest]
    assert unit > 0
    assert lengths == CLOSE([unit * beta for beta in betas], abs=3 * PRECISION)
    steps = [two["x1"] - one["x1"] for one, two in pairwise(stems)]
    assert steps == CLOSE([steps[0]] * len(steps) if steps else [], abs=2 * PRECISION)


def test_weights_below_zero_are_marked() -> None:
    assert len(shapes(stem_chart([0.5, -0.2, 0.1], "t"), "stem against")) == 1


@given(st.lists(st.tuples(SHARES, intervals()), min_size=1, max_size=12))
def test_reliable_chances_are_on_the_diagonal(bins: list[tuple[float, Interval]]) -> None:
    on_line = [(found.value, found) for _, found in bins]
    picture = reliability_chart(on_line, "t")
    (diagonal,) = shapes(picture, "diagonal")
    slope = (diagonal["y2"] - diagonal["y1"]) / (diagonal["x2"] - diagonal["x1"])
    assert slope == CLOSE(-1)  # a unit of chance is as wide as it is high
    for mark in shapes(picture, "mark"):
        assert mark["cy"] == CLOSE(diagonal["y1"] + slope * (mark["cx"] - diagonal["x1"]), abs=2 * PRECISION)


@given(st.lists(st.tuples(SHARES, intervals()), min_size=1, max_size=12))
def test_chances_and_intervals_are_in_proportion(bins: list[tuple[float, Interval]]) -> None:
    picture = reliability_chart(bins, "t")
    top = reach(bins)
    (diagonal,) = shapes(picture, "diagonal")
    width, height = diagonal["x2"] - diagonal["x1"], diagonal["y1"] - diagonal["y2"]
    for mark, (predicted, found) in zip(shapes(picture, "mark"), bins, strict=True):
        assert mark["cx"] == CLOSE(diagonal["x1"] + width * predicted / top, abs=PRECISION)
        assert mark["cy"] == CLOSE(diagonal["y1"] - height * found.value / top, abs=PRECISION)


@given(st.lists(st.tuples(SHARES, intervals()), min_size=1, max_size=12))
def test_all_dots_are_inside_and_are_not_pressed_together(bins: list[tuple[float, Interval]]) -> None:
    farthest = max(max(predicted, found.value) for predicted, found in bins)
    assume(farthest > 1e-50)
    assert farthest * (1 - 1e-6) <= reach(bins) <= 4 * farthest


def test_an_interval_beyond_the_edge_has_no_cap_there() -> None:
    picture = reliability_chart([(0.01, Interval(0.005, 0.01, 0.9)), (0.02, Interval(0.01, 0.02, 0.03))], "t")
    assert len(shapes(picture, "span")) == 2 + 3


@given(intervals(st.floats(-1, 1)))
def test_a_difference_is_on_the_side_of_its_sign(found: Interval) -> None:
    picture = difference_chart(found, "t", "v")
    (mark,), (zero,) = shapes(picture, "mark"), shapes(picture, "zero")
    assert zero["x1"] == CLOSE(WIDTH / 2, abs=PRECISION)
    assert (mark["cx"] - zero["x1"]) * found.value >= -PRECISION
    span = shapes(picture, "span")[0]
    assert span["x1"] <= mark["cx"] <= span["x2"]


@given(st.lists(VALUES, min_size=1, max_size=50))
def test_curves_rise_where_values_rise(values: list[float]) -> None:
    points = list(enumerate(values, start=1))
    picture = line_chart(points, "t", "loss", points[-1], "end")
    (mark,) = shapes(picture, "mark")
    assert 0 <= mark["cx"] <= WIDTH
    places = [tuple(map(float, pair.split(","))) for pair in picture.split('points="')[1].split('"')[0].split()]
    assert places[-1] == CLOSE((mark["cx"], mark["cy"]), abs=0.06)
    for (_, one), (_, two), before, after in zip(places, places[1:], values, values[1:], strict=False):
        assert (one - two) * (after - before) >= 0


@given(st.integers(1, 5000))
def test_thinned_curves_keep_their_ends(length: int) -> None:
    points = [(float(x), 0.0) for x in range(length)]
    kept = thinned(points)
    assert len(kept) <= 401
    assert (kept[0], kept[-1]) == (points[0], points[-1])


@given(st.floats(-1e99, 1e99), st.floats(-1e99, 1e99))
def test_ranges_hold_their_values_and_have_few_ticks(one: float, two: float) -> None:
    low, high = nice_range(min(one, two), max(one, two))
    slack = 1e-6 * (high - low)
    assert low < high
    assert low - slack <= min(one, two) <= max(one, two) <= high + slack
    assert 2 <= len(ticks(low, high)) <= 7


def test_letters_are_large_enough_on_a_phone() -> None:
    narrowest = 390 - 2 * 16  # the page less its margins
    assert LETTERS * narrowest / WIDTH >= 11
