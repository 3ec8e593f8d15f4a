"""The fused aggregation beside a dense formula, forth and back."""

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.baselines.nbfnet.aggregation import aggregate
from hlgnn.baselines.nbfnet.pattern import Pattern


def drawn_pattern(rows: int, table: int, seed: int) -> Pattern:
    """Every row receives between one and six messages."""
    draw = np.random.default_rng(seed)
    lists = [draw.permutation(table)[: draw.integers(1, min(6, table) + 1)] for _ in range(rows)]
    offset = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    column = np.concatenate([*lists, np.empty(0, np.int64)]).astype(np.int32)
    nothing = torch.zeros(rows, dtype=torch.int64)
    return Pattern(offset, column, nothing, nothing)


def dense(table: torch.Tensor, pattern: Pattern) -> torch.Tensor:
    rows = []
    for start, stop in zip(pattern.offset[:-1], pattern.offset[1:], strict=True):
        m = table[torch.from_numpy(pattern.column[start:stop]).long()]  # (messages, D)
        variance = m.square().mean(dim=0) - m.mean(dim=0).square()
        rows.append(torch.cat([m.sum(dim=0), m.amax(dim=0), m.amin(dim=0), variance.clamp(min=1e-6).sqrt()]))
    return torch.stack(rows)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(1, 9), st.integers(1, 5), st.integers(0, 99))
def test_it_is_the_dense_formula_and_so_is_its_gradient(rows: int, size: int, width: int, seed: int) -> None:
    pattern = drawn_pattern(rows, size, seed)
    draw = torch.Generator().manual_seed(seed)
    table = torch.randn(size, width, dtype=torch.float64, generator=draw).requires_grad_()
    weight = torch.randn(rows, 4 * width, dtype=torch.float64, generator=draw)
    torch.testing.assert_close(aggregate(table, pattern), dense(table, pattern))
    (ours,) = torch.autograd.grad((aggregate(table, pattern) * weight).sum(), table)
    (theirs,) = torch.autograd.grad((dense(table, pattern) * weight).sum(), table)
    torch.testing.assert_close(ours, theirs)


def test_its_gradient_is_that_of_differences() -> None:
    pattern = drawn_pattern(7, 8, 3)
    table = torch.randn(8, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: aggregate(x, pattern), (table,))


def test_several_threads_give_the_same_as_one() -> None:
    pattern = drawn_pattern(6000, 50, 1)
    table = torch.randn(50, 32, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    assert len(pattern.column) * 32 > 1 << 19
    torch.testing.assert_close(aggregate(table, pattern), dense(table, pattern))
    grads = [torch.autograd.grad(aggregate(table, pattern).sum(), table)[0] for _ in range(2)]
    assert torch.equal(*grads)
    torch.testing.assert_close(grads[0], torch.autograd.grad(dense(table, pattern).sum(), table)[0])
