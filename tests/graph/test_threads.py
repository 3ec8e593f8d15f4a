"""Work that is cut into parts: each place once, and one part where threads do not pay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hlgnn.graph.threads import num_threads, run_spans


def places(known: list[int], start: int, stop: int) -> list[int]:
    return known[start:stop]


@given(length=st.integers(0, 50), fewest=st.integers(0, 60))
def test_every_place_is_done_once_and_in_order(length: int, fewest: int) -> None:
    known = list(range(length))
    parts = run_spans(places, (known,), length, fewest=fewest)
    assert [place for part in parts for place in part] == known
    assert len(parts) == min(length, num_threads() if length >= fewest else 1)
