"""Scores of pairs of representations."""

import pytest
import torch
from torch.nn.functional import cosine_similarity
from torch.testing import assert_close

from hlgnn.models import CosineHead, DiagonalHead, DotHead, HeadSettings, MLPHead, ResidualHead, build_head

KINDS = {"mlp": MLPHead, "dot": DotHead, "residual": ResidualHead, "cosine": CosineHead, "diagonal": DiagonalHead}


def pairs(count: int = 50, width: int = 6) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    return torch.randn(count, width, generator=generator), torch.randn(count, width, generator=generator)


def head(**chosen: object) -> torch.nn.Module:
    return build_head(6, HeadSettings(**chosen), torch.Generator().manual_seed(0), torch.Generator().manual_seed(1))


@pytest.mark.parametrize("kind", list(KINDS))
def test_symmetric_in_the_two_ends(kind: str) -> None:
    left, right = pairs()
    made = head(kind=kind, hidden=8, layers=3)
    assert isinstance(made, KINDS[kind])
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, generator=torch.Generator().manual_seed(2))
    assert made(left, right).shape == (50,)
    assert torch.equal(made(left, right), made(right, left))


def test_dot() -> None:
    left, right = pairs()
    assert_close(head(kind="dot")(left, right), (left @ right.T).diag())
    assert list(head(kind="dot").parameters()) == []


def test_cosine_and_diagonal_are_written_out() -> None:
    left, right = pairs()
    cosine, diagonal = head(kind="cosine", cosine_scale=3.0), head(kind="diagonal")
    assert_close(cosine(left, right), 3.0 * cosine_similarity(left, right) + cosine.shift)
    assert set(diagonal.weight.sign().tolist()) == {-1.0, 1.0}
    assert_close(diagonal(left, right), (left @ torch.diag(diagonal.weight) @ right.T).diag())


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_the_perceptron_is_written_out(layers: int) -> None:
    left, right = pairs()
    made = head(kind="mlp", hidden=8, layers=layers)
    weights = list(made.parameters())
    assert len(weights) == 2 * layers
    x = left * right
    for level in range(layers):
        x = x @ weights[2 * level].T + weights[2 * level + 1]
        x = torch.relu(x) if level < layers - 1 else x
    assert_close(made(left, right), x[:, 0])


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_the_residual_head_starts_as_the_cosine(layers: int) -> None:
    left, right = pairs()
    made = head(kind="residual", hidden=8, layers=layers, cosine_scale=7.0)
    unit_left, unit_right = (torch.nn.functional.normalize(each, dim=-1) for each in (left, right))
    cosine = (unit_left * unit_right).sum(dim=-1)
    scores = made(left, right)
    assert torch.equal(scores, 7.0 * cosine + made.shift)
    assert torch.equal(scores.argsort(stable=True), cosine.argsort(stable=True))
    assert_close(scores, 7.0 * cosine_similarity(left, right) - 1.4)


def test_the_residual_head_learns_its_correction_from_the_first_step() -> None:
    made, (left, right) = head(kind="residual", hidden=8), pairs()
    made(left, right).square().sum().backward()
    last = made.correction.layers[-1].weight
    assert last.grad is not None
    assert last.grad.abs().max() > 0
    assert (last == 0).all()


def test_a_node_without_representation_has_a_finite_score() -> None:
    left, right = pairs()
    left[0] = 0
    left.requires_grad_()
    scores = head(kind="residual")(left, right)
    scores.sum().backward()
    assert scores[0] == -2.0  # a cosine of zero
    assert left.grad is not None
    assert left.grad.isfinite().all()


def test_the_generator_decides_the_weights() -> None:
    for left, right in zip(head().parameters(), head().parameters(), strict=True):
        assert torch.equal(left, right)
