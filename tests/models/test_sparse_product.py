"""A sparse matrix times a table: the dense product, and its gradient."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array
from torch.testing import assert_close

from hlgnn.models import sparse_product as module
from hlgnn.models.sparse_product import sparse_product


def drawn_matrix(rows: int, columns: int, share: float, seed: int, dtype: type = np.float32) -> csr_array:
    found = random_array((rows, columns), density=share, format="csr", rng=np.random.default_rng(seed))
    return csr_array(found.astype(dtype))


@given(
    st.integers(0, 30),
    st.integers(1, 30),
    st.integers(1, 40),
    st.sampled_from([0.0, 0.1, 0.6, 1.0]),
    st.sampled_from([np.float32, np.float64]),
    st.integers(0, 9),
)
def test_it_is_the_dense_product(rows: int, columns: int, width: int, share: float, dtype: type, seed: int) -> None:
    x, generator = drawn_matrix(rows, columns, share, seed, dtype), torch.Generator().manual_seed(seed)
    kind = torch.from_numpy(np.empty(0, dtype)).dtype
    weight = torch.randn(width, columns, generator=generator, dtype=kind).T.requires_grad_()  # strides of a transpose
    into = torch.randn(rows, width, generator=generator, dtype=kind)
    found, dense = sparse_product(x, weight), torch.from_numpy(x.toarray())
    assert_close(found, dense @ weight, rtol=1e-4, atol=1e-5)
    (gradient,) = torch.autograd.grad((found * into).sum(), weight)
    assert_close(gradient, dense.T @ into, rtol=1e-4, atol=1e-5)


def test_entries_of_another_precision_are_multiplied_as_well() -> None:
    x, weight = drawn_matrix(9, 7, 0.5, 0, np.float64), torch.ones(7, 16)
    assert_close(sparse_product(x, weight).double(), torch.from_numpy(x.toarray()).sum(1)[:, None].expand(9, 16))


def test_entries_of_one_place_are_summed() -> None:
    x = csr_array((np.arange(1, 6, dtype=np.float32), np.array([2, 2, 0, 2, 2]), np.array([0, 3, 5])), shape=(2, 3))
    weight = torch.randn(3, 16).requires_grad_()
    into = torch.randn(2, 16)
    (gradient,) = torch.autograd.grad(sparse_product(x, weight), weight, into)
    assert_close(gradient, torch.tensor([[3.0, 0.0], [0.0, 0.0], [3.0, 9.0]]) @ into)


def test_nothing_depends_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    x, weight = drawn_matrix(400, 300, 0.1, 0), torch.randn(300, 24).requires_grad_()

    def found() -> list[torch.Tensor]:
        product = sparse_product(x, weight)
        return [product.detach(), *torch.autograd.grad(product.square().sum(), weight)]

    monkeypatch.setattr(module, "num_threads", lambda: 1)
    alone = found()
    monkeypatch.setattr(module, "num_threads", lambda: 3)
    monkeypatch.setattr(module, "SINGLE_THREADED", 0)
    for one, three in zip(alone, found(), strict=True):
        assert torch.equal(one, three)
