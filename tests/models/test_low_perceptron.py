"""A perceptron in bfloat16: bit by bit what torch rounds to, with the gradients of what it computes."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.testing import assert_close

from hlgnn.models import low_perceptron
from hlgnn.models.dense_product import rounded_product
from hlgnn.models.dropout import Dropout
from hlgnn.models.head import MLPHead, build_head, pair_logits
from hlgnn.models.low_perceptron import low_layer, low_products
from hlgnn.models.settings import HeadSettings

LOW = torch.bfloat16


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def pairs_of(nodes: int, count: int, seed: int = 0) -> Tensor:
    return torch.randint(nodes, (count, 2), generator=torch.Generator().manual_seed(seed))


def no_dropout() -> Dropout:
    return Dropout(0.0, torch.Generator())


@given(st.integers(1, 9), st.integers(1, 70), st.integers(0, 40), st.integers(0, 9))
def test_products_are_those_of_torch_to_the_last_bit(nodes: int, width: int, count: int, seed: int) -> None:
    z, pairs = drawn(nodes, width, seed=seed).requires_grad_(), pairs_of(nodes, count, seed)
    found = low_products(z, pairs)
    left, right = z.detach()[pairs[:, 0]], z.detach()[pairs[:, 1]]
    assert torch.equal(found, (left * right).to(LOW))
    into = drawn(count, width, seed=seed + 1).to(LOW)
    found.backward(into)
    expected = torch.zeros_like(z)
    expected.index_add_(0, pairs[:, 0], into.float() * right).index_add_(0, pairs[:, 1], into.float() * left)
    assert_close(z.grad, expected, rtol=1e-4, atol=1e-4)


@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 40), st.integers(0, 9))
def test_a_layer_is_that_of_torch_to_the_last_bit(inputs: int, outputs: int, count: int, seed: int) -> None:
    layer, x = nn.Linear(inputs, outputs), drawn(count, inputs, seed=seed).to(LOW).requires_grad_()
    y = low_layer(layer, x, no_dropout())
    low = layer.weight.detach().to(LOW)
    before = rounded_product(x.detach(), low.T).float() + layer.bias.detach()
    assert torch.equal(y, before.relu().to(LOW))
    into = drawn(count, outputs, seed=seed + 1).to(LOW)
    y.backward(into)
    pulled = torch.where(y > 0, into, 0.0)
    assert_close(x.grad, pulled @ low)
    assert_close(layer.weight.grad, (pulled.T @ x.detach()).float())
    assert_close(layer.bias.grad, pulled.float().sum(dim=0), rtol=1e-4, atol=1e-4)


def test_numbers_that_are_none_stay_so() -> None:
    z = torch.tensor([[torch.inf, 1.0, 0.0], [2.0, -1.0, torch.inf]])
    found = low_products(z, torch.tensor([[0, 1]]))
    assert found[0, :2].tolist() == [torch.inf, -1.0]
    assert found.isnan().tolist() == [[False, False, True]]


@pytest.mark.parametrize("word", [0x7FC00000, 0x7FFFFFFF, -1, 0x7F800001])
def test_what_is_no_number_is_noticed_whatever_its_bits(word: int) -> None:
    nothing = torch.tensor([word], dtype=torch.int32).view(torch.float32)
    z = torch.ones(4, 16)
    z[2] = nothing
    assert low_products(z, torch.tensor([[2, 1]])).isnan().all()
    head, _ = heads(dropout=0.5)
    logits = pair_logits(head, z, torch.tensor([[0, 1], [2, 3]]))
    assert head.is_low(z)
    assert logits.isnan().tolist() == [False, True]


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_dropout_keeps_what_is_active_and_scales_it(share: float) -> None:
    layer, x = nn.Linear(64, 200), drawn(500, 64).to(LOW)
    whole = low_layer(layer, x, no_dropout())
    y = low_layer(layer, x, Dropout(share, torch.Generator().manual_seed(3)))
    active = whole > 0
    assert not y[~active].any()
    kept = y[active] > 0
    assert float(kept.float().mean()) == pytest.approx(1 - share, abs=0.01)
    by_column = ((y > 0).sum(dim=0) / active.sum(dim=0)).float()
    assert float((by_column - (1 - share)).abs().max()) < 0.2  # 4 deviations of the smallest columns
    assert_close(y[active][kept].float(), whole[active][kept].float() / (1 - share), rtol=0.01, atol=0.0)
    y.sum().backward()
    pulled = (y > 0).float() / (1 - share)
    assert_close(layer.bias.grad, pulled.sum(dim=0), rtol=0.01, atol=0.0)
    assert torch.equal(y, low_layer(layer, x, Dropout(share, torch.Generator().manual_seed(3))))
    assert not torch.equal(y, low_layer(layer, x, Dropout(share, torch.Generator().manual_seed(4))))


def test_nothing_depends_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> list[Tensor]:
        layer, z = nn.Linear(30, 50), drawn(20, 30).requires_grad_()
        for parameter in layer.parameters():
            parameter.data = drawn(*parameter.shape)
        y = low_layer(layer, low_products(z, pairs_of(20, 400)), Dropout(0.3, torch.Generator().manual_seed(1)))
        y.float().square().sum().backward()
        return [y, z.grad, layer.weight.grad, layer.bias.grad]  # type: ignore[list-item]

    monkeypatch.setattr(low_perceptron, "num_threads", lambda: 1)
    alone = found()
    monkeypatch.setattr(low_perceptron, "num_threads", lambda: 3)
    monkeypatch.setattr(low_perceptron, "SINGLE_THREADED", 0)
    for one, three in zip(alone, found(), strict=True):
        assert torch.equal(one, three)


def heads(**chosen: object) -> list[MLPHead]:
    settings = HeadSettings.model_validate({"hidden": 32, "layers": 3, "precision": "bfloat16", **chosen})
    both = (settings, settings.model_copy(update={"precision": "float32"}))
    made = [build_head(16, each, torch.Generator().manual_seed(0), torch.Generator().manual_seed(1)) for each in both]
    assert all(isinstance(each, MLPHead) for each in made)
    return made  # type: ignore[return-value]


def test_logits_of_a_head_are_near_and_for_training_only() -> None:
    low, full = heads()
    z, pairs = drawn(40, 16).requires_grad_(), pairs_of(40, 600)
    rounded, exact = (pair_logits(each, z, pairs) for each in (low, full))
    assert low.is_low(z)
    assert 0 < (rounded - exact).abs().max() < 0.03 * exact.abs().max()
    mine = torch.autograd.grad(rounded.sum(), [z, *low.parameters()])
    its = torch.autograd.grad(exact.sum(), [z, *full.parameters()])
    for left, right in zip(mine, its, strict=True):
        assert (left - right).norm() < 0.06 * right.norm()
    assert torch.equal(pair_logits(low.eval(), z, pairs), pair_logits(full.eval(), z, pairs))


@pytest.mark.parametrize("chosen", [{"difference": True}, {"layers": 1}, {"precision": "float32"}])
def test_other_heads_read_rows(chosen: dict[str, object]) -> None:
    head, _ = heads(**chosen)
    z = drawn(5, 16)
    assert not head.is_low(z)
    assert torch.equal(pair_logits(head, z, pairs_of(5, 9)), head(z[pairs_of(5, 9)[:, 0]], z[pairs_of(5, 9)[:, 1]]))


def test_a_table_of_double_precision_is_read_by_rows() -> None:
    head, _ = heads()
    assert not head.is_low(drawn(5, 16).double())
