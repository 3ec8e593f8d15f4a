"""Layers of GCN, GAT and GraphSAGE against their formulas on dense matrices."""

import sys
from collections.abc import Callable
from functools import partial

import pytest
import torch
from hypothesis import given
from torch import Tensor
from torch.nn.functional import leaky_relu
from torch.testing import assert_close

from hlgnn.baselines.attention_sum import attention_sum
from hlgnn.baselines.gat import GAT, GATLayer
from hlgnn.baselines.gcn import GCNLayer
from hlgnn.baselines.neighbor_sums import NeighborSums, neighbor_means, plain_sums, symmetric_sums
from hlgnn.baselines.pyg_layer import pyg_layer
from hlgnn.baselines.sage import SAGELayer
from hlgnn.baselines.stack_model import StackSettings
from hlgnn.errors import MissingPackageError
from hlgnn.graph import Graph
from strategies import graphs


def dense(graph: Graph) -> Tensor:
    matrix = torch.zeros(graph.num_nodes, graph.num_nodes)
    source, target = graph.adjacency.source, graph.adjacency.neighbor.long()
    matrix[source, target] = 1.0 if graph.adjacency.weight is None else graph.adjacency.weight
    return matrix


def drawn(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(5))


def draw_bias(layer: torch.nn.Module) -> None:
    for parameter in layer.parameters():
        if parameter.ndim == 1:
            parameter.data = drawn(*parameter.shape)


@given(graphs(weighted=None))
def test_matrices_of_messages(graph: Graph) -> None:
    a = dense(graph)
    looped = a + torch.eye(len(a))
    root = looped.sum(dim=1).rsqrt()
    one = torch.eye(len(a))
    assert_close(symmetric_sums(graph)(one), root[:, None] * looped * root)
    degree = a.sum(dim=1, keepdim=True)
    assert_close(neighbor_means(graph)(one), torch.where(degree > 0, a / degree, 0.0))
    assert_close(plain_sums(graph)(one), a)


@pytest.mark.parametrize("sums_of", [symmetric_sums, neighbor_means, plain_sums])
@given(graph=graphs(weighted=None))
def test_gradients_of_sums_over_neighbors(sums_of: Callable[[Graph], NeighborSums], graph: Graph) -> None:
    sums, one = sums_of(graph), torch.eye(graph.num_nodes)
    x, into = drawn(graph.num_nodes, 3).requires_grad_(), drawn(3, graph.num_nodes).T
    (sums(x) * into).sum().backward()
    assert_close(x.grad, sums(one).T @ into, rtol=1e-4, atol=1e-5)


@given(graphs(weighted=None))
def test_gcn_is_its_formula(graph: Graph) -> None:
    layer = GCNLayer(3, 4, torch.Generator().manual_seed(1))
    draw_bias(layer)
    x, looped = drawn(graph.num_nodes, 3), dense(graph) + torch.eye(graph.num_nodes)
    root = looped.sum(dim=1).rsqrt()
    expected = root[:, None] * looped * root @ x @ layer.layer.lin.weight.T + layer.layer.bias
    found = layer(partial(torch.matmul, x), symmetric_sums(graph))
    assert_close(found, expected, rtol=1e-4, atol=1e-5)


@given(graphs(weighted=False))
def test_sage_is_its_formula(graph: Graph) -> None:
    layer = SAGELayer(3, 4, torch.Generator().manual_seed(1))
    draw_bias(layer)
    x, a = drawn(graph.num_nodes, 3), dense(graph)
    mean = a @ x / a.sum(dim=1, keepdim=True).clamp(min=1)
    expected = mean @ layer.layer.lin_l.weight.T + layer.layer.lin_l.bias + x @ layer.layer.lin_r.weight.T
    found = layer(partial(torch.matmul, x), neighbor_means(graph))
    assert_close(found, expected, rtol=1e-4, atol=1e-5)
    assert_close(found, pyg_forward(layer, x, ends_of(graph)), rtol=1e-4, atol=1e-5)


@given(graphs(weighted=False, with_features=True))
def test_gat_is_its_formula(graph: Graph) -> None:
    generator = torch.Generator().manual_seed(1)
    layer, edges = GATLayer(3, 4, generator), GAT(graph, StackSettings(hidden=4), generator).messages(graph)
    draw_bias(layer)
    x = drawn(graph.num_nodes, 3)
    h = x @ layer.layer.lin.weight.T
    logits = leaky_relu(h @ layer.layer.att_dst.view(-1, 1) + (h @ layer.layer.att_src.view(-1, 1)).T, 0.2)
    allowed = (dense(graph) + torch.eye(graph.num_nodes)) > 0
    attention = torch.softmax(logits.masked_fill(~allowed, -torch.inf), dim=1)
    found = layer(partial(torch.matmul, x), edges)
    assert_close(found, attention @ h + layer.layer.bias, rtol=1e-4, atol=1e-5)
    assert_close(found, pyg_forward(layer, x, edges.ends), rtol=1e-4, atol=1e-5)


@given(graphs(weighted=None))
def test_gcn_is_that_of_torch_geometric(graph: Graph) -> None:
    layer = GCNLayer(3, 4, torch.Generator().manual_seed(1))
    theirs = pyg_layer("GCNConv", 3, 4, torch.Generator().manual_seed(1))
    x = drawn(graph.num_nodes, 3)
    found = layer(partial(torch.matmul, x), symmetric_sums(graph))
    assert_close(found, theirs(x, ends_of(graph), graph.adjacency.weight), rtol=1e-4, atol=1e-5)


def ends_of(graph: Graph) -> Tensor:
    return torch.stack([graph.adjacency.neighbor.long(), graph.adjacency.source.long()])


def pyg_forward(layer: GATLayer | SAGELayer, x: Tensor, ends: Tensor) -> Tensor:
    return layer.layer(x, ends)


@given(graphs(weighted=False))
def test_gradients_of_attention_sums(graph: Graph) -> None:
    adjacency = graph.adjacency
    weight = drawn(adjacency.num_edges).requires_grad_()
    x = drawn(graph.num_nodes, 3).requires_grad_()
    into = drawn(3, graph.num_nodes).T
    (attention_sum(adjacency.offset, adjacency.neighbor, weight, x) * into).sum().backward()
    found = weight.grad, x.grad
    weight.grad = x.grad = None
    matrix = torch.zeros(graph.num_nodes, graph.num_nodes).index_put(
        (adjacency.source, adjacency.neighbor.long()), weight
    )
    ((matrix @ x) * into).sum().backward()
    assert_close(found[0], weight.grad, rtol=1e-4, atol=1e-5)
    assert_close(found[1], x.grad, rtol=1e-4, atol=1e-5)


def test_without_torch_geometric_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch_geometric"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    with pytest.raises(
        MissingPackageError, match=r'torch_geometric is not installed. Run: pip install "hlgnn\[baselines\]"'
    ):
        pyg_layer("GCNConv", 2, 2, torch.Generator())
