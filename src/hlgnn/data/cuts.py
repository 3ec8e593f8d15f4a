"""Cutting the links of a graph into parts for training, validation and testing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

from hlgnn.errors import SplitError

if TYPE_CHECKING:
    from torch import Tensor


class Cut(NamedTuple):
    """Positions in ``graph.links`` of the links of each part, ascending."""

    train: Tensor
    valid: Tensor
    test: Tensor


def random_cut(num_links: int, valid: float, test: float, generator: torch.Generator) -> Cut:
    """A random partition; the parts for validation and testing are rounded down."""
    num_valid, num_test = int(num_links * valid), int(num_links * test)
    if min(num_valid, num_test, num_links - num_valid - num_test) < 1:
        raise SplitError(
            f"{num_links} links are too few: {valid:.0%} for validation and {test:.0%} for testing "
            f"would be {num_valid} and {num_test} links.",
            hint="A graph needs at least one link in each part; use a larger graph or larger parts.",
        )
    shuffled = torch.randperm(num_links, generator=generator)
    parts = shuffled.split([num_valid, num_test, num_links - num_valid - num_test])
    return Cut(train=parts[2].sort().values, valid=parts[0].sort().values, test=parts[1].sort().values)


def time_cut(time: Tensor, valid: float, test: float) -> Cut:
    """The newest links for testing, those before them for validation; links of the same time stay together.  (M,)"""
    ascending = time.sort().values
    num_links = len(time)
    num_test, num_valid = int(num_links * test), int(num_links * valid)
    if min(num_test, num_valid) < 1:
        raise SplitError(
            f"{num_links} links are too few: {valid:.0%} for validation and {test:.0%} for testing "
            f"would be {num_valid} and {num_test} links.",
            hint="Use a larger graph or larger parts.",
        )
    test_from = ascending[num_links - num_test]
    earlier = ascending[ascending < test_from]
    valid_from = earlier[-num_valid] if len(earlier) >= num_valid else test_from
    cut = Cut(
        train=(time < valid_from).nonzero().flatten(),
        valid=((time >= valid_from) & (time < test_from)).nonzero().flatten(),
        test=(time >= test_from).nonzero().flatten(),
    )
    if min(map(len, cut)) < 1:
        raise SplitError(
            f"The links have {len(time.unique())} different times, so that the newest {test:.0%} and the "
            f"{valid:.0%} before them cannot be told apart.",
            hint="Use a finer time column, or a protocol that cuts at random.",
        )
    return cut
