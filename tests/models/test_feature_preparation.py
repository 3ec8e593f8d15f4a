"""Spread of columns, TF-IDF, row lengths, centring and singular vectors, against numpy."""

import itertools

import numpy as np
import pytest
import scipy.sparse
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.preprocessing import StandardScaler

from hlgnn.errors import SettingsError
from hlgnn.models import features
from hlgnn.models.features import FeaturePreparation
from hlgnn.models.settings import InputSettings
from hlgnn.models.sparse_product import sparse_product

COMBINATIONS = list(itertools.product([False, True], [False, True], [False, True], [0, 3]))


def drawn(seed: int = 0, rows: int = 20, columns: int = 6) -> torch.Tensor:
    """Counts, many of them zero; the last row and the last column are empty."""
    counts = torch.poisson(torch.full((rows, columns), 0.7), generator=torch.Generator().manual_seed(seed))
    counts[-1], counts[:, -1] = 0, 0
    return counts


def literal(raw: np.ndarray, *, tf_idf: bool, normalize: bool, centre: bool, svd: int) -> np.ndarray:
    x = raw.astype(np.float64)
    if tf_idf:
        frequency = (raw != 0).sum(axis=0)
        x = x * np.log(len(raw) / np.maximum(frequency, 1))
    if normalize:
        length = np.linalg.norm(x, axis=1, keepdims=True)
        x = x / np.where(length > 0, length, 1)
    if centre:
        x = x - x.mean(axis=0)
    if svd:
        _, _, vectors = np.linalg.svd(x, full_matrices=False)
        x = x @ vectors[:svd].T
    return x


def gram(x: np.ndarray) -> np.ndarray:
    """What singular vectors determine: signs of columns are free."""
    return x @ x.T


@pytest.mark.parametrize(("tf_idf", "normalize", "centre", "svd"), COMBINATIONS)
def test_against_numpy(tf_idf: bool, normalize: bool, centre: bool, svd: int) -> None:
    raw, chosen = drawn(), {"tf_idf": tf_idf, "normalize": normalize, "centre": centre, "svd": svd}
    preparation, expected = FeaturePreparation(raw, InputSettings(**chosen)), literal(raw.numpy(), **chosen)
    actual = preparation(raw)
    assert isinstance(actual, torch.Tensor)
    assert actual.dtype == torch.float32
    assert actual.shape == expected.shape == (20, preparation.width)
    if svd:
        np.testing.assert_allclose(gram(actual.double().numpy()), gram(expected), atol=1e-4)
        np.testing.assert_allclose(np.linalg.norm(actual, axis=0), np.linalg.norm(expected, axis=0), rtol=1e-4)
    else:
        np.testing.assert_allclose(actual.numpy(), expected, atol=1e-5)
    sparse = preparation(scipy.sparse.csr_array(raw.numpy()))
    assert isinstance(sparse, torch.Tensor) == (centre or svd > 0)
    dense = sparse.numpy() if isinstance(sparse, torch.Tensor) else sparse.toarray()
    np.testing.assert_array_equal(dense, actual.numpy())


@pytest.mark.parametrize(("tf_idf", "normalize", "centre", "svd"), COMBINATIONS)
def test_new_nodes_are_treated_as_those_that_were_fitted(tf_idf: bool, normalize: bool, centre: bool, svd: int) -> None:
    raw, chosen = drawn(), InputSettings(tf_idf=tf_idf, normalize=normalize, centre=centre, svd=svd)
    preparation = FeaturePreparation(raw, chosen)
    np.testing.assert_allclose(preparation(raw[3:7]).numpy(), preparation(raw)[3:7].numpy(), atol=1e-6)
    other = FeaturePreparation(drawn(1), chosen)
    other.load_state_dict(preparation.state_dict())
    assert torch.equal(other(raw), preparation(raw))


@pytest.mark.parametrize("sparse", [False, True])
def test_what_is_given_is_left_as_it_is(sparse: bool) -> None:
    raw = drawn()
    given_features = scipy.sparse.csr_array(raw.numpy()) if sparse else raw.clone()
    FeaturePreparation(given_features, InputSettings(tf_idf=True, normalize=True, centre=True, svd=2))(given_features)
    np.testing.assert_array_equal(given_features.toarray() if sparse else given_features.numpy(), raw.numpy())


def test_nothing_asked_for_is_nothing_done() -> None:
    raw = drawn()
    preparation = FeaturePreparation(raw, InputSettings())
    assert torch.equal(preparation(raw), raw)
    assert preparation(raw).data_ptr() == raw.data_ptr()  # a large table is not copied
    assert preparation.state_dict() == {}


@pytest.mark.parametrize(("tf_idf", "normalize", "centre", "svd"), COMBINATIONS)
def test_blocks_of_rows_do_not_matter(
    tf_idf: bool, normalize: bool, centre: bool, svd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, chosen = drawn(), InputSettings(tf_idf=tf_idf, normalize=normalize, centre=centre, svd=svd)
    preparation = FeaturePreparation(raw, chosen)
    whole = preparation(raw)
    monkeypatch.setattr(features, "ROWS_AT_ONCE", 3)
    torch.testing.assert_close(preparation(raw), whole)
    assert preparation(raw[:0]).shape == (0, preparation.width)


@pytest.mark.parametrize("sparse", [False, True])
def test_columns_of_the_same_spread_against_scikit_learn(sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "ROWS_AT_ONCE", 7)
    raw = torch.randn(20, 6, generator=torch.Generator().manual_seed(0)) * torch.tensor([1e-3, 1.0, 5.0, 9e4, 1.0, 2.0])
    raw[:, 1] += 1e4  # years, say
    raw[:, 4] = 1.1  # says nothing, and has no exact mean
    expected = StandardScaler().fit_transform(raw.double().numpy())
    expected[:, 4] = 0
    given_features = scipy.sparse.csr_array(raw.numpy()) if sparse else raw
    preparation = FeaturePreparation(given_features, InputSettings(standardize=True))
    actual = preparation(given_features)
    assert isinstance(actual, torch.Tensor)
    np.testing.assert_allclose(actual.numpy(), expected, atol=2e-3)
    np.testing.assert_allclose(preparation(given_features[3:7]), actual[3:7], atol=1e-6)


@pytest.mark.parametrize(("normalize", "centre", "svd"), sorted({each[1:] for each in COMBINATIONS}))
def test_units_of_columns_do_not_matter(normalize: bool, centre: bool, svd: int) -> None:
    raw = torch.randn(20, 6, generator=torch.Generator().manual_seed(1))
    chosen = InputSettings(standardize=True, normalize=normalize, centre=centre, svd=svd)
    other = raw * torch.tensor([1.0, 12.0, 1e-3, 2e4, 0.5, 60.0]) + torch.tensor([0.0, 40.0, 1.0, 5e4, -3.0, 0.0])
    found, expected = (FeaturePreparation(each, chosen)(each).numpy() for each in (other, raw))
    np.testing.assert_allclose(gram(found), gram(expected), atol=1e-2 if svd else 2e-3)


def test_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(
        SettingsError, match=r"input\.svd: Features of shape \(20, 6\) have no 7 singular vectors.*at most 6"
    ):
        FeaturePreparation(drawn(), InputSettings(svd=7))
    with pytest.raises(SettingsError, match="made for 6 features, but the graph has 5"):
        FeaturePreparation(drawn(), InputSettings())(drawn()[:, :5])


@settings(max_examples=30)
@given(rows=st.integers(1, 8), columns=st.integers(1, 5), width=st.integers(1, 4), seed=st.integers(0, 99))
def test_the_sparse_product_and_its_gradient(rows: int, columns: int, width: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    x = torch.relu(torch.randn(rows, columns, generator=generator, dtype=torch.float64))
    weight = torch.randn(columns, width, generator=generator, dtype=torch.float64).requires_grad_()
    product, expected = sparse_product(scipy.sparse.csr_array(x.numpy()), weight), x @ weight
    torch.testing.assert_close(product, expected)
    upstream = torch.randn(rows, width, generator=generator, dtype=torch.float64)
    actual, wanted = (torch.autograd.grad(each, weight, upstream)[0] for each in (product, expected))
    torch.testing.assert_close(actual, wanted)
    summed = sparse_product(scipy.sparse.csr_array(x.numpy()), weight).sum()  # its gradient has no memory of its own
    torch.testing.assert_close(torch.autograd.grad(summed, weight)[0], x.sum(dim=0)[:, None].expand(-1, width))
