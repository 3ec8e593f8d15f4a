"""The growth model: it finds the law that made its measurements, and grows as the work does."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.errors import SettingsError
from hlgnn.jobs.growth.answer import answer, sentences
from hlgnn.jobs.growth.fitted import Fitted, Measured, fit, load_fitted
from hlgnn.jobs.growth.needs import fewest_processes, least_bytes, needs
from hlgnn.jobs.growth.sharing import Shared, sent_bytes, summed_bytes
from hlgnn.jobs.growth.step_size import KINDS, StepSize
from hlgnn.jobs.growth.terms import NAMES, terms

SIZES = st.builds(
    StepSize,
    nodes=st.integers(1000, 10**8),
    links=st.integers(1000, 10**9),
    width=st.sampled_from([16, 64, 256]),
    depth=st.integers(1, 20),
    operators=st.sampled_from(KINDS),
    batch=st.sampled_from([1024, 65_536]),
    hidden=st.sampled_from([32, 256]),
)
BOTH: tuple[Shared, ...] = ("pairs", "columns")


@pytest.fixture(scope="module")
def fitted() -> Fitted:
    return load_fitted()


def drawn_sizes(count: int) -> list[StepSize]:
    generator = np.random.default_rng(0)
    return [
        StepSize(
            int(10 ** generator.uniform(3, 6)),
            int(10 ** generator.uniform(4, 7)),
            int(generator.choice([16, 32, 64, 128, 256])),
            int(generator.integers(1, 20)),
            KINDS[number % 2],
            int(10 ** generator.uniform(3, 5)),
            int(generator.choice([32, 64, 256])),
        )
        for number in range(count)
    ]


def test_a_law_is_found_from_what_it_says() -> None:
    """Times and bytes made by known coefficients give times and bytes of other sizes back."""
    law = Fitted(
        {name: 1e-9 * (1 + place) for place, name in enumerate(NAMES)} | {"step": 0.01},
        {"process": 5e8, "links": 90.0, "nodes": 70.0, "vectors": 2.0},
        {"process": 3e8, "links": 40.0, "nodes": 30.0, "vectors": 1.0},
        1e-9,
        2,
    )
    sizes = drawn_sizes(200)
    measured = [
        Measured(size, law.step_seconds(size), law.built_bytes(size), law.base_bytes(size), 0) for size in sizes[:150]
    ]
    found = fit(measured, 1e-9, 2)
    for size in sizes[150:]:
        assert found.step_seconds(size) == pytest.approx(law.step_seconds(size), rel=1e-6)
        assert found.built_bytes(size) == pytest.approx(law.built_bytes(size), rel=1e-6)
        assert found.peak_bytes(size) == pytest.approx(law.peak_bytes(size), rel=1e-6)


@settings(max_examples=50)
@given(size=SIZES, name=st.sampled_from(["nodes", "links", "width", "depth", "batch", "hidden"]))
def test_more_of_anything_never_takes_less(size: StepSize, name: str, fitted: Fitted) -> None:
    more = replace(size, **{name: 2 * getattr(size, name)})
    assert fitted.step_seconds(more) >= fitted.step_seconds(size)
    assert fitted.peak_bytes(more) >= fitted.peak_bytes(size)


@settings(max_examples=50)
@given(size=SIZES)
def test_ten_times_the_graph_takes_about_ten_times_as_much(size: StepSize, fitted: Fitted) -> None:
    """Caches may make ten times the rows cost a little more, never ten times more."""
    size = replace(size, nodes=100 * size.nodes)
    large = replace(size, nodes=10 * size.nodes, links=10 * size.links, batch=10 * size.batch)
    assert fitted.step_seconds(large) <= 30 * fitted.step_seconds(size)
    assert fitted.peak_bytes(large) <= 10.01 * fitted.peak_bytes(size)


@given(size=SIZES)
def test_terms_have_names_that_are_known(size: StepSize) -> None:
    assert set(terms(size)) <= set(NAMES)
    assert all(value >= 0 for value in terms(size).values())


def test_processes_that_share_columns_need_less_of_everything(fitted: Fitted) -> None:
    size = StepSize(576_289, 30_326_273, 256, 15)
    one, four = (needs(fitted, size, "columns", number) for number in (1, 4))
    assert four.bytes < one.bytes
    assert four.step_seconds < one.step_seconds
    assert one.sent == 0 < four.sent
    pairs = needs(fitted, size, "pairs", 4)
    assert pairs.summed > four.summed  # the vectors of all nodes
    assert one.epoch_seconds == pytest.approx(size.steps * one.step_seconds)


@settings(max_examples=30)
@given(size=SIZES, memory=st.integers(10**9, 10**13), shared=st.sampled_from(BOTH))
def test_the_fewest_processes_fit_and_one_less_does_not(
    size: StepSize, memory: int, shared: Shared, fitted: Fitted
) -> None:
    found = fewest_processes(fitted, size, shared, memory)
    if found is None:
        assert shared == "pairs" or least_bytes(fitted, size) > memory
        return
    assert found.bytes <= memory
    if found.processes > 1:
        with pytest.raises(SettingsError, match="too little"):
            needs(fitted, size, shared, found.processes - 1, memory=memory)


@given(summed=st.integers(0, 10**12), processes=st.integers(1, 1000))
def test_a_ring_sends_at_most_twice_what_is_summed(summed: int, processes: int) -> None:
    sent = sent_bytes(summed, processes)
    assert (sent == 0) == (summed == 0 or processes == 1)
    assert sent <= 2 * summed


def test_by_columns_nothing_that_is_told_grows_with_the_graph() -> None:
    small, large = StepSize(10**4, 10**6, 64, 5), StepSize(10**8, 10**9, 64, 5)
    assert summed_bytes(small, "columns", 8) == summed_bytes(large, "columns", 8)
    assert summed_bytes(large, "pairs", 8) > 1000 * summed_bytes(small, "pairs", 8)


def test_a_thousand_million_links_have_an_answer() -> None:
    size = StepSize(100_000_000, 1_000_000_000, 128, 3)
    found = answer(size, processes=64, memory=256 * 10**9)
    assert found.fewest
    assert all(each.bytes <= 256 * 10**9 for each in found.rows)
    assert 10 < found.fewest[0].step_seconds < 1e5
    assert "processes that share the columns" in " ".join(sentences(found))
    none = answer(size, memory=10**9)
    assert none.rows == []
    assert "No number of processes with 1 GB each is enough" in " ".join(sentences(none))


def test_a_machine_that_takes_longer_takes_longer_for_everything(fitted: Fitted) -> None:
    size = StepSize(10_000, 100_000, 64, 5)
    assert fitted.scaled(2.0).step_seconds(size) == pytest.approx(2 * fitted.step_seconds(size))
    assert fitted.scaled(2.0).peak_bytes(size) == fitted.peak_bytes(size)
