"""Codes and unique ids equal what a dictionary and a sort give, whatever the layout of the strings in memory."""

from __future__ import annotations

import itertools
import uuid

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.errors import GraphFormatError
from hlgnn.graph.encode_ids import ALL_BITS, encode, encode_with
from hlgnn.graph.string_order import sort_order

TEXT = st.one_of(
    st.text(max_size=20),
    st.text(alphabet="ab\0", max_size=12),
    st.integers(-20, 120).map(str),
    st.integers(0, 10**7).map(lambda number: f"user_{number}"),
    st.sampled_from(["", "0", "-0", "00", "007", "+1", "1_0", "9223372036854775807", "9223372036854775808", "\xa0"]),
)
COLUMNS = st.integers(0, 30).flatmap(lambda size: st.tuples(*[st.lists(TEXT, min_size=size, max_size=size)] * 2))


def model(columns: list[list[str]]) -> tuple[list[list[int]], list[str] | list[int]]:
    unique: list[str] = sorted({text for column in columns for text in column}, key=str.encode)
    try:
        canonical = bool(unique) and all(str(int(text)) == text and -(2**63) <= int(text) < 2**63 for text in unique)
    except ValueError:
        canonical = False
    if canonical:
        unique.sort(key=int)
    code = {text: position for position, text in enumerate(unique)}
    codes = [[code[text] for text in column] for column in columns]
    return codes, [int(text) for text in unique] if canonical else unique


def agree(columns: list[list[str]], arrays: list[pa.ChunkedArray], mask: np.uint64 = ALL_BITS) -> None:
    codes, ids = encode_with(mask, arrays)
    assert ([column.tolist() for column in codes], ids.to_pylist()) == model(columns)
    assert all(column.dtype == np.int32 for column in codes)


@given(columns=COLUMNS, kind=st.sampled_from([pa.string(), pa.large_string(), pa.binary(), pa.large_binary()]))
def test_codes_are_those_of_a_dictionary(columns: tuple[list[str], ...], kind: pa.DataType) -> None:
    arrays = [
        pa.chunked_array([pa.array([text.encode() for text in column], pa.binary())]).cast(kind) for column in columns
    ]
    agree(list(columns), arrays)


@given(columns=COLUMNS, mask=st.sampled_from([0, 2, 6, 2**60]))
def test_strings_that_share_a_hash_stay_apart(columns: tuple[list[str], ...], mask: int) -> None:
    agree(list(columns), [pa.chunked_array([pa.array(column, pa.string())]) for column in columns], np.uint64(mask))


def test_a_shared_hash_is_noticed_by_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    slow: list[int] = []
    import hlgnn.graph.encode_ids as module

    original = module._encode_slowly
    monkeypatch.setattr(module, "_encode_slowly", lambda chunks: (slow.append(1), original(chunks))[1])
    texts = ["a" * 30, "b" * 30]
    agree([texts], [pa.chunked_array([texts])], np.uint64(0))
    assert slow
    slow.clear()
    agree([texts], [pa.chunked_array([texts])])
    assert not slow


def test_a_short_string_never_shares_the_hash_of_a_long_one() -> None:
    chunks = [["a" * 12], [""]]  # the empty string mixes to zero, and so does the mask
    agree([["a" * 12, ""]], [pa.chunked_array(chunks)], np.uint64(0))


@pytest.mark.parametrize("texts", [["", "\0", "\0\0"], ["a", "a\0"], ["user_1", "user_", "user_\0", "user_1\0"]])
def test_zero_bytes_count(texts: list[str]) -> None:
    agree([texts], [pa.chunked_array([texts])])


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**19 - 1, 10**19])
def test_integers_end_at_64_bits(number: int) -> None:
    agree([[str(number), "5"]], [pa.chunked_array([[str(number), "5"]])])


@given(texts=st.lists(TEXT, min_size=1, max_size=40), data=st.data())
def test_slices_and_chunks_do_not_matter(texts: list[str], data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(texts)), max_size=4)))
    bounds = [0, *cuts, len(texts)]
    padded = pa.array(["before", *texts, "after"])
    chunks = [padded.slice(1 + low, high - low) for low, high in itertools.pairwise(bounds)]
    agree([texts], [pa.chunked_array(chunks, pa.string())])


@given(texts=st.lists(TEXT, max_size=40), seed=st.integers(0, 5))
def test_the_order_of_rows_does_not_change_the_ids(texts: list[str], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(texts))
    (codes,), ids = encode([pa.chunked_array([texts], pa.string())])
    (shuffled,), again = encode([pa.chunked_array([[texts[i] for i in order]], pa.string())])
    assert ids.equals(again)
    assert shuffled.tolist() == codes[order].tolist()


@given(texts=st.lists(TEXT, unique=True, max_size=60))
def test_sort_order_is_the_order_of_bytes(texts: list[str]) -> None:
    order = sort_order(pa.array(texts, pa.string()))
    assert [texts[i] for i in order] == sorted(texts, key=str.encode)


@pytest.mark.parametrize("make", [str, "user_{}".format, lambda i: str(uuid.UUID(int=(i * 2**64) ^ (i // 7)))])
def test_tables_grow(make: object) -> None:
    rng = np.random.default_rng(0)
    names = [make(int(number)) for number in rng.integers(0, 10**9, 30_000)]  # type: ignore[operator]
    columns = [[names[i] for i in rng.integers(0, len(names), 60_000)] for _ in range(2)]
    agree(columns, [pa.chunked_array([column[:10_000], column[10_000:]]) for column in columns])


def test_no_rows_and_no_chunks() -> None:
    codes, ids = encode([pa.chunked_array([], pa.string()), pa.chunked_array([[]], pa.string())])
    assert [len(column) for column in codes] == [0, 0]
    assert len(ids) == 0


def test_more_ids_than_codes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlgnn.graph.encode_ids.MOST_CODES", 2)
    with pytest.raises(GraphFormatError, match="too many different ids"):
        encode([pa.chunked_array([["a", "b", "c"] * 3])])


def test_nulls_are_refused() -> None:
    with pytest.raises(GraphFormatError, match="missing"):
        encode([pa.chunked_array([["a", None]])])


def test_bytes_that_are_not_text_are_refused() -> None:
    with pytest.raises(pa.ArrowInvalid):
        encode([pa.chunked_array([pa.array([b"a", b"\xff"])])])
