"""Negatives kept as targets are the pairs that they stand for."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.data import LinkSet
from hlgnn.data.own_targets import OwnTargets
from hlgnn.errors import SplitError


@settings(max_examples=40)
@given(count=st.integers(0, 6), own=st.integers(1, 5), at_once=st.integers(1, 40), seed=st.integers(0, 99))
def test_the_same_as_a_set_of_pairs(count: int, own: int, at_once: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    positive, target = (torch.randint(100, (count, width), generator=generator) for width in (2, own))
    pairs = torch.stack([positive[:, :1].expand(-1, own), target], dim=2)
    kept, plain = OwnTargets(positive, target.int()), LinkSet(positive, pairs)
    assert torch.equal(kept.negative.long(), pairs)
    assert kept.own_negatives
    assert plain.own_negatives
    assert kept.negatives_per_ranking == plain.negatives_per_ranking == own
    assert kept.negative_shape == plain.negative_shape == (count, own)
    for links in (kept, plain):
        blocks = list(links.own_blocks(at_once))
        assert all(block.shape[:-1].numel() <= max(at_once, own) for block in blocks)
        assert torch.equal(torch.cat([pairs[:0], *blocks]).long(), pairs)


def test_pairs_are_never_all_there() -> None:
    """The largest tensor that is kept is that of the targets."""
    links = OwnTargets(torch.zeros(10, 2, dtype=torch.int64), torch.zeros(10, 1000, dtype=torch.int32))
    kept = [value for value in vars(links).values() if isinstance(value, torch.Tensor)]
    assert sum(value.nbytes for value in kept) == 10 * 2 * 8 + 10 * 1000 * 4


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(SplitError, match=r"2 positives cannot have 3 rows"):
        OwnTargets(torch.zeros(2, 2), torch.zeros(3, 5))
    with pytest.raises(SplitError, match=r"\(P, K\), not \(2,\)"):
        OwnTargets(torch.zeros(2, 2), torch.zeros(2))
    with pytest.raises(SplitError, match=r"\(P, 2\), not \(2, 3\)"):
        OwnTargets(torch.zeros(2, 3), torch.zeros(2, 5))
