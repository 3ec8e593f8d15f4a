"""Products of rounded factors: whatever the processor has, what is rounded is the same."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from hlgnn.models import dense_product
from hlgnn.models.dense_product import matrix_product, multiplies_bfloat16, rounded_product

LOW = torch.bfloat16
STEP = 2.0**-7
"""The largest relative distance between neighbours in bfloat16."""


def low_matrix(rows: int, columns: int, seed: int) -> Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed)).to(LOW)


@pytest.fixture(params=[True, False], ids=["instructions", "none"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(dense_product, "multiplies_bfloat16", lambda: request.param)
    return bool(request.param)


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 70, 5), (64, 257, 33), (5, 0, 4)])
def test_only_the_factors_and_the_result_are_rounded(way: bool, shape: tuple[int, int, int]) -> None:
    rows, inner, columns = shape
    left, right = low_matrix(rows, inner, 0), low_matrix(inner, columns, 1)
    found, exact = rounded_product(left, right), left.double() @ right.double()
    assert found.dtype is LOW
    sums = left.double().abs() @ right.double().abs()  # what cancels is summed up in single precision
    assert bool(((found.double() - exact).abs() <= STEP / 2 * exact.abs() + 1e-6 * sums).all())


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(0, 99))
def test_both_ways_agree_to_one_rounding(rows: int, inner: int, columns: int, seed: int) -> None:
    left, right = low_matrix(rows, inner, seed), low_matrix(inner, columns, seed + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense_product, "multiplies_bfloat16", lambda: True)
        one = matrix_product(left.float(), right.float(), low=True)
        patch.setattr(dense_product, "multiplies_bfloat16", lambda: False)
        other = matrix_product(left.float(), right.float(), low=True)
    torch.testing.assert_close(one, other, rtol=STEP, atol=1e-5)


def test_whether_there_are_instructions_is_what_torch_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, expected in (({"avx512_bf16": False, "amx_bf16": True}, True), ({"avx512_bf16": False}, False)):
        multiplies_bfloat16.cache_clear()
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda said=said: said)
        assert multiplies_bfloat16() is expected
    multiplies_bfloat16.cache_clear()
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert multiplies_bfloat16()
    multiplies_bfloat16.cache_clear()
