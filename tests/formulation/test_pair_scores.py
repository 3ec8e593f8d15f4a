"""Scores of pairs are the entries of the dense H, whatever the way, the memory and the threads."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dense_matrices import all_pairs, assert_scores, dense_h, formulations
from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.formulation import pair_scores as pair_scores_module
from hlgnn.formulation.blocks import plan_blocks
from hlgnn.formulation.chain import chain_of
from hlgnn.formulation.cost import plan_dense, plan_pairs
from hlgnn.formulation.estimates import estimate
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.full_rows import rows
from hlgnn.formulation.heuristics import katz, local_random_walk, random_walk_with_restart
from hlgnn.formulation.pair_kernels import meet
from hlgnn.formulation.pair_scores import pair_scores
from hlgnn.formulation.symmetrized import Symmetrized
from hlgnn.graph import Graph, karate_club, star
from strategies import graphs


@given(graph=graphs(max_nodes=9, weighted=None), formulation=formulations())
def test_scores_are_the_entries_of_h(graph: Graph, formulation: Formulation) -> None:
    assert_scores(pair_scores(formulation, graph, all_pairs(graph.num_nodes)), dense_h(graph, formulation))


@given(graph=graphs(max_nodes=9, weighted=None), formulation=formulations(betas=(-2.0, -0.5, 0.0, 1.0)))
def test_negative_betas_are_scored_too(graph: Graph, formulation: Formulation) -> None:
    """Terms may cancel; what is left is right to 1e-12 of what they would be together."""
    scores = pair_scores(formulation, graph, all_pairs(graph.num_nodes)).numpy()
    together = dense_h(graph, replace(formulation, betas=tuple(abs(beta) for beta in formulation.betas)))
    np.testing.assert_allclose(scores, dense_h(graph, formulation).ravel(), rtol=0, atol=1e-12 * together.max())


@given(graph=graphs(max_nodes=8, weighted=None), formulation=formulations(max_depth=5), data=st.data())
def test_every_way_gives_the_same_scores(graph: Graph, formulation: Formulation, data: st.DataObject) -> None:
    """Sparse vectors and dense lanes that meet after any number of hops, and dense blocks of rows and of columns."""
    chain = chain_of(formulation, graph)
    expected = dense_h(graph, formulation)
    if chain.scale is not None:
        expected = expected * np.where(chain.scale > 0, 1 / np.where(chain.scale > 0, chain.scale, 1), 0)[:, None]
    expected = expected.T if chain.flipped else expected
    left, right = all_pairs(graph.num_nodes).numpy().T
    kept = data.draw(st.permutations(range(len(left))))
    left, right = left[list(kept)], right[list(kept)]
    known = chain.scale is None or (chain.scale > 0).all()
    for middle in range(chain.depth + 1):
        found = np.empty(len(left))
        meet(chain.weights, chain.operators, chain.betas, middle, left, right, found)
        if known:
            np.testing.assert_allclose(found, expected[left, right], rtol=1e-12)
    for middle in range(chain.depth):
        lanes = plan_blocks(chain, len(left), 3000, rows=True, copies=1)
        found = pair_scores_module._score_by_lanes(chain, left, right, middle, lanes, lambda *_: None, "")
        if known:
            np.testing.assert_allclose(found, expected[left, right], rtol=1e-12)
    for counts, way in (((1, 2), "rows"), ((2, 1), "columns")):
        plan = plan_dense(chain, *counts, memory=1 << 20)
        assert plan.way == way
        assert plan.blocks is not None
        found = pair_scores_module._score_by_blocks(
            chain, left, right, plan.blocks, lambda *_: None, "", by_rows=way == "rows"
        )
        if known:
            np.testing.assert_allclose(found, expected[left, right], rtol=1e-12)


@given(graph=graphs(min_nodes=2, weighted=None), formulation=formulations(max_depth=12), data=st.data())
def test_full_rows_are_the_rows_of_h(graph: Graph, formulation: Formulation, data: st.DataObject) -> None:
    sources = torch.tensor(data.draw(st.lists(st.integers(0, graph.num_nodes - 1), min_size=1, max_size=40)))
    blocks = list(rows(formulation, graph, sources, memory=data.draw(st.sampled_from((2000, 10_000, 1 << 30)))))
    assert torch.cat([block for block, _ in blocks]).tolist() == sources.tolist()
    assert_scores(torch.cat([scores for _, scores in blocks]).flatten(), dense_h(graph, formulation)[sources.numpy()])


@given(graph=graphs(min_nodes=2, weighted=None), formulation=formulations(max_depth=5), data=st.data())
def test_renumbering_the_nodes_renumbers_the_scores(
    graph: Graph, formulation: Formulation, data: st.DataObject
) -> None:
    place = torch.tensor(data.draw(st.permutations(range(graph.num_nodes))))
    moved = Graph.from_edges(graph.num_nodes, place[graph.links], weight=graph.link_weight)
    pairs = all_pairs(graph.num_nodes)
    assert_scores(pair_scores(formulation, moved, place[pairs]), pair_scores(formulation, graph, pairs).numpy())


@given(graph=graphs(weighted=None), formulation=formulations(max_depth=9))
def test_an_isolated_node_changes_no_other_score(graph: Graph, formulation: Formulation) -> None:
    larger = Graph.from_edges(graph.num_nodes + 1, graph.links, weight=graph.link_weight)
    pairs = all_pairs(graph.num_nodes)
    assert_scores(pair_scores(formulation, larger, pairs), pair_scores(formulation, graph, pairs).numpy())


@given(graph=graphs(weighted=None), formulation=formulations(max_depth=5))
def test_symmetrized_adds_both_directions(graph: Graph, formulation: Formulation) -> None:
    h = dense_h(graph, formulation)
    assert_scores(Symmetrized(formulation).scores(graph, all_pairs(graph.num_nodes)), h + h.T)


@given(graph=graphs(weighted=None), formulation=formulations(max_depth=4))
def test_what_is_called_symmetric_is(graph: Graph, formulation: Formulation) -> None:
    h = dense_h(graph, formulation)
    if formulation.symmetric:
        np.testing.assert_allclose(h, h.T, rtol=1e-12, atol=1e-14 * np.abs(h).max())


def _random_graph(num_nodes: int, num_links: int) -> Graph:
    generator = torch.Generator().manual_seed(1)
    return Graph.from_edges(num_nodes, torch.randint(num_nodes, (num_links, 2), generator=generator))


@pytest.mark.parametrize("order", [3, 5, 30])
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_neither_memory_nor_threads_change_a_score(order: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = _random_graph(300, 900)
    generator = torch.Generator().manual_seed(2)
    pairs = torch.randint(300, (500, 2), generator=generator)
    expected = dense_h(graph, katz(0.03, order))[tuple(pairs.numpy().T)]
    for module in ("blocks", "cost", "pair_scores", "local_scores"):
        monkeypatch.setattr(f"hlgnn.formulation.{module}.num_threads", lambda: threads, raising=False)
    for memory in (7000, 30_000, 1 << 30):
        assert_scores(pair_scores(katz(0.03, order), graph, pairs, memory=memory), expected)


def test_the_workspace_stays_within_the_memory() -> None:
    graph = _random_graph(1000, 5000)
    chain = chain_of(random_walk_with_restart(order=40), graph)
    for memory in (20_000, 100_000, 1_000_000, 1 << 30):
        plan = plan_blocks(chain, 500, memory, rows=True)
        assert plan.size <= memory
        assert plan.size >= plan.at_once * plan.width * 2 * 8 * 1000


def test_too_little_memory_is_refused_with_what_would_suffice() -> None:
    graph, pairs = _random_graph(1000, 5000), torch.tensor([[0, 1]])
    with pytest.raises(SettingsError, match=r"18 kB suffice") as caught:
        pair_scores(random_walk_with_restart(order=40), graph, pairs, memory=10_000)
    assert caught.value.where == "memory"
    pair_scores(random_walk_with_restart(order=40), graph, pairs, memory=18_000)


def test_short_products_of_few_pairs_meet_and_long_ones_run_in_blocks() -> None:
    graph = _random_graph(3000, 9000)
    few = torch.randint(3000, (20, 2), generator=torch.Generator().manual_seed(0)).numpy()
    assert plan_pairs(chain_of(katz(order=4), graph), few[:, 0], few[:, 1], 1 << 30).way == "meet"
    assert plan_pairs(chain_of(katz(order=40), graph), few[:, 0], few[:, 1], 1 << 30).way == "rows"
    one_target = np.zeros_like(few[:, 0])
    assert plan_pairs(chain_of(katz(order=40), graph), few[:, 0], one_target, 1 << 30).way == "columns"


def test_pairs_whose_vectors_fill_the_graph_meet_in_dense_lanes() -> None:
    """Hubs next to every node: two hops reach all others."""
    num_nodes = 2000
    hubs = torch.cartesian_prod(torch.arange(5), torch.arange(5, num_nodes))
    graph = Graph.from_edges(num_nodes, torch.cat([hubs, _random_graph(num_nodes, 4000).links]))
    pairs = torch.randint(num_nodes, (100, 2), generator=torch.Generator().manual_seed(0))
    left, right = pairs.numpy().T.copy()
    assert plan_pairs(chain_of(katz(order=5), graph), left, right, 1 << 30).way == "lanes"
    expected = dense_h(graph, katz(1e-3, 5))[left, right]
    assert_scores(pair_scores(katz(1e-3, 5), graph, pairs), expected)


def test_many_targets_of_one_source_grow_the_left_vector_further() -> None:
    graph = _random_graph(3000, 9000)
    targets = np.arange(3000)
    plan = plan_pairs(chain_of(katz(order=4), graph), np.zeros_like(targets), targets, 1 << 30)
    if plan.way == "meet":
        assert plan.middle == 4
    else:
        assert plan.way == "rows"


def test_progress_ends_at_the_total() -> None:
    told: list[tuple[str, int, int]] = []
    graph = _random_graph(200, 600)
    pairs = torch.randint(200, (300, 2), generator=torch.Generator().manual_seed(0))
    for order in (4, 30):
        told.clear()
        pair_scores(katz(0.01, order), graph, pairs, memory=30_000, progress=lambda *step: told.append(step))
        assert told[0][1] == 0
        assert told[-1][1] == told[-1][2] > 0
        assert [done for _, done, _ in told] == sorted({done for _, done, _ in told})


def test_single_precision_is_right_to_six_digits() -> None:
    graph = karate_club()
    pairs = all_pairs(34)
    exact = pair_scores(random_walk_with_restart(order=60), graph, pairs)
    single = pair_scores(random_walk_with_restart(order=60), graph, pairs, single=True)
    assert single.dtype == torch.float64
    assert not torch.equal(single, exact)
    torch.testing.assert_close(single, exact, rtol=1e-5, atol=0)


def test_no_pairs_have_no_scores() -> None:
    assert pair_scores(katz(), star(3), torch.empty(0, 2, dtype=torch.int64)).shape == (0,)


def test_unknown_nodes_are_refused() -> None:
    with pytest.raises(GraphFormatError):
        pair_scores(katz(), star(3), torch.tensor([[0, 4]]))
    with pytest.raises(GraphFormatError):
        rows(local_random_walk(), star(3), torch.tensor([-1]))


def test_estimates_follow_the_plan() -> None:
    graph = _random_graph(2000, 8000)
    pairs = torch.randint(2000, (400, 2), generator=torch.Generator().manual_seed(0))
    long = random_walk_with_restart()
    few, many = estimate(long, graph, pairs[:40]), estimate(long, graph, pairs)
    assert {few.way, many.way} <= {"rows", "columns"}
    assert few.seconds < many.seconds
    assert 0 < few.bytes <= 2 << 30
    assert estimate(katz(order=3), _random_graph(20_000, 40_000), pairs[:5]).way == "meet"
    with pytest.raises(SettingsError):
        estimate(long, graph, pairs, memory=1000)


@settings(max_examples=20)
@given(graph=graphs(min_nodes=2))
def test_walks_of_a_row_stay_probabilities(graph: Graph) -> None:
    for self_loops in (True, False):
        walk = random_walk_with_restart(alpha=0.7, tolerance=1e-14, self_loops=self_loops).on(graph)
        sums = torch.cat([scores.sum(dim=1) for _, scores in rows(walk, graph, torch.arange(graph.num_nodes))])
        reached = (graph.degree > 0) | self_loops
        expected = 1 - 0.7 * (~reached).double()  # who cannot walk on is lost
        torch.testing.assert_close(sums, expected, rtol=1e-12, atol=1e-12)
