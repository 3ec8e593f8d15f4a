"""Labels and numbers of nodes are two names for one thing."""

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.errors import GraphFormatError
from hlgnn.graph.node_ids import NodeIds

INTEGERS = st.lists(st.integers(-(2**63), 2**63 - 1), unique=True, max_size=20)
WORDS = st.lists(st.text(min_size=1, max_size=8), unique_by=str.strip, max_size=20).map(
    lambda words: [word for word in words if word.strip()]
)
LABELS = st.one_of(INTEGERS, WORDS)


@given(labels=LABELS)
def test_find_undoes_getitem(labels: list[str] | list[int]) -> None:
    ids = NodeIds.from_labels(labels)
    assert len(ids) == len(labels)
    assert list(ids) == labels == [ids[i] for i in range(len(ids))]
    assert ids.find(labels).tolist() == list(range(len(labels)))
    assert ids.index(ids.to_arrow()).tolist() == list(range(len(labels)))
    assert ids.find(labels).dtype == np.int64


@given(labels=LABELS, data=st.data())
def test_take_keeps_labels(labels: list[str] | list[int], data: st.DataObject) -> None:
    ids = NodeIds.from_labels(labels)
    chosen = data.draw(st.permutations(range(len(labels))))[: data.draw(st.integers(0, len(labels)))]
    taken = ids.take(np.array(chosen, np.int64))
    assert list(taken) == [labels[i] for i in chosen]
    assert taken.find(labels).tolist() == [chosen.index(i) if i in chosen else -1 for i in range(len(labels))]


@given(numbers=INTEGERS)
def test_text_and_integers_find_each_other(numbers: list[int]) -> None:
    everywhere = list(range(len(numbers)))
    assert NodeIds.from_labels(numbers).find([str(number) for number in numbers]).tolist() == everywhere
    assert (
        NodeIds.from_labels([str(number) for number in numbers]).find(np.array(numbers, np.int64)).tolist()
        == everywhere
    )


def test_only_the_usual_spelling_of_an_integer_finds_it() -> None:
    ids = NodeIds.from_labels([12, 0, -3])
    assert ids.find(["12", "0", "-3"]).tolist() == [0, 1, 2]
    assert ids.find(["012", "-0", "+12", " 12", "1e1", "", "12.0", "9" * 30]).tolist() == [-1] * 8
    assert NodeIds.range(5).find(["4", "5", "-1", "04"]).tolist() == [4, -1, -1, -1]


def test_text_beyond_64_bits_finds_nothing() -> None:
    ids = NodeIds.from_labels([-(2**63), 2**63 - 1])
    assert ids.find([str(-(2**63)), str(2**63 - 1)]).tolist() == [0, 1]
    assert ids.find([str(2**63), str(-(2**63) - 1), str(2**64 - 1)]).tolist() == [-1, -1, -1]


def test_mixed_labels_are_matched_by_their_text() -> None:
    assert NodeIds.from_labels(["7", "x"]).find([7, "x", 8]).tolist() == [0, 1, -1]


def test_range_is_the_integers_it_stands_for() -> None:
    ids = NodeIds.range(3)
    assert ids == NodeIds.from_labels([0, 1, 2]) == NodeIds.from_labels(np.arange(3))
    assert ids.fingerprint == NodeIds.from_labels([0, 1, 2]).fingerprint
    assert list(ids) == [0, 1, 2]
    assert ids.find(np.array([2, 3, -1])).tolist() == [2, -1, -1]
    assert ids.take([2, 0]) == NodeIds.from_labels([2, 0])


@given(first=LABELS, second=LABELS)
def test_equal_labels_equal_fingerprints(first: list[str] | list[int], second: list[str] | list[int]) -> None:
    one, two = NodeIds.from_labels(first), NodeIds.from_labels(second)
    same = list(one) == list(two) and (one.are_text == two.are_text or not first)
    if one.are_text == two.are_text:
        assert (one == two) == same == (one.fingerprint == two.fingerprint)
    if one == two:
        assert hash(one) == hash(two)


def test_text_is_not_a_number() -> None:
    assert NodeIds.from_labels(["1", "2"]) != NodeIds.from_labels([1, 2])
    assert NodeIds.range(2) != [0, 1]


def test_fingerprints_do_not_depend_on_memory() -> None:
    labels = pa.array(["x", "ab", "c", "y"]).slice(1, 2)
    assert NodeIds.from_labels(labels).fingerprint == NodeIds.from_labels(["ab", "c"]).fingerprint
    assert (
        NodeIds.from_labels(labels.cast(pa.large_string())).fingerprint == NodeIds.from_labels(["ab", "c"]).fingerprint
    )
    assert NodeIds.from_labels(["a", "bc"]).fingerprint != NodeIds.from_labels(["ab", "c"]).fingerprint
    assert len(bytes.fromhex(NodeIds.range(0).fingerprint)) == hashlib.sha256().digest_size


def test_getitem_counts_from_the_end_and_stops() -> None:
    ids = NodeIds.from_labels(["a", "b"])
    assert ids[-1] == "b"
    for beyond in (2, -3):
        with pytest.raises(IndexError):
            ids[beyond]


def test_unknown_labels_are_named() -> None:
    with pytest.raises(GraphFormatError, match=r"no node 'x', 'y', 'z', … \(4 in all\)") as caught:
        NodeIds.from_labels(["a"]).index(["a", "x", "y", "z", "w"])
    assert "'a'" in caught.value.hint
    with pytest.raises(GraphFormatError, match="no node 3"):
        NodeIds.range(3).index([0, 3])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "b", "a"], "same label 'a'"),
        ([1, 2, 1], "same label 1"),
        (["ann", "bob", "ann "], "'ann' and 'ann '"),
        (["a", None], "no label"),
        ([0.5, 1.5], "text or integers"),
        ([True, False], "text or integers"),
        ([2**64], "text or integers"),
        (["a", ""], "empty"),
        (["a", " "], "empty"),
    ],
)
def test_bad_labels(labels: list[object], message: str) -> None:
    with pytest.raises(GraphFormatError, match=message):
        NodeIds.from_labels(labels)  # type: ignore[arg-type]


def test_unknown_none() -> None:
    assert NodeIds.from_labels(["a"]).find(["a", None]).tolist() == [0, -1]  # type: ignore[list-item]
    assert NodeIds.range(0).find([0]).tolist() == NodeIds.from_labels(["a"]).find([0]).tolist() == [-1]
