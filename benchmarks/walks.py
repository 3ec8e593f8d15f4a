"""How long vectors from random walks take: ours beside the packages ``fastnode2vec`` and ``node2vec``.

All three have the same job on a graph of Pubmed's size: the same number of walks from each node, of the same length,
with p = 0.5 and q = 2, and skip-gram with the same window, width, negatives and passes, on the same number of threads.
``fastnode2vec`` draws walks anew in every pass, as ours does; ``node2vec`` draws them once. The seconds are those from
a graph in the package's own form to vectors, without what is compiled, which a first small job takes care of. A package
that is not installed is reported as missing. Beside the seconds stands what the vectors are worth: the AUC of their
dot product on held-out links and as many random pairs. Ours draws negatives once for each place of a walk, and not for
each pair of it, which is a part of its speed.

Example:
    python benchmarks/walks.py --out results/benchmarks/walks.json
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.metrics import roc_auc_score

from hlgnn.baselines.skip_gram.skip_gram import SkipGramRule, learn_vectors
from hlgnn.baselines.skip_gram.walks import WalkRule, draw_walks
from hlgnn.graph import Graph
from hlgnn.jobs.versions import versions

NODES, LINKS, GROUP = 19_717, 44_324, 60
BARS = {"fastnode2vec": 2.0, "node2vec": 10.0}
HELD_OUT = 4000


@dataclass(frozen=True)
class Job:
    """What everyone does.

    Attributes:
        walks: Walks from each node in a pass.
        passes: Passes of skip-gram.
        length: Nodes of a walk.
        window: The largest distance within a window.
        width: How long vectors are.
        negatives: Noise nodes.
        p: Of Node2vec.
        q: Of Node2vec.
        threads: Workers of the packages; ours learns on one thread, and draws walks on all.
    """

    walks: int = 4
    passes: int = 1
    length: int = 40
    window: int = 5
    width: int = 128
    negatives: int = 5
    p: float = 0.5
    q: float = 2.0
    threads: int = 1


@dataclass(frozen=True)
class Seconds:
    """Of the clock, and of processors, which a busy machine does not stretch.

    Attributes:
        clock: Seconds that went by.
        processor: Seconds that this process computed, on all of its threads.
    """

    clock: float
    processor: float

    @classmethod
    def now(cls) -> Seconds:
        """Where both stand."""
        return cls(time.perf_counter(), time.process_time())

    def since(self, start: Seconds) -> Seconds:
        """From there to here."""
        return Seconds(self.clock - start.clock, self.processor - start.processor)


def make_graph(nodes: int, links: int) -> Graph:
    """Groups of ``GROUP`` nodes with a heavy tail of degrees within; one link in ten leaves its group."""
    generator = torch.Generator().manual_seed(0)
    count = links * 3 // 2
    source = torch.randint(nodes, (count,), generator=generator)
    inside = (GROUP * torch.rand(count, generator=generator) ** 1.6).long()
    near = (source // GROUP * GROUP + inside).clamp(max=nodes - 1)
    far = torch.randint(nodes, (count,), generator=generator)
    target = torch.where(torch.rand(count, generator=generator) < 0.1, far, near)
    graph = Graph.from_edges(nodes, torch.stack([source, target], dim=1))
    keep = torch.randperm(graph.num_links, generator=generator)[:links]
    return graph.keep_links(keep.sort().values)


def ours(graph: Graph, job: Job) -> tuple[Seconds, np.ndarray]:
    """Seconds, of the clock and of processors, and vectors of our kernels."""
    rule = SkipGramRule(job.width, job.window, job.negatives, turns=job.walks * job.passes)
    start = Seconds.now()
    vectors = learn_vectors(graph, WalkRule(job.length, job.p, job.q), rule, seed=0)
    return Seconds.now().since(start), vectors


def fastnode2vec(graph: Graph, job: Job) -> tuple[Seconds, np.ndarray]:
    """The same of ``fastnode2vec``, which has one walk from each node in a pass."""
    from fastnode2vec import Graph as TheirGraph
    from fastnode2vec import Node2Vec

    theirs = TheirGraph([(str(i), str(j)) for i, j in graph.links.tolist()], directed=False, weighted=False)
    start = Seconds.now()
    model = Node2Vec(
        theirs, job.width, job.length, job.window, job.p, job.q, workers=job.threads, negative=job.negatives
    )
    model.train(job.walks * job.passes, verbose=False)
    return Seconds.now().since(start), _rows(model.wv, graph)


def node2vec(graph: Graph, job: Job) -> tuple[Seconds, np.ndarray]:
    """The same of ``node2vec``, whose tables of probabilities are part of the job."""
    import networkx
    from node2vec import Node2Vec

    theirs = networkx.Graph((str(i), str(j)) for i, j in graph.links.tolist())
    start = Seconds.now()
    walker = Node2Vec(theirs, job.width, job.length, job.walks, job.p, job.q, workers=job.threads, quiet=True, seed=0)
    model = walker.fit(window=job.window, negative=job.negatives, epochs=job.passes, min_count=1)
    return Seconds.now().since(start), _rows(model.wv, graph)


def _rows(vectors: Any, graph: Graph) -> np.ndarray:
    """Vectors in the order of the nodes; zeros for nodes that a package does not know, as they have no links."""
    table = np.zeros((graph.num_nodes, vectors.vector_size), dtype=np.float32)
    known = [node for node in range(graph.num_nodes) if str(node) in vectors]
    table[known] = vectors[[str(node) for node in known]]
    return table


METHODS: dict[str, Callable[[Graph, Job], tuple[Seconds, np.ndarray]]] = {
    "hlgnn": ours,
    "fastnode2vec": fastnode2vec,
    "node2vec": node2vec,
}


def area(vectors: np.ndarray, links: np.ndarray, others: np.ndarray) -> float:
    """The AUC of the dot product."""
    pairs = np.concatenate([links, others])
    products = (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(axis=1)
    return float(roc_auc_score(np.arange(len(pairs)) < len(links), products))


def compare(job: Job, methods: list[str], repeats: int) -> dict[str, Any]:
    """Least seconds, AUC, and how many times faster ours is than each package."""
    whole = make_graph(NODES, LINKS + HELD_OUT)
    generator = torch.Generator().manual_seed(1)
    order = torch.randperm(whole.num_links, generator=generator)
    held_out, graph = whole.links[order[:HELD_OUT]].numpy(), whole.keep_links(order[HELD_OUT:].sort().values)
    others = torch.randint(NODES, (HELD_OUT, 2), generator=generator).numpy()
    results: dict[str, Any] = {"walks alone, hlgnn": walking_seconds(graph, job)}
    for name in ["hlgnn", *(name for name in methods if name != "hlgnn")]:
        if name != "hlgnn" and importlib.util.find_spec(name) is None:
            results[name] = "missing"
            continue
        METHODS[name](make_graph(200, 400), Job(walks=1, length=5, threads=job.threads))
        runs = [METHODS[name](graph, job) for _ in range(repeats)]
        clock, processor = (min(getattr(taken, kind) for taken, _ in runs) for kind in ("clock", "processor"))
        results[name] = {"seconds": clock, "processor_seconds": processor, "auc": area(runs[0][1], held_out, others)}
        if name != "hlgnn":
            base = results["hlgnn"]
            results[name]["times_slower"] = clock / base["seconds"]
            results[name]["times_slower, processor"] = processor / base["processor_seconds"]
    return results


def walking_seconds(graph: Graph, job: Job) -> float:
    """Seconds of all walks of one pass."""
    rule = WalkRule(job.length, job.p, job.q)
    draw_walks(make_graph(200, 400), rule, 0)
    start = time.perf_counter()
    for turn in range(job.walks):
        draw_walks(graph, rule, 0, turn)
    return time.perf_counter() - start


def main() -> None:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", module="gensim|node2vec|fastnode2vec")
    job = Job(threads=arguments.threads)
    results: dict[str, Any] = {"job": asdict(job), **compare(job, arguments.methods, arguments.repeats)}
    results["bars, times slower"] = BARS
    results["versions"] = versions()
    print(json.dumps(results, indent=2), flush=True)
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
