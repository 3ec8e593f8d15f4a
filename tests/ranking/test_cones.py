"""Bounds of inner products hold, and are tight for vectors that point in like directions."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from hlgnn.ranking.cones import make_cones


@given(
    st.integers(0, 1000), st.integers(1, 60), st.integers(1, 7), st.integers(1, 20), st.sampled_from([0, 1e-3, 1, 9])
)
def test_no_inner_product_exceeds_its_bound(seed: int, count: int, width: int, size: int, noise: float) -> None:
    generator = torch.Generator().manual_seed(seed)
    centres = torch.randn(3, width, generator=generator) * 10 ** torch.randn(3, 1, generator=generator)
    group = torch.randint(3, (count,), generator=generator)
    vectors = centres[group] + noise * torch.randn(count, width, generator=generator)
    others = torch.randn(9, width, generator=generator)
    cones = make_cones(vectors, size)
    assert torch.equal(cones.order.sort().values, torch.arange(count))
    assert len(cones.axis) == -(-count // size)
    for right in (others, vectors):
        bounds = cones.bounds(slice(None), right, right.square().sum(dim=1))
        for block, part in enumerate(cones.order.split(size)):
            products = vectors[part].double() @ right.double().T
            assert bool((bounds[block].double() >= products.amax(dim=0)).all())


@pytest.mark.parametrize("factor", [1.0, 5.0])
def test_copies_of_one_vector_have_exact_bounds(factor: float) -> None:
    vector = factor * torch.randn(1, 8, generator=torch.Generator().manual_seed(0))
    others = torch.randn(5, 8, generator=torch.Generator().manual_seed(1))
    cones = make_cones(vector.repeat(7, 1), 4)
    bounds = cones.bounds(slice(None), others, others.square().sum(dim=1))
    assert_close(bounds, (others @ vector[0]).repeat(2, 1), rtol=0, atol=2e-4 * factor)


def test_zeros_have_the_bound_zero() -> None:
    cones = make_cones(torch.zeros(5, 3), 2)
    assert torch.equal(cones.bounds(slice(1, 2), torch.ones(4, 3), torch.full((4,), 3.0)), torch.zeros(1, 4))


def test_groups_stay_together() -> None:
    """Two groups far apart, mixed up: every block holds one of them."""
    group = torch.arange(64) % 2
    noise = torch.randn(64, 4, generator=torch.Generator().manual_seed(0))
    vectors = torch.tensor([[9.0, 0, 0, 0], [0, 9.0, 0, 0]])[group] + 0.1 * noise
    blocks = make_cones(vectors, 8).order.split(8)
    assert all(len(group[block].unique()) == 1 for block in blocks)
