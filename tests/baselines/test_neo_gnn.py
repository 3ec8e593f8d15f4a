"""Neo-GNN: its structural part is a heuristic for simple maps; its logit that of a mixture of chances."""

from dataclasses import replace

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import softplus
from torch.testing import assert_close

from hlgnn.baselines.neo_gnn import NeoGNN, NeoGNNSettings
from hlgnn.baselines.neo_gnn.model import mixed_logit
from hlgnn.baselines.neo_gnn.structure import NodeStructure, Structure
from hlgnn.baselines.neo_gnn.walks import count_walks
from hlgnn.graph import Graph
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training
from hlgnn.training.samplers import SAMPLERS
from hlgnn.training.train_settings import TrainSettings
from strategies import graphs
from toy_models import community_split, karate_with_features


def all_pairs(graph: Graph) -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes))


def dense(graph: Graph) -> torch.Tensor:
    return torch.from_numpy(graph.to_pattern().toarray())


@given(graphs(), st.integers(1, 3))
def test_walks_are_powers(graph: Graph, order: int) -> None:
    walks, a = count_walks(graph, order, 0.1), dense(graph)
    expected = sum(0.1 ** (power - 1) * torch.linalg.matrix_power(a, power) for power in range(1, order + 1))
    assert_close(torch.from_numpy(walks.matrix.toarray()), expected)
    sums = torch.from_numpy(walks.counts @ walks.distinct.numpy())
    assert_close(sums, expected.sum(dim=1))


@given(graphs())
def test_with_a_worth_of_one_it_counts_common_neighbors(graph: Graph) -> None:
    structure = Structure(count_walks(graph, 1, 0.1).matrix, torch.ones(graph.num_nodes))
    assert_close(structure.overlap(all_pairs(graph)), (dense(graph) @ dense(graph)).flatten())


@given(graphs())
def test_with_a_worth_of_one_over_degree_it_is_resource_allocation(graph: Graph) -> None:
    x = graph.degree.float().clamp(min=1).rsqrt()  # x_k = 1 / √d_k
    structure = Structure(count_walks(graph, 1, 0.1).matrix, x.square())
    a = dense(graph)
    assert_close(structure.overlap(all_pairs(graph)), (a / graph.degree.clamp(min=1) @ a).flatten())


@given(graphs())
def test_any_maps_are_their_formula(graph: Graph) -> None:
    nodes = NodeStructure(3, 4, torch.Generator().manual_seed(2))
    walks = count_walks(graph, 2, 0.1)
    s = torch.from_numpy(walks.matrix.toarray())
    stored = dense(graph) + dense(graph) @ dense(graph) > 0
    sums = torch.where(stored, nodes.of_edge(s[..., None]).squeeze(-1), 0.0).sum(dim=0)
    x = nodes.of_node(sums[:, None]).squeeze(1)
    expected = (s * x) @ (s * x).T
    found = nodes(walks).overlap(all_pairs(graph))
    assert_close(found, expected.flatten(), rtol=1e-4, atol=1e-5)
    weights = list(nodes.parameters())
    for ours, theirs in zip(
        torch.autograd.grad(found.sum(), weights), torch.autograd.grad(expected.sum(), weights), strict=True
    ):
        assert_close(ours, theirs, rtol=1e-3, atol=1e-3)


@given(graphs(), st.integers(1, 2))
def test_even_sums_are_another_scale_of_the_first_layers(graph: Graph, order: int) -> None:
    walks = count_walks(graph, order, 0.1)
    even = NodeStructure(3, 4, torch.Generator().manual_seed(2), even=True)
    plain = NodeStructure(3, 4, torch.Generator().manual_seed(2))
    rows = (walks.matrix != 0).sum(axis=1).mean() or 1.0
    squares = (walks.matrix.toarray().astype(float) ** 2).sum(axis=1).mean() or 1.0
    first = plain.of_node[0]
    assert isinstance(first, torch.nn.Linear)
    first.weight.data /= rows
    found, expected = even(walks).overlap(all_pairs(graph)), plain(walks).overlap(all_pairs(graph)) / squares
    assert_close(found, expected, rtol=1e-4, atol=1e-6)


def test_even_sums_do_not_grow_with_a_dense_graph() -> None:
    complete = Graph.from_edges(200, torch.combinations(torch.arange(200)))
    generator = torch.Generator().manual_seed(2)
    walks, pair = count_walks(complete, 2, 0.1), torch.tensor([[0, 1]])
    even, plain = (NodeStructure(8, 128, generator, even=choice)(walks).overlap(pair) for choice in (True, False))
    assert even.item() < 10
    assert plain.item() > 1000


def test_the_logit_is_that_of_the_mixed_chance() -> None:
    alpha = torch.tensor([0.3, -0.5])
    first, second = torch.linspace(-4, 4, 9).double(), torch.linspace(3, -2, 9).double()
    share = alpha.double().softmax(dim=0)
    chance = share[0] * first.sigmoid() + share[1] * second.sigmoid()
    assert_close(mixed_logit(alpha.double(), first, second), chance.logit())
    assert bool(mixed_logit(alpha, torch.tensor([500.0, -500.0]), torch.tensor([400.0, -600.0])).isfinite().all())


def test_training_sees_the_whole_and_both_parts() -> None:
    graph = karate_with_features()
    model = NeoGNN(graph, NeoGNNSettings(hidden=8), torch.Generator().manual_seed(0)).eval()
    state, pairs = model.encode(model.prepare(graph)), graph.links
    whole, structural, by_nodes = model.trained_scores(state, pairs)
    assert torch.equal(whole, model.score(state, pairs))
    assert_close(whole, mixed_logit(model.alpha, structural, by_nodes))
    flat = replace(state, z=torch.zeros_like(state.z))
    assert torch.equal(model.trained_scores(flat, pairs)[1], structural)


def test_the_loss_is_that_of_the_whole_and_of_both_parts() -> None:
    split = community_split()
    model = NeoGNN(split.graph, NeoGNNSettings(hidden=8), torch.Generator().manual_seed(0)).eval()
    training = Training(model, split, TrainSettings(), default_metric="auc", seeds=Seeds(0))
    state, batch = model.encode(model.prepare(split.graph)), torch.arange(20)
    before = training.generator.get_state()
    (part,) = training._sampled_parts(state, batch)
    loss = part(state)
    training.generator.set_state(before)
    positive = split.train[batch]
    negative = SAMPLERS["uniform"](split.graph, positive, 1, training.generator).flatten(0, 1)
    parts = [model.trained_scores(state, pairs) for pairs in (positive, negative)]
    expected = sum(softplus(-yes).mean() + softplus(no).mean() for yes, no in zip(*parts, strict=True))
    assert_close(loss, expected)
