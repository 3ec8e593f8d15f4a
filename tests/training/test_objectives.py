"""Losses against loops over single pairs."""

import math
from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.training.objectives import OBJECTIVES

Pairwise = Callable[[float, float, float], float]
SCORES = st.floats(-30, 30)


def log_sigmoid(x: float) -> float:
    return min(x, 0.0) - math.log1p(math.exp(-abs(x)))


# (score of a positive, of one of its negatives, margin) -> the loss of the two; the objective is the mean of all.
PAIRWISE: dict[str, Pairwise] = {
    "bce": lambda high, low, _: -log_sigmoid(high) - log_sigmoid(-low),
    "squared-auc": lambda high, low, _: (1 - high + low) ** 2,
    "hinge-auc": lambda high, low, _: max(0.0, 1 - high + low) ** 2,
    "adaptive-hinge-auc": lambda high, low, margin: margin * max(0.0, margin - high + low) ** 2,  # Eq. 4
    "log-rank": lambda high, low, _: -log_sigmoid(high - low),
}


def tensors(count: int, negatives: int, seed: int, scale: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    positive = scale * torch.randn(count, generator=generator, dtype=torch.float64)
    negative = scale * torch.randn(count, negatives, generator=generator, dtype=torch.float64)
    return positive, negative, 2 * torch.rand(count, generator=generator, dtype=torch.float64)


def test_every_objective_is_written_out_here() -> None:
    assert set(PAIRWISE) == set(OBJECTIVES)


@pytest.mark.parametrize("name", list(PAIRWISE))
@settings(max_examples=25)
@given(
    count=st.integers(1, 5), negatives=st.integers(1, 4), seed=st.integers(0, 999), scale=st.sampled_from([0.1, 1, 20])
)
def test_the_mean_over_all_pairs(name: str, count: int, negatives: int, seed: int, scale: float) -> None:
    positive, negative, margin = tensors(count, negatives, seed, scale)
    total = 0.0
    for i in range(count):
        for k in range(negatives):
            total += PAIRWISE[name](float(positive[i]), float(negative[i, k]), float(margin[i]))
    loss = OBJECTIVES[name](positive, negative, margin)
    assert loss.shape == ()
    assert float(loss) == pytest.approx(total / (count * negatives), rel=1e-9)


@pytest.mark.parametrize("name", list(PAIRWISE))
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    positive, negative, margin = tensors(4, 3, 0, 1.0)
    torch.autograd.gradcheck(
        lambda high, low: OBJECTIVES[name](high, low, margin), (positive.requires_grad_(), negative.requires_grad_())
    )


@settings(max_examples=25)
@given(seed=st.integers(0, 999))
def test_with_margins_of_one_the_adaptive_hinge_is_the_hinge(seed: int) -> None:
    positive, negative, _ = tensors(5, 3, seed, 1.0)
    one = torch.ones(5, dtype=torch.float64)
    adaptive, hinge = (OBJECTIVES[name](positive, negative, one) for name in ("adaptive-hinge-auc", "hinge-auc"))
    assert torch.equal(adaptive, hinge)


def test_links_without_margin_teach_nothing() -> None:
    positive, negative, _ = tensors(5, 3, 0, 1.0)
    assert float(OBJECTIVES["adaptive-hinge-auc"](positive, negative, torch.zeros(5))) == 0.0


@pytest.mark.parametrize("name", ["hinge-auc", "adaptive-hinge-auc"])
def test_a_hinge_leaves_alone_what_is_far_enough_apart(name: str) -> None:
    positive, negative = torch.full((3,), 5.0, requires_grad=True), torch.zeros(3, 2)
    loss = OBJECTIVES[name](positive, negative, torch.ones(3))
    loss.backward()
    assert loss.item() == 0.0
    assert positive.grad is not None
    assert (positive.grad == 0).all()
    assert float(OBJECTIVES["squared-auc"](positive, negative, torch.ones(3)).detach()) == 16.0


@pytest.mark.parametrize("name", ["bce", "log-rank"])
@pytest.mark.parametrize("size", [50.0, 200.0, 1e4])
def test_saturated_logits_on_the_wrong_side_keep_their_gradient(name: str, size: float) -> None:
    """In single precision, where σ(s) is exactly 0 or 1 and its logarithm would be infinite."""
    positive, negative = torch.full((2,), -size, requires_grad=True), torch.full((2, 1), size, requires_grad=True)
    loss = OBJECTIVES[name](positive, negative, torch.ones(2))
    loss.backward()
    assert float(loss.detach()) == pytest.approx(2 * size)
    assert positive.grad is not None
    assert negative.grad is not None
    assert positive.grad.tolist() == [-0.5, -0.5]
    assert negative.grad.tolist() == [[0.5], [0.5]]


@pytest.mark.parametrize("name", [name for name in PAIRWISE if name != "bce"])
def test_losses_of_ranks_do_not_change_when_all_scores_shift(name: str) -> None:
    positive, negative, margin = tensors(4, 3, 0, 1.0)
    shifted = OBJECTIVES[name](positive + 8, negative + 8, margin)
    assert float(shifted) == pytest.approx(float(OBJECTIVES[name](positive, negative, margin)))
