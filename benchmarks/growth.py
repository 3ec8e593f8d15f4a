"""How the cost of heuristics grows with links and pairs, and what a graph of ten million links takes."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

import numpy as np
import torch

from hlgnn.formulation import parse, score_table
from hlgnn.graph import Graph

LOCAL = ("cn", "ra", "aa", "jaccard")
GLOBAL = ("katz:gamma=0.001,order=5", "rwr:order=20")
SOURCES, TARGETS = 100, 100
"""Ten thousand pairs as people ask for them: the candidates of some nodes."""


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The power with which the time grows, fitted in logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def uniform_pairs(num_nodes: int, count: int) -> torch.Tensor:
    """Uniform pairs of nodes.  (count, 2)"""
    return torch.randint(num_nodes, (count, 2), generator=torch.Generator().manual_seed(2))


def candidate_pairs(num_nodes: int, sources: int) -> torch.Tensor:
    """``sources`` nodes with 100 candidates each.  (100 · sources, 2)"""
    pairs = uniform_pairs(num_nodes, sources * TARGETS)
    pairs[:, 0] = pairs[:sources, 0].repeat_interleave(TARGETS)
    return pairs


def best_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The best of several runs, after one that compiles."""
    taken = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken[1:])


def score(graph: Graph, pairs: torch.Tensor, names: tuple[str, ...], memory: int = 4 << 30) -> None:
    """Score pairs by heuristics."""
    score_table(graph, pairs, {name: parse(name) for name in names}, memory=memory)


def seconds_of_local(graph: Graph, count: int) -> float:
    """Four local heuristics of ``count`` uniform pairs."""
    pairs = uniform_pairs(graph.num_nodes, count)
    return best_seconds(lambda: score(graph, pairs, LOCAL))


def seconds_of_walks(graph: Graph, sources: int) -> float:
    """Walks with restart from ``sources`` nodes."""
    pairs = candidate_pairs(graph.num_nodes, sources)
    return best_seconds(lambda: score(graph, pairs, GLOBAL[1:]), 1)


def growth(make: Callable[[int, int, int], Graph]) -> dict[str, object]:
    """Fitted exponents of the time in the number of links and of pairs; ``make(nodes, links, seed)`` makes graphs.

    A pair of a local heuristic costs the degree of its end, so links are added between the same nodes. A walk costs all
    links, so the graph grows; it starts where its vectors have left the cache, for that step is no law of growth.
    """
    links = [1_000_000, 2_000_000, 4_000_000, 8_000_000]
    graphs = [make(size // 10, size, 0) for size in links]
    in_links = {
        "local, 1 000 000 pairs": [seconds_of_local(make(100_000, size, 0), 1_000_000) for size in links],
        "rwr, 16 sources": [seconds_of_walks(graph, 16) for graph in graphs],
    }
    counts, sources = [500_000, 1_000_000, 2_000_000, 4_000_000], [16, 32, 64, 128]
    in_pairs = {
        "local": [seconds_of_local(graphs[0], count) for count in counts],
        "rwr": [seconds_of_walks(graphs[0], count) for count in sources],
    }
    exponents = {f"{name}, in links": exponent(links, seconds) for name, seconds in in_links.items()}
    exponents["local, in pairs"] = exponent(counts, in_pairs["local"])
    exponents["rwr, in pairs (100 for each source)"] = exponent(sources, in_pairs["rwr"])
    return {"medians": {"links": in_links, "pairs": in_pairs}, "times_faster": {}, "exponents": exponents}


def large(make: Callable[[int, int, int], Graph], num_nodes: int) -> dict[str, object]:
    """Seconds and peak memory with ten links for each node."""
    graph = make(num_nodes, 10 * num_nodes, 0)
    seconds = {}
    for name, pairs, asked in [
        ("four local heuristics, 1 000 000 uniform pairs", uniform_pairs(num_nodes, 1_000_000), LOCAL),
        ("Katz (length 5), 10 000 uniform pairs", uniform_pairs(num_nodes, 10_000), GLOBAL[:1]),
        ("RWR (20 steps), 10 000 pairs of 100 sources", candidate_pairs(num_nodes, SOURCES), GLOBAL[1:]),
    ]:
        start = time.perf_counter()
        score(graph, pairs, asked)
        seconds[name] = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e9 / 1024)
    size = {"nodes": graph.num_nodes, "links": graph.num_links, "largest_degree": int(graph.degree.max())}
    return {"medians": seconds, "times_faster": {}, "size": size, "peak_gigabytes": peak}
