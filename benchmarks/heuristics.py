"""How long heuristics take on a large graph, beside python-graphblas, scipy and networkx, in one run on the same pairs.

Each section measures us and its peers in turns, checks that they agree, and says how many times faster we are; a
section is a function in ``SECTIONS``. Needs ``pip install python-graphblas networkx``; a peer that is missing
is left out.

Example:
    python benchmarks/heuristics.py --nodes 50000 --links 500000 --pairs 1000000 --out results.json
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from numba import njit

import growth
from global_heuristics import measure_katz, measure_pagerank
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.local_heuristics import LOCAL_HEURISTICS, adamic_adar, jaccard, score_locals
from hlgnn.formulation.operators import ADJ, COL
from hlgnn.formulation.top_local import top_local
from hlgnn.graph import Graph, to_networkx

Ints = npt.NDArray[np.int64]
Results = dict[str, object]

REPEATS = 5
TRIANGLES = 0.5
PAIRS_FOR_NETWORKX = 5000
CORA = (2708, 5278)  # nodes and links


@dataclass(frozen=True)
class Bench:
    """What every section works on."""

    graph: Graph
    pairs: torch.Tensor  # (P, 2)
    seed: int


@njit(cache=True)
def _known(targets: Ints, count: int, target: int) -> bool:
    """Whether ``target`` is among the first ``count`` ones."""
    return bool(np.any(targets[:count] == target))


@njit(cache=True)
def _attach(nodes: int, each: int, triangles: float, seed: int) -> Ints:
    """Edges (E, 2): every new node attaches to ``each`` older ones; row ``r`` belongs to node ``each + r // each``."""
    np.random.seed(seed)  # noqa: NPY002 - numba's own generator, seeded here
    targets = np.empty((nodes - each) * each, dtype=np.int64)
    pool = np.empty(
        16 * len(targets) + 4 * nodes, dtype=np.int32
    )  # neighbours of a node lie together, and move to grow
    start, size, room, free = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64), np.zeros(nodes, np.int64), 0
    for node in range(each, nodes):
        first = (node - each) * each
        for step in range(each):
            last = targets[first + step - 1] if step > 0 else 0
            target = -1
            if step > 0 and np.random.random() < triangles:  # noqa: NPY002
                target = pool[start[last] + np.random.randint(size[last])]  # noqa: NPY002
            while target < 0 or target == node or _known(targets[first:], step, target):
                edge = np.random.randint(2 * first) if first > 0 else 0  # noqa: NPY002
                target = (each + edge // (2 * each) if edge % 2 else targets[edge // 2]) if first > 0 else step
            targets[first + step] = target
            for end, other in ((node, target), (target, node)):
                if size[end] == room[end]:
                    moved = max(4, 2 * room[end])
                    pool[free : free + size[end]] = pool[start[end] : start[end] + size[end]]
                    start[end], room[end], free = free, moved, free + moved
                pool[start[end] + size[end]] = other
                size[end] += 1
    return np.stack((each + np.arange(len(targets)) // each, targets), axis=1)


def power_law_cluster(nodes: int, links: int, seed: int) -> Graph:
    """The graph of Holme and Kim (2002): a power-law tail of degrees, and triangles.

    A new node attaches to ends of random older edges, which prefers nodes of high degree; after each of them, with
    probability one half, to a neighbour of the last one, which closes a triangle. The same model as networkx's
    ``powerlaw_cluster_graph``, a hundred times faster.
    """
    edges = _attach(nodes, max(1, round(links / nodes)), TRIANGLES, seed)
    return Graph.from_edges(nodes, torch.from_numpy(edges))


def measure(work: Callable[[], object]) -> dict[str, float]:
    """Wall and processor seconds of one call; the peak is that of the process so far."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return {
        "seconds": time.perf_counter() - wall,
        "processor_seconds": time.process_time() - processor,
        "peak_gigabytes_so_far": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        / (1e9 if sys.platform == "darwin" else 1e9 / 1024),
    }


def in_turns(works: dict[str, Callable[[], object]], repeats: int = REPEATS) -> Results:
    """Measure all, once each per turn, so that a slow moment of the machine meets all of them."""
    for work in works.values():
        work()  # compiles, and fills caches
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            runs[name].append(measure(work))
    medians = {
        name: {figure: statistics.median(run[figure] for run in taken) for figure in taken[0]}
        for name, taken in runs.items()
    }
    return {"medians": medians, "runs": runs}


def times_faster(results: Results, ours: str, figure: str = "seconds") -> dict[str, float]:
    """How many times as long as ours the others take."""
    medians = results["medians"]
    assert isinstance(medians, dict)
    return {name: taken[figure] / medians[ours][figure] for name, taken in medians.items() if name != ours}


def check_equal(name: str, ours: torch.Tensor, theirs: npt.ArrayLike) -> None:
    """Stop if a peer has other scores."""
    torch.testing.assert_close(
        ours, torch.as_tensor(np.asarray(theirs), dtype=torch.float64), msg=lambda m: f"{name}: {m}"
    )


def local_requests() -> list[Formulation | object]:
    """CN, RA, AA and Jaccard as networkx counts them."""
    return [
        Formulation("cn", (ADJ, ADJ), (0.0, 0.0, 1.0), self_loops=False),
        Formulation("ra", (COL, ADJ), (0.0, 0.0, 1.0), self_loops=False),
        adamic_adar(self_loops=False),
        jaccard(self_loops=False),
    ]


def _graphblas_product(graph: Graph, pairs: torch.Tensor) -> tuple[Callable[[], object], Callable[[], npt.ArrayLike]]:
    """CN by a masked product, the faster of two ways to write it: with the mask given, and from pairs to scores."""
    import graphblas

    size, source = graph.num_nodes, graph.adjacency.source.numpy()
    target = graph.adjacency.neighbor.long().numpy()
    matrix = graphblas.Matrix.from_coo(source, target, np.ones(len(target)), nrows=size, ncols=size)

    def make_mask() -> object:
        return graphblas.Matrix.from_coo(*pairs.T.numpy(), values=1.0, nrows=size, ncols=size)

    given = make_mask()

    def product(mask: object = given) -> object:
        result = graphblas.Matrix(float, size, size)
        result(mask.S) << matrix.mxm(matrix.T, graphblas.semiring.plus_times)  # type: ignore[attr-defined]
        result.wait()
        return result

    def counts() -> npt.ArrayLike:
        rows, columns, values = product(make_mask()).to_coo()  # type: ignore[attr-defined]
        keys, wanted = (
            rows.astype(np.int64) * size + columns.astype(np.int64),
            pairs[:, 0].numpy() * size + pairs[:, 1].numpy(),
        )
        order = np.argsort(keys)
        place = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
        return np.where(keys[order][place] == wanted, values[order][place], 0.0)

    return product, counts


def _scipy_counts(graph: Graph, pairs: torch.Tensor) -> npt.ArrayLike:
    """CN by products of pairs of rows, in blocks."""
    pattern = graph.to_pattern()
    blocks = pairs.split(100_000)
    return np.concatenate([(pattern[b[:, 0].numpy()] * pattern[b[:, 1].numpy()]).sum(axis=1) for b in blocks])


def _networkx_seconds(bench: Bench, scores: dict[str, torch.Tensor]) -> Results:
    """The four scores of a sample, timed, and drawn out to all pairs."""
    import networkx

    graph, sample = to_networkx(bench.graph), [tuple(pair) for pair in bench.pairs[:PAIRS_FOR_NETWORKX].tolist()]
    peers = {
        "ra": networkx.resource_allocation_index,
        "aa": networkx.adamic_adar_index,
        "jaccard": networkx.jaccard_coefficient,
    }
    seconds = {}
    for name, peer in peers.items():
        start = time.perf_counter()
        found = [score for _, _, score in peer(graph, sample)]
        seconds[name] = (time.perf_counter() - start) * len(bench.pairs) / len(sample)
        check_equal(f"networkx {name}", scores[name][: len(sample)], found)
    start = time.perf_counter()
    found = [len(set(networkx.common_neighbors(graph, i, j))) if i != j else graph.degree(i) for i, j in sample]
    seconds["cn"] = (time.perf_counter() - start) * len(bench.pairs) / len(sample)
    check_equal("networkx cn", scores["cn"][: len(sample)], found)
    return {"sample": len(sample), "seconds_for_all_pairs": seconds, "sum": sum(seconds.values())}


def local_section(bench: Bench) -> Results:
    """CN, RA, AA and Jaccard of all pairs together, beside one of them by the peers."""
    requests = local_requests()
    scores = score_locals(bench.graph, bench.pairs, requests)  # type: ignore[arg-type]
    works: dict[str, Callable[[], object]] = {
        "hlgnn, all four": lambda: score_locals(bench.graph, bench.pairs, requests),  # type: ignore[arg-type]
        "scipy, CN only": lambda: _scipy_counts(bench.graph, bench.pairs),
    }
    check_equal("scipy cn", scores["cn"], _scipy_counts(bench.graph, bench.pairs))
    if installed("python-graphblas"):
        product, counts = _graphblas_product(bench.graph, bench.pairs)
        check_equal("graphblas cn", scores["cn"], counts())
        works["graphblas, CN only, mask given"] = product
        works["graphblas, CN only, from pairs to scores"] = counts
    results = in_turns(works)
    faster = times_faster(results, "hlgnn, all four")
    if installed("networkx"):
        results["networkx"] = _networkx_seconds(bench, scores)
        medians = results["medians"]
        assert isinstance(medians, dict)
        faster["networkx, all four, drawn out from a sample"] = (
            results["networkx"]["sum"] / medians["hlgnn, all four"]["seconds"]  # type: ignore[index]
        )
    return {
        **results,
        "times_faster": faster,
        "times_less_processor_time": times_faster(results, "hlgnn, all four", "processor_seconds"),
    }


def _networkx_top(graph: Graph, k: int) -> list[float]:
    """The best scores by Adamic-Adar: all non-links scored, and sorted."""
    import networkx

    return sorted((score for *_, score in networkx.adamic_adar_index(to_networkx(graph))), reverse=True)[:k]


def _scipy_top(graph: Graph, k: int) -> npt.NDArray[np.float64]:
    """The best scores by Adamic-Adar: one sparse product of two hops, without links and loops."""
    import scipy.sparse

    pattern = graph.to_pattern().astype(np.float64)
    value = 1 / np.log(np.maximum(graph.degree.numpy(), 2))
    product = scipy.sparse.triu((pattern * value) @ pattern, k=1, format="csr")
    product = product - product.multiply(pattern)
    return np.sort(np.partition(product.data, len(product.data) - k)[-k:])[::-1]


def top_section(bench: Bench) -> Results:
    """The best 100 missing links by Adamic-Adar of a graph as large as Cora; every heuristic on the large graph."""
    small, heuristic = power_law_cluster(*CORA, bench.seed), adamic_adar(self_loops=False)
    best = top_local(small, heuristic, 100)
    check_equal("scipy top", best.scores, _scipy_top(small, 100).copy())
    results = in_turns({"hlgnn": lambda: top_local(small, heuristic, 100), "scipy": lambda: _scipy_top(small, 100)})
    faster = times_faster(results, "hlgnn")
    if installed("networkx"):
        start = time.perf_counter()
        check_equal("networkx top", best.scores, _networkx_top(small, 100))
        medians = results["medians"]
        assert isinstance(medians, dict)
        results["networkx_seconds"] = time.perf_counter() - start
        faster["networkx"] = results["networkx_seconds"] / medians["hlgnn"]["seconds"]  # type: ignore[operator]
    large = {}
    for each in [*local_requests()[:2], *(make(self_loops=False) for make in LOCAL_HEURISTICS)]:
        top_local(small, each, 100)  # type: ignore[arg-type]
        large[each.name] = measure(lambda each=each: top_local(bench.graph, each, 100))  # type: ignore[attr-defined, misc]
    return {**results, "times_faster": faster, "large_graph_best_100": large}


def katz_section(bench: Bench) -> Results:
    """Katz of length five for 200 pairs beside NetworKit, which computes all pairs."""
    seconds = measure_katz(bench.graph)
    ours = seconds["hlgnn"]
    return {
        "medians": seconds,
        "times_faster": {name: peer / ours for name, peer in seconds.items() if name != "hlgnn"},
    }


def pagerank_section(bench: Bench) -> Results:
    """Personalised PageRank of 100 sources beside scikit-network, with as many steps as it makes."""
    seconds = measure_pagerank(bench.graph)
    ours = seconds["hlgnn, the same steps"]
    peers = {name: peer / ours for name, peer in seconds.items() if not name.startswith("hlgnn")}
    return {"medians": seconds, "times_faster": peers}


SECTIONS: dict[str, Callable[[Bench], Results]] = {
    "local": local_section,
    "top": top_section,
    "katz": katz_section,
    "pagerank": pagerank_section,
    "growth": lambda _: growth.growth(power_law_cluster),
    "large": lambda _: growth.large(power_law_cluster, 1_000_000),
}
"""Each section stands alone; ``--sections`` chooses among them."""


def installed(package: str) -> bool:
    """Whether a peer can be measured."""
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def machine() -> Results:
    """What the figures were measured on."""
    packages = (
        *("torch", "numba", "numpy", "scipy", "networkx", "python-graphblas"),
        *("networkit", "scikit-network"),
    )
    return {
        "versions": {name: importlib.metadata.version(name) for name in packages if installed(name)},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "load_before": os.getloadavg()[0],
    }


def main() -> None:
    """Measure, print, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--links", type=int, default=500_000)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--sections", nargs="*", choices=list(SECTIONS), default=[name for name in SECTIONS if name != "large"]
    )
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    graph = power_law_cluster(arguments.nodes, arguments.links, arguments.seed)
    generator = torch.Generator().manual_seed(arguments.seed)
    bench = Bench(graph, torch.randint(graph.num_nodes, (arguments.pairs, 2), generator=generator), arguments.seed)
    results: Results = {
        "nodes": graph.num_nodes,
        "links": graph.num_links,
        "largest_degree": int(graph.degree.max()),
        "pairs": arguments.pairs,
        "seed": arguments.seed,
        "machine": machine(),
    }
    for name in arguments.sections:
        section = SECTIONS[name](bench)
        results[name] = section
        print(name, json.dumps({key: value for key, value in section.items() if key != "runs"}, indent=2))
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
