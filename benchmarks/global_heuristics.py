"""Katz and PageRank beside NetworKit and scikit-network, and what they take on a large graph.

Peers that are not installed are left out.

Example:
    python benchmarks/global_heuristics.py --nodes 50_000 --links 500_000 --large 1_000_000 --out results.json
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch
from scipy.sparse import csr_matrix

from hlgnn.formulation.full_rows import rows
from hlgnn.formulation.heuristics import katz, random_walk_with_restart
from hlgnn.formulation.pair_scores import pair_scores
from hlgnn.formulation.top_global import top_global
from hlgnn.graph import Graph

REPEATS = 5
KATZ_PAIRS, KATZ_LENGTH, KATZ_GAMMA = 200, 5, 0.005
PAGERANK_SOURCES, PAGERANK_ALPHA = 100, 0.85
SCIKIT_NETWORK_STEPS = 10
"""What its PageRank makes by default, whatever the error."""
LEAST_TIMES_NETWORKIT = 500.0
LEAST_TIMES_SCIKIT_NETWORK = 3.0


def random_graph(num_nodes: int, num_links: int) -> Graph:
    """Links between uniform pairs of nodes."""
    generator = torch.Generator().manual_seed(0)
    return Graph.from_edges(num_nodes, torch.randint(num_nodes, (num_links, 2), generator=generator))


def random_pairs(num_nodes: int, count: int) -> torch.Tensor:
    """Uniform pairs of nodes.  (count, 2)"""
    return torch.randint(num_nodes, (count, 2), generator=torch.Generator().manual_seed(1))


def median_seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """The median of several runs, after one that compiles."""
    work()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def measure_katz(graph: Graph) -> dict[str, float]:
    """Seconds for all pairs together; our scores must equal the powers of the matrix, multiplied by scipy.

    NetworKit's index is measured but not asked for equality: from length three on it counts walks otherwise than the
    powers of the matrix do, on the karate club already.
    """
    pairs = random_pairs(graph.num_nodes, KATZ_PAIRS)
    formulation = katz(KATZ_GAMMA, KATZ_LENGTH, self_loops=False)
    seconds = {"hlgnn": median_seconds(lambda: pair_scores(formulation, graph, pairs))}
    start = time.perf_counter()
    expected = _katz_by_scipy(graph, pairs)
    seconds["scipy"] = time.perf_counter() - start
    torch.testing.assert_close(pair_scores(formulation, graph, pairs), expected, rtol=1e-9, atol=0)
    if importlib.util.find_spec("networkit"):
        seconds["networkit"], _ = _katz_by_networkit(graph, pairs)
    return seconds


def _katz_by_scipy(graph: Graph, pairs: torch.Tensor) -> torch.Tensor:
    """Rows of the powers of A, one product after the other, for all sources together."""
    matrix = graph.to_pattern().astype("float64")
    walks = matrix[pairs[:, 0].numpy()].toarray()  # (P, N)
    scores = KATZ_GAMMA * walks[range(len(pairs)), pairs[:, 1].numpy()]
    for length in range(2, KATZ_LENGTH + 1):
        walks = (matrix @ walks.T).T
        scores += KATZ_GAMMA**length * walks[range(len(pairs)), pairs[:, 1].numpy()]
    return torch.from_numpy(scores)


def _katz_by_networkit(graph: Graph, pairs: torch.Tensor) -> tuple[float, torch.Tensor]:
    import networkit

    theirs = networkit.Graph(graph.num_nodes)
    for i, j in graph.links.tolist():
        theirs.addEdge(i, j)
    index = networkit.linkprediction.KatzIndex(theirs, KATZ_LENGTH, KATZ_GAMMA)
    start = time.perf_counter()
    scores = [index.run(i, j) for i, j in pairs.tolist()]
    return time.perf_counter() - start, torch.tensor(scores, dtype=torch.float64)


def measure_pagerank(graph: Graph) -> dict[str, float]:
    """Seconds for one source, all targets: with as many steps as scikit-network makes, and to an error of 1e-6."""
    sources = random_pairs(graph.num_nodes, PAGERANK_SOURCES)[:, 0]
    same = random_walk_with_restart(PAGERANK_ALPHA, SCIKIT_NETWORK_STEPS, self_loops=False)
    exact = random_walk_with_restart(PAGERANK_ALPHA, tolerance=1e-6, self_loops=False).on(graph)

    def run(formulation: object) -> None:
        for _ in rows(formulation, graph, sources):
            pass

    seconds = {
        "hlgnn, the same steps": median_seconds(lambda: run(same)) / PAGERANK_SOURCES,
        "hlgnn, to 1e-6": median_seconds(lambda: run(exact), 2) / PAGERANK_SOURCES,
    }
    if importlib.util.find_spec("sknetwork"):
        from sknetwork.ranking import PageRank

        matrix = csr_matrix(graph.to_pattern())
        ranks = PageRank(damping_factor=PAGERANK_ALPHA)
        few = sources[:10].tolist()
        _check_pagerank(graph, exact, few[0])
        seconds["scikit-network"] = median_seconds(
            lambda: [ranks.fit_predict(matrix, weights={source: 1}) for source in few], 2
        ) / len(few)
    return seconds


def _check_pagerank(graph: Graph, formulation: object, source: int) -> None:
    """The same ranks once both have converged."""
    from sknetwork.ranking import PageRank

    ranks = PageRank(damping_factor=PAGERANK_ALPHA, n_iter=200, tol=1e-12)
    theirs = torch.from_numpy(ranks.fit_predict(csr_matrix(graph.to_pattern()), weights={source: 1}))
    ours = next(iter(rows(formulation, graph, torch.tensor([source]))))[1][0]
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=0)


def measure_large(num_nodes: int) -> dict[str, float]:
    """Seconds on a graph with ten links for each node, and the peak memory of the process."""
    graph = random_graph(num_nodes, 10 * num_nodes)
    pairs = random_pairs(num_nodes, 10_000)
    walk = random_walk_with_restart(PAGERANK_ALPHA, SCIKIT_NETWORK_STEPS)
    return {
        "Katz of 10 000 pairs": median_seconds(lambda: pair_scores(katz(0.001, 5), graph, pairs), 1),
        "PageRank of 32 sources": median_seconds(lambda: list(rows(walk, graph, pairs[:32, 0])), 1),
        "best 100 of one node": median_seconds(lambda: top_global(graph, katz(0.001, 5), 100, node=0), 1),
        "peak GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


def compare(num_nodes: int, num_links: int, large: int) -> dict[str, dict[str, float]]:
    """All sections."""
    graph = random_graph(num_nodes, num_links)
    found = {f"Katz of {KATZ_PAIRS} pairs, s": measure_katz(graph), "PageRank of a source, s": measure_pagerank(graph)}
    if large:
        found[f"{large} nodes"] = measure_large(large)
    return found


def verdicts(found: dict[str, dict[str, float]]) -> dict[str, bool]:
    """Whether what is promised holds, where the peer was measured."""
    result = {}
    for seconds in found.values():
        if "networkit" in seconds:
            result["500 times NetworKit"] = seconds["networkit"] / seconds["hlgnn"] >= LEAST_TIMES_NETWORKIT
        if "scikit-network" in seconds:
            ratio = seconds["scikit-network"] / seconds["hlgnn, the same steps"]
            result["3 times scikit-network"] = ratio >= LEAST_TIMES_SCIKIT_NETWORK
    return result


def main() -> None:
    """Measure, print, and write if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--links", type=int, default=500_000)
    parser.add_argument("--large", type=int, default=0, help="nodes of a large graph; none by default")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    found = compare(arguments.nodes, arguments.links, arguments.large)
    for section, values in found.items():
        print(section)
        for name, value in values.items():
            print(f"  {name:28} {value:.4g}")
    print(verdicts(found))
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
