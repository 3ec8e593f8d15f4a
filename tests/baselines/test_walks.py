"""Walks are walks, and they go where Grover and Leskovec say, with the probabilities that they say."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hlgnn.baselines.skip_gram import walks as walks_module
from hlgnn.baselines.skip_gram.noise import Noise
from hlgnn.baselines.skip_gram.walks import WalkRule, draw_walks
from hlgnn.graph import Graph

# A triangle with a tail, a square, and a node without links.
EDGES = torch.tensor([[0, 1], [1, 2], [0, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 3], [1, 4]])
NODES = 8


def graph() -> Graph:
    return Graph.from_edges(NODES, EDGES)


def dense() -> np.ndarray:
    return graph().to_pattern().toarray()


def transitions(p: float, q: float) -> np.ndarray:
    """P(x | t, v) by the definition, for every t, v, x.  (N, N, N)"""
    a = dense()
    weight = np.zeros((NODES, NODES, NODES))
    for t, v in zip(*a.nonzero(), strict=True):
        for x in a[v].nonzero()[0]:
            weight[t, v, x] = 1 / p if x == t else 1.0 if a[t, x] else 1 / q
    total = weight.sum(axis=2, keepdims=True)
    return np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)


def counted(rule: WalkRule, turns: int) -> np.ndarray:
    count = np.zeros((NODES, NODES, NODES))
    for turn in range(turns):
        walks = draw_walks(graph(), rule, seed=5, turn=turn)
        np.add.at(count, (walks[:, :-2].ravel(), walks[:, 1:-1].ravel(), walks[:, 2:].ravel()), 1)
    return count


@pytest.mark.parametrize(("p", "q"), [(1.0, 1.0), (0.5, 2.0), (4.0, 0.25), (0.25, 0.25), (1.0, 3.0)])
def test_steps_have_the_probabilities_of_the_definition(p: float, q: float) -> None:
    expected, count = transitions(p, q), counted(WalkRule(100, p, q), turns=200)
    linked = dense().astype(bool)
    total = count.sum(axis=2, keepdims=True)
    assert (total[linked] > 500).all()
    assert (count[linked][expected[linked] == 0] == 0).all()
    # Each count is within five standard deviations, and the sum of all squares is what chance makes of it.
    spread = np.sqrt(total * expected * (1 - expected))
    free = linked[:, :, None] & (spread > 0)
    deviation = ((count - total * expected) / np.where(spread > 0, spread, 1.0))[free]
    assert np.abs(deviation).max() < 5
    square = (((count - total * expected) ** 2) / np.where(expected > 0, total * expected, 1.0))[free].sum()
    degrees = int((free.sum(axis=2) - 1).clip(0).sum())
    assert abs(square - degrees) < 5 * np.sqrt(2 * degrees)


def test_without_p_and_q_steps_are_uniform() -> None:
    a = dense()
    uniform = np.divide(a, a.sum(axis=1, keepdims=True), out=np.zeros_like(a), where=a.sum(axis=1, keepdims=True) > 0)
    probabilities = transitions(1.0, 1.0)
    for t, v in zip(*a.nonzero(), strict=True):
        assert np.allclose(probabilities[t, v], uniform[v])
    shared = graph()
    walks = np.concatenate([draw_walks(shared, WalkRule(2), 1, turn) for turn in range(1500)])
    for node in range(NODES - 1):
        share = np.bincount(walks[walks[:, 0] == node, 1], minlength=NODES) / 1500
        assert np.abs(share - uniform[node]).max() < 0.06


def test_every_step_is_a_link_and_who_has_none_stays() -> None:
    walks, a = draw_walks(graph(), WalkRule(50, 0.3, 5.0), 2), dense()
    assert walks[:, 0].tolist() == list(range(NODES))
    assert (a[walks[:-1, :-1], walks[:-1, 1:]] == 1).all()
    assert (walks[-1] == NODES - 1).all()


def test_walks_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = WalkRule(30, 0.5, 2.0)
    several = draw_walks(graph(), rule, 3, turn=4)
    for parts in (1, 3, NODES):
        monkeypatch.setattr(walks_module, "PARTS", parts)
        assert (draw_walks(graph(), rule, 3, turn=4) == several).all()


def test_seeds_and_turns_give_other_walks() -> None:
    first = draw_walks(graph(), WalkRule(30), 0)
    assert (first != draw_walks(graph(), WalkRule(30), 1)).any()
    assert (first != draw_walks(graph(), WalkRule(30), 0, turn=1)).any()


def test_a_graph_without_nodes_has_no_walks() -> None:
    assert draw_walks(Graph.from_edges(0, torch.empty(0, 2)), WalkRule(5), 0).shape == (0, 5)


@pytest.mark.parametrize("power", [0.0, 0.75, 1.0])
def test_noise_has_the_powers_of_the_counts(power: float) -> None:
    counts = np.array([1, 1, 50, 7, 300, 2, 13, 1])
    expected = counts**power / (counts**power).sum()
    assert np.allclose(Noise.of_counts(counts, power).probabilities(), expected)
