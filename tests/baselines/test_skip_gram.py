"""A step of skip-gram is the gradient of its loss, and vectors of what is walked together come together."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numba import njit
from torch.nn.functional import logsigmoid

from hlgnn.baselines.skip_gram import skip_gram, walks
from hlgnn.baselines.skip_gram.fused_step import WIDTH, fused_step, logistic_table
from hlgnn.baselines.skip_gram.noise import Noise
from hlgnn.baselines.skip_gram.skip_gram import SkipGramRule, learn_vectors, learn_walks, step
from hlgnn.baselines.skip_gram.walks import WalkRule, draw_walks
from hlgnn.graph import Graph

CLIQUE = 8


def two_cliques() -> Graph:
    """Two cliques and one link between them."""
    one = torch.combinations(torch.arange(CLIQUE))
    return Graph.from_edges(2 * CLIQUE, torch.cat([one, one + CLIQUE, torch.tensor([[0, CLIQUE]])]))


def loss(u: torch.Tensor, v: torch.Tensor, targets: list[int]) -> torch.Tensor:
    """−log σ(⟨u, v_c⟩) − Σ_k log σ(−⟨u, v_k⟩)."""
    return -logsigmoid(u @ v[targets[0]]) - sum(logsigmoid(-(u @ v[k])) for k in targets[1:])


def test_a_step_is_the_gradient_of_the_loss() -> None:
    generator = np.random.default_rng(0)
    inputs, outputs = generator.normal(size=5).astype(np.float32), generator.normal(size=(6, 5)).astype(np.float32)
    targets, rate = [2, 4, 0, 5], 0.3
    u, v = torch.from_numpy(inputs.copy()).requires_grad_(), torch.from_numpy(outputs.copy()).requires_grad_()
    loss(u, v, targets).backward()
    room = np.empty(5, np.float32), np.empty(4, np.float32)
    step(inputs, outputs, np.array(targets, dtype=np.int32), np.float32(rate), *room)
    assert np.allclose(inputs, (u - rate * u.grad).detach(), atol=1e-6)
    assert np.allclose(outputs, (v - rate * v.grad).detach(), atol=1e-6)


@njit
def one_step(inputs, node, outputs, targets, count, rate, table):  # type: ignore[no-untyped-def]
    fused_step(inputs, node, outputs, targets, count, rate, table)


@pytest.mark.parametrize("scale", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("count", [1, 6])
def test_the_step_in_registers_is_the_same_up_to_the_table(count: int, scale: float) -> None:
    generator = np.random.default_rng(0)
    inputs, outputs = ((scale * generator.normal(size=(9, WIDTH))).astype(np.float32) for _ in range(2))
    targets, rate = np.array([3, 5, 0, 8, 1, 7], np.int32), np.float32(0.3)
    slow_inputs, slow_outputs = inputs.copy(), outputs.copy()
    room = np.empty(WIDTH, np.float32), np.empty(count, np.float32)
    step(slow_inputs[4], slow_outputs, targets[:count], rate, *room)
    one_step(inputs, np.int32(4), outputs, targets, count, rate, logistic_table())
    largest = 3.0 * scale * 0.3 * 0.0025  # of an error of the table in an entry
    assert np.abs(outputs - slow_outputs).max() < 2 * largest
    assert np.abs(inputs - slow_inputs).max() < 2 * count * largest
    untouched = [node for node in range(9) if node not in targets[:count]]
    assert np.array_equal(outputs[untouched], slow_outputs[untouched])
    assert np.array_equal(np.delete(inputs, 4, axis=0), np.delete(slow_inputs, 4, axis=0))


def test_vectors_of_the_width_of_registers_come_apart_too() -> None:
    vectors = learn_vectors(two_cliques(), WalkRule(20), SkipGramRule(width=WIDTH, window=3, turns=60), seed=1)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine = unit @ unit.T
    inside = np.r_[cosine[:CLIQUE, :CLIQUE].ravel(), cosine[CLIQUE:, CLIQUE:].ravel()].mean()
    assert inside > cosine[:CLIQUE, CLIQUE:].mean() + 0.3


def test_steps_that_no_number_can_hold_stay_finite() -> None:
    inputs, outputs = np.full(4, 30.0, np.float32), np.full((2, 4), -30.0, np.float32)
    step(inputs, outputs, np.array([0, 1], np.int32), np.float32(0.1), np.empty(4, np.float32), np.empty(2, np.float32))
    assert np.isfinite(inputs).all()
    assert np.isfinite(outputs).all()


def test_two_cliques_come_apart() -> None:
    vectors = learn_vectors(two_cliques(), WalkRule(20), SkipGramRule(width=16, window=3, turns=60), seed=1)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine, same = unit @ unit.T, np.arange(2 * CLIQUE) // CLIQUE
    within = cosine[same[:, None] == same]
    across = cosine[same[:, None] != same]
    assert within.mean() > across.mean() + 0.3


def test_the_loss_of_given_walks_falls() -> None:
    graph = two_cliques()
    drawn = draw_walks(graph, WalkRule(20), 0)
    noise = Noise.of_counts(np.bincount(drawn.ravel(), minlength=graph.num_nodes), 0.75)
    generator = np.random.default_rng(0)
    inputs = (generator.random((graph.num_nodes, 8)).astype(np.float32) - 0.5) / 8
    outputs = np.zeros_like(inputs)

    noise_share = torch.from_numpy(noise.probabilities())  # (N,)
    left, right = drawn[:, :-1].ravel(), drawn[:, 1:].ravel()
    source, target = np.concatenate([left, right]), np.concatenate([right, left])

    def expected_loss() -> float:
        """What steps go down in the mean over negatives, of which those that are the target itself are left out."""
        products = torch.from_numpy(inputs.astype(np.float64) @ outputs.T.astype(np.float64))
        terms = noise_share * logsigmoid(-products)  # (N, N)
        negative = terms.sum(dim=1)[source] - terms[source, target]
        return float(-(logsigmoid(products)[source, target] + 5 * negative).mean())

    losses, rates = [expected_loss()], np.array([0.02, 0.02])
    for key in range(60):
        order = generator.permutation(graph.num_nodes)
        rule = (noise.keep, noise.other, 1, 5, rates, np.uint64(key))
        learn_walks(drawn, order, inputs, outputs, *rule, logistic_table())
        losses.append(expected_loss())
    assert losses[20] < losses[0] - 0.1
    assert losses[60] < losses[20]


def test_the_same_seed_gives_the_same_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    def learned(seed: int) -> np.ndarray:
        return learn_vectors(two_cliques(), WalkRule(10, 0.5, 2.0), SkipGramRule(width=8, turns=3), seed)

    first = learned(4)
    monkeypatch.setattr(walks, "PARTS", 1)
    assert (learned(4) == first).all()
    assert (learned(5) != first).any()


def test_the_rate_falls_linearly() -> None:
    rule = SkipGramRule(turns=4, rate=0.1)
    rates = [skip_gram._rate(rule, turn) for turn in range(5)]
    assert rates[0] == 0.1
    assert rates[4] == pytest.approx(0.1 * skip_gram.LAST_RATE)
    assert np.diff(rates) == pytest.approx([(rates[4] - rates[0]) / 4] * 4)


def test_graphs_without_links_or_nodes_have_vectors() -> None:
    rule = SkipGramRule(width=4, turns=2)
    assert np.isfinite(learn_vectors(Graph.from_edges(3, torch.empty(0, 2)), WalkRule(5), rule, 0)).all()
    assert learn_vectors(Graph.from_edges(0, torch.empty(0, 2)), WalkRule(5), rule, 0).shape == (0, 4)
