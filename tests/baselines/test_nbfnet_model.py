"""NBFNet: the recursion with known answers, the dense recursion, and what its scores may depend on."""

import networkx as nx
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.baselines.nbfnet.model import NBFNet
from hlgnn.baselines.nbfnet.settings import NBFNetSettings
from hlgnn.graph import Graph, karate_club
from strategies import graphs


def build(graph: Graph, **chosen: object) -> NBFNet:
    values = {"width": 4, "layers": 3, **chosen}
    return NBFNet(graph, NBFNetSettings.model_validate(values), torch.Generator().manual_seed(0))


def scores(model: NBFNet, graph: Graph, pairs: torch.Tensor) -> torch.Tensor:
    return model.score(model.encode(model.prepare(graph)), pairs)


def all_pairs(graph: Graph) -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes))


def states(model: NBFNet, graph: Graph, pairs: torch.Tensor) -> torch.Tensor:
    state = model.eval().encode(model.prepare(graph))
    return model.pair_states(state.messages, state.background, pairs)


def dense_matrix(graph: Graph) -> torch.Tensor:
    matrix = torch.zeros(graph.num_nodes, graph.num_nodes, dtype=torch.float64)
    matrix[graph.links[:, 0], graph.links[:, 1]] = 1
    return matrix + matrix.T


def plain(graph: Graph, aggregate: str, beta: float, layers: int, *, self_loops: bool) -> NBFNet:
    """A recursion with the message β h, and the aggregate itself as the next state."""
    chosen = {"aggregate": aggregate, "layer_norm": False, "short_cut": False, "self_loops": self_loops}
    model = build(graph, width=1, layers=layers, **chosen).double()
    with torch.no_grad():
        model.query.fill_(1.0)
        for layer in model.layers:
            layer.relation.fill_(beta)
            layer.update.weight.copy_(torch.tensor([[0.0, 1.0]]))
            layer.update.bias.zero_()
    return model


@settings(max_examples=25, deadline=None)
@given(graphs(min_nodes=1, max_nodes=10, weighted=False, with_features=False), st.integers(1, 6), st.booleans())
def test_sums_of_scaled_states_are_the_index_of_katz(graph: Graph, layers: int, loops: bool) -> None:
    beta, matrix = 0.25, dense_matrix(graph) + loops * torch.eye(graph.num_nodes)
    katz = sum(torch.linalg.matrix_power(beta * matrix, order) for order in range(layers + 1))
    model = plain(graph, "sum", beta, layers, self_loops=loops)
    found = states(model, graph, all_pairs(graph)).view(graph.num_nodes, -1)
    torch.testing.assert_close(found, katz, rtol=1e-12, atol=1e-14)


@settings(max_examples=25, deadline=None)
@given(graphs(min_nodes=1, max_nodes=10, weighted=False, with_features=False), st.booleans())
def test_the_largest_of_halved_states_is_a_half_to_the_power_of_the_distance(graph: Graph, loops: bool) -> None:
    made = nx.Graph(graph.links.tolist())
    made.add_nodes_from(range(graph.num_nodes))
    wanted = torch.zeros(graph.num_nodes, graph.num_nodes, dtype=torch.float64)
    for i, row in nx.all_pairs_shortest_path_length(made, cutoff=4):
        for j, distance in row.items():
            wanted[i, j] = 0.5**distance
    model = plain(graph, "max", 0.5, 4, self_loops=loops)
    assert torch.equal(states(model, graph, all_pairs(graph)).view(graph.num_nodes, -1), wanted)


def dense_states(model: NBFNet, graph: Graph, source: int) -> torch.Tensor:
    """The whole recursion from one source, for all nodes, as it is printed: nothing is left out."""
    matrix = dense_matrix(graph) + torch.eye(graph.num_nodes)
    boundary = torch.zeros(graph.num_nodes, 4, dtype=torch.float64)
    boundary[source] = model.query
    degree = (matrix.sum(dim=1) + 1).log()
    scale = (degree / degree.mean())[:, None]
    h = boundary
    for layer in model.layers:
        sent, statistics = h * layer.relation, []
        for v in range(graph.num_nodes):
            m = torch.cat([sent[matrix[v] > 0], boundary[v : v + 1]])
            variance = m.square().mean(dim=0) - m.mean(dim=0).square()
            parts = [m.mean(dim=0), m.amax(dim=0), m.amin(dim=0), variance.clamp(min=1e-6).sqrt()]
            statistics.append(torch.cat(parts))
        f = torch.stack(statistics)
        new = layer.update(torch.cat([h, f, scale * f, f / scale.clamp(min=0.01)], dim=1))
        h = torch.relu(layer.norm(new)) + h
    return h


@settings(max_examples=15, deadline=None)
@given(graphs(min_nodes=2, max_nodes=9, weighted=False, with_features=False), st.integers(0, 99))
def test_states_that_are_not_computed_are_not_needed(graph: Graph, seed: int) -> None:
    """The background and what lies near short ways give what the recursion over all nodes gives."""
    model = build(graph).double()
    pairs = torch.randint(graph.num_nodes, (5, 2), generator=torch.Generator().manual_seed(seed))
    wanted = [(dense_states(model, graph, i)[j] + dense_states(model, graph, j)[i]) / 2 for i, j in pairs.tolist()]
    torch.testing.assert_close(states(model, graph, pairs), torch.stack(wanted))
    ours = torch.autograd.grad(states(model, graph, pairs).sum(), [model.query, *model.layers.parameters()])
    theirs = torch.autograd.grad(torch.stack(wanted).sum(), [model.query, *model.layers.parameters()])
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-5, atol=1e-6)


def test_a_score_in_training_is_the_same_whether_or_not_the_pair_is_a_link() -> None:
    graph = karate_club()
    model = build(graph).train()
    batch = torch.cat([graph.links[:12], torch.tensor([[0, 33], [5, 5], [9, 14]])])
    hidden = scores(model, graph.without_links(batch), batch)
    torch.testing.assert_close(scores(model, graph, batch), hidden, rtol=0, atol=0)
    torch.testing.assert_close(scores(model.eval(), graph.without_links(batch), batch), hidden)


@pytest.mark.parametrize("aggregate", ["pna", "sum", "mean", "max", "min"])
def test_scores_depend_neither_on_direction_nor_on_batches(aggregate: str) -> None:
    graph = karate_club()
    model = build(graph, aggregate=aggregate).eval()
    pairs = all_pairs(graph)[::7]
    together = scores(model, graph, pairs)
    torch.testing.assert_close(scores(model, graph, pairs.flip(1)), together)
    torch.testing.assert_close(torch.cat([scores(model, graph, each) for each in pairs.split(11)]), together)
    assert scores(model, graph, pairs[:0]).shape == (0,)


def test_scores_do_not_depend_on_how_nodes_are_numbered() -> None:
    graph = karate_club()
    model = build(graph).eval()
    place = torch.randperm(34, generator=torch.Generator().manual_seed(3))
    moved = Graph.from_edges(34, place[graph.links])
    pairs = all_pairs(graph)[::5]
    torch.testing.assert_close(scores(model, moved, place[pairs]), scores(model, graph, pairs), rtol=1e-4, atol=1e-5)


def test_every_parameter_learns_and_training_can_be_repeated() -> None:
    graph = karate_club()
    results = []
    for _ in range(2):
        model = build(graph).train()
        scores(model, graph, graph.links[:20]).square().sum().backward()
        assert all(each.grad is not None and bool(each.grad.any()) for each in model.parameters())
        results.append(torch.cat([each.grad.flatten() for each in model.parameters()]))
    assert torch.equal(*results)


def test_lonely_nodes_and_empty_graphs_have_scores() -> None:
    empty = Graph.from_edges(3, torch.empty(0, 2, dtype=torch.int64))
    for training in (True, False):
        model = build(empty).train(training)
        assert bool(scores(model, empty, torch.tensor([[0, 1], [0, 1], [2, 2]])).isfinite().all())
