"""Sketches: their errors are those of the theory, and a union of sets has the union of their sketches."""

import math

import numpy as np
import pytest
import torch

from hlgnn.baselines.buddy import BuddySettings
from hlgnn.baselines.buddy.cardinality import count_rows, count_tables
from hlgnn.baselines.buddy.hashes import first_minhashes, first_registers, node_hashes
from hlgnn.baselines.buddy.sketches import Sketches, build_sketches
from hlgnn.graph import Graph, path, star

NODES, PERMUTATIONS, PRECISION = 60_000, 128, 8
TRIALS = 200


@pytest.fixture(scope="module")
def hashes() -> np.ndarray:
    return first_minhashes(NODES, PERMUTATIONS, 1)


@pytest.fixture(scope="module")
def registers() -> np.ndarray:
    return first_registers(NODES, PRECISION)


def estimate(rows: np.ndarray, precision: int = PRECISION) -> np.ndarray:
    counts = np.empty(len(rows))
    count_rows(rows, *count_tables(precision), counts, 0, len(rows))
    return counts


def random_graph(seed: int, nodes: int = 300, links: int = 700) -> Graph:
    return Graph.from_edges(nodes, torch.randint(nodes, (links, 2), generator=torch.Generator().manual_seed(seed)))


def reduced(graph: Graph, hop: int, first: np.ndarray, how: np.ufunc) -> np.ndarray:
    """Sketches of the sets of nodes within ``hop`` hops, from the sets themselves."""
    matrix = np.eye(graph.num_nodes) + graph.to_pattern().toarray()
    inside = np.linalg.matrix_power(matrix, hop) > 0
    return np.stack([how.reduce(first[row], axis=0) for row in inside])


@pytest.mark.parametrize("size", [1, 10, 100, 250, 500, 1000, 5000, 50_000])
def test_the_error_of_a_size_is_that_of_the_theory(registers: np.ndarray, size: int) -> None:
    generator = np.random.default_rng(size)
    rows = np.stack([registers[generator.choice(NODES, size, replace=False)].max(axis=0) for _ in range(TRIALS)])
    errors = estimate(rows) / size - 1
    theory = 1.04 / math.sqrt(1 << PRECISION)
    assert np.sqrt((errors**2).mean()) < theory * (1 + 4 / math.sqrt(2 * TRIALS))
    # Sets of nearly all nodes are nearly the same set: their estimates share one error.
    independent = TRIALS if size < NODES / 10 else 1
    assert abs(errors.mean()) < 4 * theory / math.sqrt(independent)


def test_nothing_is_counted_as_nothing_and_one_as_one(registers: np.ndarray) -> None:
    assert estimate(np.zeros((1, 256), dtype=np.uint8)) == [0.0]
    np.testing.assert_allclose(estimate(registers[:50]), 1.0, atol=0.01)


def test_full_registers_count_as_more_than_can_be_told() -> None:
    full = np.full((1, 16), 61, dtype=np.uint8)
    assert estimate(full, 4)[0] == math.inf
    full[0, 0] = 60
    assert 1e17 < estimate(full, 4)[0] < math.inf


@pytest.mark.parametrize("shared", [0, 50, 200, 380, 400])
def test_the_error_of_jaccards_index_is_that_of_the_theory(hashes: np.ndarray, shared: int) -> None:
    generator, found = np.random.default_rng(shared), []
    jaccard = shared / (800 - shared)
    for _ in range(TRIALS):
        nodes = generator.choice(NODES, 800 - shared, replace=False)
        found.append((hashes[nodes[:400]].min(axis=0) == hashes[nodes[400 - shared :]].min(axis=0)).mean())
    error = math.sqrt(jaccard * (1 - jaccard) / PERMUTATIONS)
    assert abs(np.mean(found) - jaccard) <= 4 * error / math.sqrt(TRIALS)
    assert abs(np.std(found) - error) <= 4 * error / math.sqrt(2 * TRIALS)


def test_the_sketch_of_a_union_is_the_union_of_sketches() -> None:
    graph = random_graph(0)
    settings = BuddySettings(hops=3)
    sketches = build_sketches(graph, settings)
    smallest = first_minhashes(300, settings.permutations, settings.sketch_seed)
    largest = first_registers(300, settings.precision)
    for hop in range(3):
        assert (sketches.hashes[hop] == reduced(graph, hop + 1, smallest, np.minimum)).all()
        assert (sketches.registers[hop] == reduced(graph, hop + 1, largest, np.maximum)).all()


def test_registers_hold_leading_zeros() -> None:
    table = first_registers(2000, PRECISION)
    for node, hashed in enumerate(node_hashes(2000).tolist()):
        (place,) = table[node].nonzero()[0].tolist()
        assert place == hashed % 256
        assert table[node, place] == 56 - (hashed >> 8).bit_length() + 1


def test_hashes_differ_and_depend_on_the_seed() -> None:
    assert len(np.unique(node_hashes(NODES))) == NODES
    first, again, other = (first_minhashes(50, 16, seed) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).all()


def test_the_number_of_threads_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(1)
    pairs = torch.randint(300, (3000, 2), generator=torch.Generator().manual_seed(2))

    def with_threads(count: int) -> tuple[Sketches, torch.Tensor]:
        for module in ("hlgnn.graph.threads", "hlgnn.baselines.buddy.sketches"):
            monkeypatch.setattr(f"{module}.num_threads", lambda: count)
        sketches = build_sketches(graph, BuddySettings(hops=3))
        return sketches, sketches.intersections(pairs)

    one, counts = with_threads(1)
    for count in (2, 7):
        several, same = with_threads(count)
        assert (one.hashes == several.hashes).all()
        assert (one.registers == several.registers).all()
        assert torch.equal(one.sizes, several.sizes)
        assert torch.equal(counts, same)


def test_intersections_are_jaccard_times_union() -> None:
    sketches = build_sketches(random_graph(3), BuddySettings(hops=2))
    found = sketches.intersections(torch.tensor([[4, 9], [9, 4], [5, 5]]))
    for k in range(2):
        for other in range(2):
            share = (sketches.hashes[k, 4] == sketches.hashes[other, 9]).mean()
            union = np.maximum(sketches.registers[k, 4], sketches.registers[other, 9])
            assert float(found[0, k, other]) == pytest.approx(share * estimate(union[None])[0])
    assert torch.equal(found[0], found[1].T)
    assert torch.equal(found[2].diagonal(), sketches.sizes[5])  # a set meets itself in all of itself


def test_a_node_alone_is_its_own_neighbourhood() -> None:
    graph = Graph.from_edges(3, torch.tensor([[0, 1]]))
    sketches = build_sketches(graph, BuddySettings(hops=2))
    assert sketches.sizes[2].tolist() == pytest.approx([1.0, 1.0], abs=0.01)
    assert sketches.intersections(torch.tensor([[0, 2]])).tolist() == [[[0.0, 0.0], [0.0, 0.0]]]
    assert sketches.intersections(torch.empty(0, 2, dtype=torch.int64)).shape == (0, 2, 2)


def test_sizes_on_graphs_with_known_ones() -> None:
    settings = BuddySettings(hops=3)
    assert build_sketches(path(10), settings).sizes[0].tolist() == pytest.approx([2.0, 3.0, 4.0], rel=0.02)
    hub = build_sketches(star(leaves=150), settings).sizes[0]
    assert hub.tolist() == pytest.approx([151.0] * 3, rel=0.2)
