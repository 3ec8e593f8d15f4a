"""The layer is Σ β_l A_l ⋯ A_1 X, written out densely, with the gradients of that sum."""

import copy
import gc
import weakref
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.estimators.hl_conv import HLConv

KINDS = ("sym", "row", "col", "mixture", "literal-mixture", "geometric")
EDGES = torch.tensor([[0, 1, 2, 3, 3, 4, 1], [1, 2, 0, 2, 4, 3, 1]])  # one link in both directions, and a self-loop
N = 6  # the last node has no links


def dense(weight: Tensor | None = None, edges: Tensor = EDGES) -> Tensor:
    """Ã = A + I.  (N, N)"""
    one_way = torch.zeros(N, N, dtype=torch.float64)
    one_way.index_put_(
        (edges[0], edges[1]),
        torch.ones(edges.shape[1]).double() if weight is None else weight.double(),
        accumulate=True,
    )
    matrix = torch.maximum(one_way, one_way.T)
    if weight is None:
        matrix = (matrix > 0).double()
    return matrix.fill_diagonal_(0.0) + torch.eye(N, dtype=torch.float64)


def operators(layer: HLConv, matrix: Tensor) -> list[Tensor]:
    """A_1 … A_L, but for the bound that a mixture is divided by."""
    degree = matrix.sum(dim=1)
    row, col = matrix / degree[:, None], matrix / degree[None, :]
    sym = matrix / (degree[:, None] * degree[None, :]).sqrt()
    kind, depth, alpha = layer.propagation.settings.operators, layer.propagation.settings.depth, layer.alpha
    if alpha is None:
        return [{"row": row, "col": col, "sym": sym}[kind]] * depth
    if kind == "geometric":
        return [degree[:, None] ** (s - 1) * matrix * degree[None, :] ** -s for s in alpha.sigmoid()]
    return [w[0] * row + w[1] * col + w[2] * sym for w in alpha.softmax(dim=1)]


def dense_sum(layer: HLConv, matrices: list[Tensor], x: Tensor) -> Tensor:
    z, total = x, layer.beta[0] * x
    for weight, matrix in zip(layer.beta[1:], matrices, strict=True):
        z = matrix @ z
        total = total + weight * z
    return total


def drawn_layer(kind: str, depth: int = 4) -> HLConv:
    layer = HLConv(3, depth=depth, operators=kind).double()
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return layer


def drawn_rows() -> Tensor:
    return torch.randn(N, 3, generator=torch.Generator().manual_seed(2), dtype=torch.float64)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "mixture"])
@pytest.mark.parametrize("depth", [0, 1, 7])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_layer_is_the_dense_sum(kind: str, depth: int, weighted: bool) -> None:
    layer, x = drawn_layer(kind, depth), drawn_rows()
    weight = torch.tensor([0.5, 2.0, 1.5, 1.0, 0.25, 3.0, 9.0]) if weighted else None
    expected = dense_sum(layer, operators(layer, dense(weight)), x)
    assert torch.allclose(layer(x, EDGES, weight), expected)
    single = layer.float()(x.float(), EDGES, weight)
    assert torch.allclose(single.double(), expected, atol=1e-3)


def test_a_mixture_is_the_dense_sum_divided_by_its_bounds() -> None:
    layer, x = drawn_layer("mixture"), drawn_rows()
    layer(x, EDGES)
    normalized = layer.propagation.operators(layer._cache._messages)  # type: ignore[arg-type]
    scale = normalized.sum(dim=1)  # the weights themselves add up to one
    matrices = [s * matrix for s, matrix in zip(scale, operators(layer, dense()), strict=True)]
    assert torch.allclose(layer(x, EDGES), dense_sum(layer, matrices, x))
    assert all(torch.linalg.eigvals(matrix).abs().max() <= 1 + 1e-6 for matrix in matrices)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_differences(kind: str) -> None:
    layer, x = drawn_layer(kind), drawn_rows().requires_grad_()
    assert torch.autograd.gradcheck(lambda rows, *_: layer(rows, EDGES), (x, *layer.parameters()))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "mixture"])
def test_a_node_without_links_keeps_its_row_times_the_sum_of_beta(kind: str) -> None:
    layer, x = drawn_layer(kind), drawn_rows()
    assert torch.allclose(layer(x, EDGES)[-1], layer.beta.sum() * x[-1])
    assert torch.allclose(layer(x, torch.empty(2, 0, dtype=torch.int64)), layer.beta.sum() * x)


def test_a_mixture_keeps_no_more_of_it() -> None:
    layer, x = HLConv(3, depth=5, operators="mixture").double(), drawn_rows()
    kept = layer(x, EDGES)[-1] / x[-1]
    assert torch.allclose(kept, kept[:1].expand(3))
    assert (kept <= layer.beta.sum()).all()


def test_beta_starts_as_it_is_told() -> None:
    assert torch.allclose(HLConv(1, depth=3).beta, torch.tensor([0.2 * 0.8**order for order in range(4)]))
    generators = [torch.Generator().manual_seed(seed) for seed in (1, 1, 2)]
    drawn = [HLConv(1, beta_init="random", beta_parameter=1.0, generator=each).beta for each in generators]
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])
    layer = drawn_layer("mixture")
    layer.reset_parameters()
    assert all(
        torch.allclose(ours, theirs.double())
        for ours, theirs in zip(layer.parameters(), HLConv(3, depth=4, operators="mixture").parameters(), strict=True)
    )


def test_directions_repeats_and_self_loops_do_not_matter() -> None:
    layer, x = drawn_layer("sym"), drawn_rows()
    links = torch.tensor([[0, 1, 0, 2, 3], [1, 2, 2, 3, 4]])
    for same in (links, links.flip(0), torch.cat([links, links.flip(0)], dim=1), links.flip(1)):
        assert torch.allclose(layer(x, same), layer(x, EDGES))


def test_the_graph_is_kept_for_the_same_edges_only() -> None:
    layer, x = drawn_layer("mixture"), drawn_rows()
    edges = EDGES.clone()
    layer(x, edges)
    kept = layer._cache._messages
    layer(x, edges)
    assert layer._cache._messages is kept
    first = layer(x, EDGES)
    assert layer._cache._messages is not kept
    layer(x, edges)
    edges[1, 0] = 5  # written to
    changed = layer(x, edges)
    assert not torch.allclose(changed, first)
    assert torch.allclose(changed, drawn_layer("mixture")(x, edges.clone()))
    weight = torch.ones(7)
    heavy = layer(x, edges, weight)
    weight *= 3
    assert not torch.allclose(layer(x, edges, weight), heavy)
    assert torch.allclose(layer(x, edges), changed)
    assert layer(torch.cat([x, x]), edges).shape == (12, 3)


def test_the_graph_goes_with_its_edges() -> None:
    layer, x, edges = drawn_layer("sym"), drawn_rows(), EDGES.clone()
    layer(x, edges)
    kept = weakref.ref(layer._cache._messages)  # type: ignore[type-var]
    del edges
    gc.collect()
    assert kept() is None
    assert torch.isfinite(layer(x, EDGES)).all()


def test_a_copy_and_a_state_are_the_same_layer() -> None:
    layer, x = drawn_layer("geometric"), drawn_rows()
    expected = layer(x, EDGES)
    assert torch.equal(copy.deepcopy(layer)(x, EDGES), expected)
    other = HLConv(3, depth=4, operators="geometric").double()
    other.load_state_dict(layer.state_dict())
    assert torch.equal(other(x, EDGES), expected)
    with torch.inference_mode():
        assert torch.allclose(layer(x, EDGES.clone()), expected)


class Model(nn.Module):
    """A model of somebody else's."""

    def __init__(self) -> None:
        super().__init__()
        self.before = nn.Sequential(nn.Linear(3, 8), nn.ReLU())
        self.propagate = HLConv(8, depth=3, operators="mixture")
        self.after = nn.Linear(8, 1)

    def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
        return self.after(self.propagate(self.before(x), edge_index)).flatten()  # type: ignore[no-any-return]


def test_it_learns_inside_another_model() -> None:
    torch.manual_seed(0)
    model, x, target = Model(), drawn_rows().float(), torch.tensor([1.0, 1, 1, 0, 0, 0])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(x, EDGES), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.3 * losses[0]
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_it_fits_into_the_sequential_of_pyg() -> None:
    geometric: Any = pytest.importorskip("torch_geometric.nn")
    layer = HLConv(3, depth=2)
    steps = [(layer, "x, edge_index -> x"), nn.ReLU(), (nn.Linear(3, 2), "x -> x")]
    model = geometric.Sequential("x, edge_index", steps)
    x = drawn_rows().float()
    assert torch.allclose(model(x, EDGES), steps[2][0](layer(x, EDGES).relu()))  # type: ignore[index]


def test_its_last_order_is_the_simple_convolution_of_pyg() -> None:
    geometric: Any = pytest.importorskip("torch_geometric.nn")
    both, x = torch.cat([EDGES[:, :4], EDGES[:, :4].flip(0)], dim=1), drawn_rows().float()
    theirs = geometric.SGConv(3, 3, K=4, bias=False)
    with torch.no_grad():
        theirs.lin.weight.copy_(torch.eye(3))
    ours = HLConv(3, depth=4, beta_init="final-layer")
    assert torch.allclose(ours(x, both), theirs(x, both), atol=1e-6)


def test_what_does_not_fit_is_refused() -> None:
    layer, x = HLConv(3), drawn_rows().float()
    with pytest.raises(SettingsError, match=r"\(N, 3\)"):
        layer(x[:, :2], EDGES)
    with pytest.raises(SettingsError, match="rows for 7 nodes"):
        layer(x, EDGES, num_nodes=7)
    with pytest.raises(SettingsError, match="float64"):
        layer(x.double(), EDGES)
    with pytest.raises(SettingsError, match=r"\(2, E\)"):
        layer(x, EDGES.T)
    with pytest.raises(SettingsError, match="no gradient"):
        layer(x, EDGES, torch.ones(7, requires_grad=True))
    with pytest.raises(GraphFormatError, match="positive"):
        layer(x, EDGES, -torch.ones(7))
    with pytest.raises(GraphFormatError):
        layer(x, EDGES + 4)
    with pytest.raises(SettingsError, match="mixtrue"):
        HLConv(3, operators="mixtrue")
    with pytest.raises(SettingsError, match="channels"):
        HLConv(0)
    assert repr(layer).startswith("HLConv(\n  3, depth=10, operators='sym'")
