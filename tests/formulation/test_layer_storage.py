"""Every storage of layers and every block of columns: the same Z, the same gradients, another amount of memory."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from hlgnn.formulation.checkpointed import checkpointed_horner, checkpointed_recurrence
from hlgnn.formulation.column_blocks import column_blocks, in_column_blocks
from hlgnn.formulation.geometric import geometric
from hlgnn.formulation.kernels import choose
from hlgnn.formulation.layer_storage import Layers, LayerStorage, computed_again, segments
from hlgnn.formulation.normalization import Normalized, normalize
from hlgnn.formulation.polynomial import polynomial
from hlgnn.formulation.propagation import horner, recurrence
from hlgnn.graph import Graph, karate_club
from strategies import graphs

Chain = Callable[..., torch.Tensor]
STORAGES: tuple[Layers, ...] = ("all", "root", "none")
LEARNED = ["horner", "recurrence", "tilted, read", "tilted, recurred"]
WIDTH = 5


def drawn(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def chain_of(kind: str, normalized: Normalized, storage: LayerStorage) -> Chain:
    """Propagation as a function of X, the operators and β."""
    if kind.startswith("tilted"):
        reading = kind.endswith("read")
        return lambda x, shares, beta: geometric(normalized, shares, beta, x, reading=reading, storage=storage)
    kept = {"horner": checkpointed_horner, "recurrence": checkpointed_recurrence}[kind]
    return lambda x, operators, beta: kept(normalized, operators, beta, x, storage)


def plain_of(kind: str, normalized: Normalized) -> Chain:
    """The same with everything left to autograd."""
    if kind.startswith("tilted"):
        return chain_of(kind, normalized, LayerStorage("all"))
    plain = {"horner": horner, "recurrence": recurrence}[kind]
    return lambda x, operators, beta: plain(normalized, operators, beta, x)


def weights_of(kind: str, depth: int) -> torch.Tensor:
    return drawn(depth, seed=3).sigmoid() if kind.startswith("tilted") else drawn(depth, 4, seed=3) / 2


def outcome(chain: Chain, *leaves: torch.Tensor) -> list[torch.Tensor]:
    """Z, and the gradient of each leaf for one drawn gradient of Z."""
    copies = [leaf.clone().requires_grad_() for leaf in leaves]
    z = chain(*copies)
    found = torch.autograd.grad(z, copies, drawn(*z.shape, seed=4), allow_unused=True, materialize_grads=True)
    return [z.detach(), *found]


def assert_near(ours: list[torch.Tensor], theirs: list[torch.Tensor], tolerance: float) -> None:
    for left, right in zip(ours, theirs, strict=True):
        largest = float(right.abs().max()) if right.numel() else 0.0
        assert_close(left, right, rtol=0, atol=tolerance * max(1.0, largest))


@pytest.mark.parametrize("kind", LEARNED)
@settings(max_examples=40)
@given(
    graph=graphs(weighted=None),
    depth=st.integers(0, 7),
    layers=st.sampled_from(STORAGES),
    columns=st.integers(0, WIDTH + 1),
)
def test_every_storage_and_block_gives_the_plain_gradients(
    kind: str, graph: Graph, depth: int, layers: Layers, columns: int
) -> None:
    normalized = normalize(graph.adjacency)
    leaves = drawn(graph.num_nodes, WIDTH, seed=1), weights_of(kind, depth), drawn(depth + 1, seed=2)
    chain = chain_of(kind, normalized, LayerStorage(layers))
    stored: Chain = (lambda *given: in_column_blocks(chain, columns, *given)) if columns else chain
    assert_near(outcome(stored, *leaves), outcome(plain_of(kind, normalized), *leaves), 1e-10)


@settings(max_examples=40)
@given(graph=graphs(weighted=None), depth=st.integers(0, 5), columns=st.integers(1, WIDTH + 1))
def test_one_operator_in_blocks_gives_the_plain_gradients(graph: Graph, depth: int, columns: int) -> None:
    normalized, operator = normalize(graph.adjacency), torch.tensor([0.1, 0.5, 0.3, 0.1], dtype=torch.float64)
    leaves = drawn(graph.num_nodes, WIDTH, seed=1), drawn(depth + 1, seed=2)
    whole = outcome(lambda x, beta: polynomial(normalized, operator, beta, x), *leaves)
    parts = outcome(lambda x, beta: polynomial(normalized, operator, beta, x, columns=columns), *leaves)
    assert_near(parts, whole, 1e-11)


@pytest.mark.parametrize("kind", ["horner", "recurrence"])
@pytest.mark.parametrize("layers", ["all", "root"])
def test_layers_in_bfloat16_leave_z_alone_and_round_gradients_of_operators(kind: str, layers: Layers) -> None:
    """Only what is kept is rounded: Z and ∂X are exact, the operators' gradients off by about 2^-9."""
    normalized = normalize(karate_club().adjacency)
    leaves = drawn(34, WIDTH, seed=1), weights_of(kind, 6), drawn(7, seed=2)
    rounded = outcome(chain_of(kind, normalized, LayerStorage(layers, torch.bfloat16)), *leaves)
    exact = outcome(plain_of(kind, normalized), *leaves)
    assert_near(rounded[:2], exact[:2], 1e-11)
    error = (rounded[2] - exact[2]).norm() / exact[2].norm()
    assert 0 < float(error) < 0.01


def kept_layers(chain: Chain, *leaves: torch.Tensor) -> int:
    """How many numbers of X's size and more than one column are kept for the backward pass."""
    kept: dict[int, int] = {}

    def note(tensor: torch.Tensor) -> torch.Tensor:
        kept[tensor.data_ptr()] = tensor.numel() * (len(tensor.shape) == 2 and tensor.shape[0] == 34)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        chain(*(leaf.clone().requires_grad_() for leaf in leaves))
    return sum(kept.values()) // (34 * WIDTH)


@pytest.mark.parametrize("kind", ["horner", "recurrence"])
def test_as_many_layers_are_kept_as_the_storage_says(kind: str) -> None:
    normalized, depth = normalize(karate_club().adjacency), 16
    leaves = drawn(34, WIDTH, seed=1), weights_of(kind, depth), drawn(depth + 1, seed=2)
    counts = {layers: kept_layers(chain_of(kind, normalized, LayerStorage(layers)), *leaves) for layers in STORAGES}
    assert counts == {"all": depth, "root": 12, "none": 1}
    blocks = chain_of(kind, normalized, LayerStorage("all"))
    assert kept_layers(lambda *given: in_column_blocks(blocks, 2, *given), *leaves) == 1


class Counted:
    """A kernel that counts its products."""

    def __init__(self, kernel: Any) -> None:
        self.kernel, self.products = kernel, 0

    def __getattr__(self, name: str) -> Any:
        self.products += 1
        return getattr(self.kernel, name)


@pytest.mark.parametrize("kind", ["horner", "recurrence"])
@pytest.mark.parametrize("layers", STORAGES)
@pytest.mark.parametrize("depth", [1, 2, 7, 15])
def test_as_many_products_are_made_again_as_is_reckoned(
    kind: str, layers: Layers, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaves = drawn(34, WIDTH, seed=1), weights_of(kind, depth), drawn(depth + 1, seed=2)
    counted = Counted(choose(leaves[0]))
    monkeypatch.setattr("hlgnn.formulation.checkpointed.choose", lambda _: counted)
    outcome(chain_of(kind, normalize(karate_club().adjacency), LayerStorage(layers)), *leaves)
    assert counted.products == 2 * depth + computed_again(depth, layers)


@given(depth=st.integers(0, 200), layers=st.sampled_from(STORAGES))
def test_groups_of_layers_are_all_layers_in_order(depth: int, layers: Layers) -> None:
    groups = segments(depth, layers)
    assert [level for group in groups for level in group] == list(range(depth))
    most = {"all": depth, "root": 3 * (depth**0.5 + 1), "none": 1}[layers]
    assert len(groups) <= most
    sizes = [len(group) for group in groups]
    assert max(sizes, default=0) - min(sizes, default=0) <= 1


@given(width=st.integers(1, 300), columns=st.integers(1, 300))
def test_blocks_of_columns_are_all_columns_in_order(width: int, columns: int) -> None:
    blocks = column_blocks(width, columns)
    assert [column for block in blocks for column in range(width)[block]] == list(range(width))
    assert all(block.stop - block.start <= columns for block in blocks)
