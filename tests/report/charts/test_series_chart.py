"""Charts of series: places are proportional to values or to their logarithms, and everything lies inside."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.report.charts.axis import factor_ticks, level_axis, mark_text, text_width, upright_axis
from hlgnn.report.charts.markers import COLOURS, SHAPES, legend, series_dash, series_kind
from hlgnn.report.charts.names import lay_names
from hlgnn.report.charts.plot import WIDTH
from hlgnn.report.charts.series import NOTHING, Curve, Spot, series_chart
from report.pages import shapes

CLOSE = pytest.approx
PRECISION = 0.021  # places have two digits behind the point
NUMBERS = st.floats(-1e6, 1e6)
POSITIVE = st.floats(1e-6, 1e6)
Place = tuple[float, float]


def spot(x: float | str, value: float, width: float = 0.0) -> Spot:
    return Spot(x, value, value - width, value + width)


def curve(values: list[float], name: str = "a", *, joined: bool = True) -> Curve:
    return Curve(name, tuple(spot(float(x), value) for x, value in enumerate(values)), joined)


def places(picture: str, kind: str = "marker") -> list[Place]:
    """Where shapes stand, in their order."""
    wanted = set(kind.split())
    found = [each for each in ElementTree.fromstring(picture).iter() if wanted <= set(each.get("class", "").split())]
    moved = [re.match(r"translate\((\S+) ([^)]+)\)", each.get("transform", "")) for each in found]
    return [(float(each[1]), float(each[2])) for each in moved if each]


def size(picture: str) -> Place:
    _, _, width, height = (float(each) for each in ElementTree.fromstring(picture).attrib["viewBox"].split())
    return width, height


@st.composite
def curves(draw: st.DrawFn, x: st.SearchStrategy[float | str], y: st.SearchStrategy[float]) -> list[Curve]:
    spots = st.builds(lambda x, *ys: Spot(x, *(sorted(ys)[place] for place in (1, 0, 2))), x, y, y, y)
    one = st.builds(Curve, st.text(max_size=30), st.lists(spots, max_size=5).map(tuple), st.booleans())
    return draw(st.lists(one, max_size=5))


NAMES = st.sampled_from(["Cora", "Citeseer", "Computers", "resource allocation index of links", "ogbl-ddi", ""])


@settings(deadline=None, max_examples=60)
@given(curves(NUMBERS | NAMES, NUMBERS), st.booleans(), st.booleans())
def test_every_chart_is_well_formed_and_inside(found: list[Curve], log_x: bool, log_y: bool) -> None:
    picture = series_chart(found, "t", "x", "y", log_x=log_x, log_y=log_y)
    width, height = size(picture)
    assert width == WIDTH
    assert "nan" not in re.sub(r"<title>.*?</title>|aria-label=\"[^\"]*\"|<text.*?</text>", "", picture)
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places(picture))
    for each in shapes(picture, "ends") + shapes(picture, "grid"):
        assert 0 <= min(each["x1"], each["x2"]) <= max(each["x1"], each["x2"]) <= width
        assert 0 <= min(each["y1"], each["y2"]) <= max(each["y1"], each["y2"]) <= height
    if not (log_x or log_y):
        assert len(places(picture)) == sum(len(each.spots) for each in found)


@given(st.lists(NUMBERS, min_size=2, max_size=20))
def test_what_is_larger_is_never_lower(values: list[float]) -> None:
    drawn = places(series_chart([curve(values)], "t", "x", "y"))
    for (x, y), (x_next, y_next), (value, following) in zip(drawn, drawn[1:], pairwise(values), strict=False):
        assert x < x_next
        assert (y_next - y) * (following - value) <= 0


@given(st.lists(NUMBERS, min_size=3, max_size=3), st.booleans())
def test_heights_are_in_proportion(values: list[float], joined: bool) -> None:
    (_, one), (_, two), (_, three) = places(series_chart([curve(values, joined=joined)], "t", "x", "y"))
    whole = max(values) - min(values)
    drawn = max(one, two, three) - min(one, two, three)
    assert (two - one) * whole == CLOSE((values[0] - values[1]) * drawn, abs=3 * PRECISION * whole + 1e-9)


@given(POSITIVE, st.floats(1.1, 50))
def test_equal_factors_are_equal_distances(start: float, factor: float) -> None:
    values = [start * factor**step for step in range(4)]
    spots = tuple(spot(value, value) for value in values)
    drawn = places(series_chart([Curve("a", spots)], "t", "x", "y", log_x=True, log_y=True))
    along, up = ([two[side] - one[side] for one, two in pairwise(drawn)] for side in (0, 1))
    assert along == CLOSE([along[0]] * 3, abs=PRECISION)
    assert up == CLOSE([up[0]] * 3, abs=PRECISION)
    assert along[0] > 0 > up[0]


def test_an_interval_is_drawn_from_its_low_to_its_high() -> None:
    spots = (Spot("a", 3.0, 1.0, 6.0), Spot("b", 1.0, 1.0, 1.0), Spot("c", 6.0, 6.0, 6.0))
    picture = series_chart([Curve("s", spots)], "t", "x", "y")
    (_, _), (_, low), (_, high) = places(picture)
    stroke = shapes(picture, "ends")[0]
    assert (stroke["y1"], stroke["y2"]) == CLOSE((low, high), abs=PRECISION)


def test_a_band_follows_both_ends() -> None:
    picture = series_chart([Curve("s", (Spot(0, 2, 1, 4), Spot(1, 3, 3, 3.5)))], "t", "x", "y")
    (band,) = ElementTree.fromstring(picture).iter("polygon")
    assert len(band.attrib["points"].split()) == 4
    assert shapes(picture, "ends") == []


def test_a_point_without_an_interval_narrows_no_band() -> None:
    alone, spread = [Spot(x, 2, 2, 2) for x in range(3)], [Spot(x, 3, 2, 4) for x in range(3, 7)]
    spots = (alone[0], Spot(0.5, 2, 1, 3), *alone[1:], *spread)
    picture = series_chart([Curve("s", spots)], "t", "x", "y")
    (band,) = ElementTree.fromstring(picture).iter("polygon")
    assert len(band.attrib["points"].split()) == 2 * len(spread)
    assert len(shapes(picture, "ends")) == 3  # a whisker and its caps, where neighbours have none


@pytest.mark.parametrize("many", [1, 2, 6, 10])
@pytest.mark.parametrize("names", [1, 2, 6])
def test_series_stand_side_by_side_among_names(many: int, names: int) -> None:
    found = [
        Curve(f"s{k}", tuple(spot(f"n{place}", k, 1) for place in range(names)), joined=False) for k in range(many)
    ]
    picture = series_chart(found, "t", "x", "y")
    along = [sorted(x for x, _ in places(picture, f"marker series-{k}")) for k in range(many)]
    by_name = list(zip(*along, strict=True))
    assert all(one < two for row in by_name for one, two in pairwise(row))
    assert all(max(one) < min(two) for one, two in pairwise(by_name))
    caps = {(each["x1"], each["x2"]) for each in shapes(picture, "ends") if each["x1"] < each["x2"]}
    assert len(caps) == many * names
    assert all(one[1] < two[0] for one, two in pairwise(sorted(caps)))


def test_ten_series_differ_by_colour_and_by_shape_and_twenty_by_colour_and_dash() -> None:
    assert len({series_kind(place) for place in range(10)}) == COLOURS == 10
    assert len(set(SHAPES)) == len(SHAPES) >= 10
    assert len({(series_kind(place), series_dash(place)) for place in range(20)}) == 20


@given(st.lists(st.text("abc", min_size=1, max_size=80), max_size=12))
def test_names_of_the_legend_do_not_overlap(names: list[str]) -> None:
    drawn, height = legend([(name, True) for name in names], WIDTH)
    rows: dict[str, list[Place]] = {}
    for each in ElementTree.fromstring(f"<g>{drawn}</g>").iter("text"):
        start = float(each.attrib["x"])
        rows.setdefault(each.attrib["y"], []).append((start, start + text_width(each.text or "")))
    assert all(one[1] < two[0] for row in rows.values() for one, two in pairwise(row))
    assert all(end <= WIDTH + 1 for row in rows.values() for _, end in row)
    assert all(float(y) < height for y in rows)


@given(st.lists(NUMBERS, min_size=1, max_size=12))
def test_marks_along_are_inside(values: list[float]) -> None:
    axis = level_axis(values, 320, log=False).between(0, 320)
    assert axis.marks
    assert all(axis.scale.low <= mark.value <= axis.scale.high for mark in axis.marks)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=12, unique=True))
def test_marks_along_do_not_overlap(values: list[int]) -> None:
    axis = level_axis([float(value) for value in values], 320, log=False).between(0, 320)
    for one, two in pairwise(axis.marks):
        assert axis(two.value) - axis(one.value) > (text_width(one.text) + text_width(two.text)) / 2


@given(st.lists(NUMBERS, min_size=1, max_size=6))
def test_round_levels_hold_all_values(values: list[float]) -> None:
    axis = upright_axis(values, log=False)
    unseen = max(1e-100, 1e-8 * max(map(abs, values)))
    assert axis.scale.low <= min(values) + unseen
    assert axis.scale.high >= max(values) - unseen
    assert 2 <= len(axis.marks) <= 9
    assert len({mark.text for mark in axis.marks}) == len(axis.marks)


@given(st.floats(-8, 8), st.floats(0.01, 8))
def test_factors_beside_an_axis_are_few_and_inside(low: float, width: float) -> None:
    found = factor_ticks(low, low + width)
    assert 1 <= len(found) <= 8
    assert all(low - 1e-6 <= math.log10(value) <= low + width + 1e-6 for value in found)


def test_numbers_beside_an_axis_share_their_power() -> None:
    assert [mark.text for mark in upright_axis([0, 2e9], log=False).marks][1:3] == ["0.5×10⁹", "1×10⁹"]
    assert mark_text(1_000_000) == "10⁶"


@given(st.lists(st.text("ab ", min_size=1, max_size=40), min_size=1, max_size=10), st.floats(20, 300))
def test_names_fit_their_room_or_are_slanted(names: list[str], room: float) -> None:
    layout = lay_names(names, room)
    assert len(layout.lines) == len(names)
    if not layout.slanted:
        assert all(text_width(line) <= room for lines in layout.lines for line in lines)
        assert [" ".join(lines) for lines in layout.lines] == [" ".join(name.split()) for name in names]


@pytest.mark.parametrize("found", [[], [Curve("a", ())], [Curve("a", (Spot(1, math.nan, 0, 1),))]])
def test_without_points_the_picture_says_so(found: list[Curve]) -> None:
    picture = series_chart(found, "t", "x", "y")
    assert NOTHING in "".join(ElementTree.fromstring(picture).itertext())


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("x", [3.0, "name"])
def test_one_point_is_enough(x: float | str, log: bool) -> None:
    assert len(places(series_chart([Curve("a", (spot(x, 2.0),))], "t", "x", "y", log_x=log, log_y=log))) == 1


def test_what_has_no_logarithm_is_left_out() -> None:
    found = [Curve("a", (spot(-1.0, 1.0), spot(0.0, 1.0), spot(1.0, 0.0), spot(1.0, 2.0, 5.0)))]
    assert len(places(series_chart(found, "t", "x", "y", log_x=True, log_y=True))) == 1


def test_the_title_says_in_words_what_is_shown() -> None:
    picture = series_chart([Curve("<ours>", (spot(1, 90.5), spot(2, 91.0)))], "Depth", "depth L", "hits")
    title = ElementTree.fromstring(picture).find("title")
    assert title is not None
    assert title.text == "Depth: hits by depth L. <ours>: 90.5 at 1, 91 at 2."
