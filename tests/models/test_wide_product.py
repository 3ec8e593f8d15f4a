"""Products by oneDNN: those of torch to the last digits, with their gradients, whatever way the rows lie in memory."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hlgnn.models import dense_product, wide_product
from hlgnn.models.dense_product import Linear, linear_map, matrix_product
from hlgnn.models.wide_product import block_rows, is_wide, multiplies_wider

pytestmark = pytest.mark.skipif(
    not hasattr(torch.ops.mkldnn, "_linear_pointwise"), reason="this build of torch has no oneDNN"
)
ROWS, INNER, COLUMNS = 70, 40, 33


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take oneDNN's way whatever the processor is, for small matrices too."""
    monkeypatch.setattr(wide_product, "LEAST_ROWS", 16)
    monkeypatch.setattr(wide_product, "BLOCK_WORK", 0)
    monkeypatch.setattr(wide_product, "multiplies_wider", lambda: True)


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def layouts(rows: int, columns: int, seed: int) -> dict[str, Tensor]:
    """Matrices of one shape that lie in memory in every way that a view can make."""
    large = random(2 * rows, 2 * columns, seed=seed)
    return {
        "contiguous": random(rows, columns, seed=seed),
        "cut": large[:rows, :columns],
        "transposed": random(columns, rows, seed=seed).t(),
        "every other": large[::2, ::2],
        "one row": large[:1, :columns].expand(rows, columns),
        "one column": large[:rows, :1].expand(rows, columns),
    }


def close(found: Tensor, left: Tensor, right: Tensor) -> bool:
    """Whether a product is right up to rounding in single precision, of sums of ``left.shape[1]`` numbers."""
    exact, sums = left.double() @ right.double(), left.double().abs() @ right.double().abs()
    return bool(((found.double() - exact).abs() <= left.shape[1] * 2.0**-24 * sums).all())


@pytest.mark.usefixtures("wide")
def test_products_and_gradients_are_right_in_every_layout() -> None:
    shapes = [(ROWS, INNER), (COLUMNS, INNER), (ROWS, COLUMNS)]
    for chosen in product(*(layouts(*shape, seed).items() for seed, shape in enumerate(shapes))):
        names, (x, weight, grad) = zip(*chosen, strict=True)
        assert is_wide(x, weight)
        found = matrix_product(x.requires_grad_(), weight.requires_grad_().T)
        of_x, of_weight = torch.autograd.grad(found, (x, weight), grad)
        x, weight = x.detach(), weight.detach()
        assert close(found.detach(), x, weight.T), names
        assert close(of_x, grad, weight), names
        assert close(of_weight, grad.T, x), names


def test_onednn_is_given_weights_in_one_piece() -> None:
    for name, weight in layouts(COLUMNS, INNER, 0).items():
        given = wide_product._in_one_piece(weight)
        assert torch.equal(given, weight), name
        assert given.stride() in {(INNER, 1), (1, COLUMNS)}, name
        assert (given is weight) == (name in {"contiguous", "transposed"}), name


@pytest.mark.usefixtures("wide")
def test_a_linear_layer_is_that_of_torch() -> None:
    layer, torch_layer, x = Linear(INNER, COLUMNS), nn.Linear(INNER, COLUMNS), random(ROWS, INNER)
    torch_layer.load_state_dict(layer.state_dict())
    for each in (layer, torch_layer):
        each(x).square().sum().backward()
    torch.testing.assert_close(layer(x), torch_layer(x), rtol=1e-5, atol=1e-5)
    for mine, theirs in zip(layer.parameters(), torch_layer.parameters(), strict=True):
        torch.testing.assert_close(mine.grad, theirs.grad, rtol=1e-4, atol=1e-4)


@pytest.mark.usefixtures("wide")
def test_a_row_does_not_depend_on_the_rows_beside_it() -> None:
    x, weight = random(500, INNER), random(COLUMNS, INNER, seed=1)
    whole = linear_map(x, weight)
    for first, last in ((0, 16), (3, 90), (480, 500)):
        torch.testing.assert_close(linear_map(x[first:last], weight), whole[first:last], rtol=1e-6, atol=1e-6)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(
    ("x", "weight"),
    [
        (torch.ones(ROWS, INNER).double(), torch.ones(COLUMNS, INNER).double()),
        (torch.ones(ROWS, INNER), torch.ones(1, INNER)),
        (torch.ones(15, INNER), torch.ones(COLUMNS, INNER)),
        (torch.ones(0, INNER), torch.ones(COLUMNS, INNER)),
        (torch.ones(ROWS, 0), torch.ones(COLUMNS, 0)),
        (torch.ones(2, ROWS, INNER), torch.ones(COLUMNS, INNER)),
        (torch.ones(INNER), torch.ones(COLUMNS, INNER)),
    ],
    ids=["double", "one column", "few rows", "no rows", "nothing to sum", "stacked", "vector"],
)
def test_all_else_is_left_to_torch(monkeypatch: pytest.MonkeyPatch, x: Tensor, weight: Tensor) -> None:
    monkeypatch.setattr(dense_product, "wide_product", lambda *_: pytest.fail("oneDNN was asked"))
    assert torch.equal(linear_map(x, weight), nn.functional.linear(x, weight))
    assert torch.equal(matrix_product(x, weight.T), x @ weight.T)


def test_less_than_a_block_is_left_to_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide_product, "multiplies_wider", lambda: True)
    for width in (16, 256, 2048):
        weight, rows = torch.ones(width, width), block_rows(width, width)
        assert rows >= wide_product.LEAST_ROWS
        assert rows * width * width >= wide_product.BLOCK_WORK
        assert is_wide(torch.ones(1, width).expand(rows, width), weight)
        assert not is_wide(torch.ones(1, width).expand(rows - 1, width), weight)


@pytest.mark.usefixtures("wide")
def test_onednn_is_asked_for_few_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps a kernel for each of them."""
    asked, multiply = set(), wide_product._multiply

    def watched(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        asked.add((x.shape, weight.shape))
        return multiply(x, weight, bias)

    monkeypatch.setattr(wide_product, "_multiply", watched)
    weight = random(COLUMNS, INNER).requires_grad_()
    for rows in range(16, 200, 3):
        linear_map(random(rows, INNER).requires_grad_(), weight).sum().backward()
    assert asked == {
        (torch.Size([16, INNER]), torch.Size([COLUMNS, INNER])),
        (torch.Size([16, COLUMNS]), torch.Size([INNER, COLUMNS])),
        (torch.Size([COLUMNS, 16]), torch.Size([INNER, 16])),
    }


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"avx512_f": True, "cpu_name": "AMD EPYC"}, True),
        ({"avx512_f": True, "cpu_name": "Intel(R) Xeon(R)"}, False),
        ({"avx512_f": False, "cpu_name": "AMD EPYC"}, False),
        ({}, False),
    ],
)
def test_it_is_for_processors_whose_instructions_mkl_leaves_unused(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, Any], expected: bool
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: said, raising=False)
    found = multiplies_wider.__wrapped__()  # what is kept for other tests stays
    assert found is (expected and torch.backends.mkldnn.is_available())
