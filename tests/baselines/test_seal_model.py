"""SEAL: its layers beside dense formulas, and what its scores may depend on."""

import pytest
import torch
from scipy.sparse import csr_array

from hlgnn.baselines.seal.convolution import propagate
from hlgnn.baselines.seal.model import Seal, pooled_nodes
from hlgnn.baselines.seal.settings import EnclosingSettings, SealSettings
from hlgnn.baselines.seal.sort_pooling import largest, pool
from hlgnn.baselines.seal.subgraphs import Subgraphs, extract
from hlgnn.errors import SettingsError
from hlgnn.graph import Graph, karate_club
from toy_models import karate_with_features

TWO_HOPS = EnclosingSettings(hops=2)


def build(graph: Graph, **chosen: object) -> Seal:
    settings = SealSettings.model_validate({"enclosing": TWO_HOPS, "hidden": 8, **chosen})
    return Seal(graph, settings, torch.Generator().manual_seed(0))


def scores(model: Seal, graph: Graph, pairs: torch.Tensor) -> torch.Tensor:
    return model.score(model.encode(model.prepare(graph)), pairs)


def dense_operator(made: Subgraphs) -> torch.Tensor:
    matrix = torch.eye(len(made.node), dtype=torch.float64)
    for row in range(len(made.node)):
        matrix[row, made.column[made.offset[row] : made.offset[row + 1]]] = 1
    root = matrix.sum(dim=1).rsqrt()
    return root[:, None] * matrix * root


def test_a_convolution_is_the_product_with_the_normalised_matrix_and_so_is_its_gradient() -> None:
    made = extract(karate_club().adjacency, karate_club().links[:5], TWO_HOPS)
    x = torch.randn(len(made.node), 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    x.requires_grad_()
    root = torch.diff(torch.from_numpy(made.offset)).add(1).double().rsqrt()
    torch.testing.assert_close(propagate(made, root, x), dense_operator(made) @ x)
    weight = torch.randn(x.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    (grad,) = torch.autograd.grad((propagate(made, root, x) * weight).sum(), x)
    torch.testing.assert_close(grad, dense_operator(made).T @ weight)


def test_pooled_rows_are_the_largest_in_order_and_zeros_behind_them() -> None:
    made = extract(karate_club().adjacency, karate_club().links[:7], EnclosingSettings())
    values = torch.randn(len(made.node), generator=torch.Generator().manual_seed(0))
    rows = torch.randn(len(made.node), 2, generator=torch.Generator().manual_seed(1))
    pooled = pool(rows, largest(made.first, values, 12))
    for position in range(7):
        part = slice(int(made.first[position]), int(made.first[position + 1]))
        wanted = rows[part][values[part].argsort(descending=True)][:12]
        torch.testing.assert_close(pooled[position, : len(wanted)], wanted)
        assert bool((pooled[position, len(wanted) :] == 0).all())


@pytest.mark.parametrize("training", [True, False])
def test_a_score_is_the_same_whether_or_not_the_pair_is_a_link(training: bool) -> None:
    graph = karate_with_features()
    model = build(graph, dropout=0.0).train(training)
    for pair in graph.links[::9]:
        hidden = scores(model, graph.without_links(pair[None]), pair[None])
        torch.testing.assert_close(scores(model, graph, pair[None]), hidden, rtol=0, atol=0)


@pytest.mark.parametrize(("cap", "ends"), [(0, False), (3, False), (3, True)])
def test_scores_depend_neither_on_direction_nor_on_batches(cap: int, ends: bool) -> None:
    graph = karate_with_features()
    model = build(graph, enclosing=EnclosingSettings(hops=2, max_nodes_per_hop=cap), ends=ends).eval()
    pairs = torch.cartesian_prod(torch.arange(34), torch.arange(34))[::5]
    together = scores(model, graph, pairs)
    torch.testing.assert_close(scores(model, graph, pairs.flip(1)), together, rtol=0, atol=0)
    torch.testing.assert_close(torch.cat([scores(model, graph, each) for each in pairs.split(3)]), together)
    state = model.encode(model.prepare(graph))
    assert torch.equal(model.score(state, pairs), model.score(state, pairs))  # the second time from memory
    assert scores(model, graph, pairs[:0]).shape == (0,)


def test_scores_do_not_depend_on_how_nodes_are_numbered() -> None:
    graph = karate_with_features()
    model = build(graph).eval()
    order = torch.randperm(34, generator=torch.Generator().manual_seed(3))
    place = order.argsort()
    moved = Graph.from_edges(34, place[graph.links], features=graph.features[order.numpy()])
    pairs = torch.randint(34, (60, 2), generator=torch.Generator().manual_seed(4))
    torch.testing.assert_close(scores(model, moved, place[pairs]), scores(model, graph, pairs), rtol=1e-4, atol=1e-5)


def test_every_parameter_learns_and_training_can_be_repeated() -> None:
    graph = karate_with_features()
    results = []
    for _ in range(2):
        model = build(graph, ends=True, feature_dropout=0.3).train()
        scores(model, graph, graph.links[:20]).sum().backward()
        assert all(each.grad is not None and bool(each.grad.any()) for each in model.parameters())
        results.append(torch.cat([each.grad.flatten() for each in model.parameters()]))
    assert torch.equal(*results)


def test_features_are_optional_and_their_width_is_checked() -> None:
    bare = karate_club()
    assert bool(scores(build(bare).eval(), bare, bare.links).isfinite().all())
    without = build(karate_with_features(), features="none").eval()
    torch.testing.assert_close(scores(without, bare, bare.links), scores(without, karate_with_features(), bare.links))
    with pytest.raises(SettingsError, match="made for 5 features"):
        build(karate_with_features()).prepare(bare)


def test_sparse_features_are_read_as_dense_ones() -> None:
    dense = karate_with_features()
    sparse = Graph.from_edges(34, dense.links, features=csr_array(dense.features.numpy()))
    for training in (True, False):
        models = [build(dense, ends=True, dropout=0.0).train(training) for _ in range(2)]
        torch.testing.assert_close(scores(models[0], sparse, dense.links), scores(models[1], dense, dense.links))


def test_lonely_nodes_and_empty_graphs_have_scores() -> None:
    empty = Graph.from_edges(3, torch.empty(0, 2, dtype=torch.int64))
    model = build(empty).eval()
    assert bool(scores(model, empty, torch.tensor([[0, 1], [0, 1], [2, 2]])).isfinite().all())


def test_as_many_nodes_are_pooled_as_the_quantile_of_sizes_and_at_least_ten() -> None:
    graph = karate_club()
    sizes = torch.diff(torch.from_numpy(extract(graph.adjacency, graph.links, TWO_HOPS).first))
    everything = pooled_nodes(graph, SealSettings(enclosing=TWO_HOPS, pooled=0.999))
    assert int(sizes.min()) <= everything <= 34
    assert pooled_nodes(graph, SealSettings(enclosing=TWO_HOPS, pooled=0.001)) >= 10
    assert pooled_nodes(graph, SealSettings(pooled=25)) == 25
    assert int(build(graph).pooled) == build(graph).readout.count
