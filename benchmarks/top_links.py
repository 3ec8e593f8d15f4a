"""The exact best 1 000 missing links of all pairs by trained models, beside what is usually written, and faiss.

Every head at 20 000 nodes, and the heads whose scores are a matrix product at 200 000. The models are trained for some
steps on a graph of communities with a heavy tail of degrees, so that lengths and scores are not those of noise. Beside
ours stands brute force in torch: blocks of a matrix product (or batches of ``model.score``), links set to −∞, ``topk``
of each block, ``topk`` of what is left. Where it would take too long it is measured on a slice of the rows and scaled,
which the result says. ``faiss.IndexFlatIP`` answers another question, the ten nearest of every node with links and the
node itself among them; it is there because it is what people reach for. Each is measured in a process of its own.

Example:
    python benchmarks/top_links.py --out results/benchmarks/top_links.json
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from hlgnn.graph import Graph
from hlgnn.jobs.versions import versions
from hlgnn.models import HLGNN, HLGNNSettings
from hlgnn.ranking import Candidates, top_model_links

WIDTH, BEST, COMMUNITY, MEMORY_BAR = 64, 1000, 100, 4.0
CASES = [
    (20_000, "dot"),
    (20_000, "cosine"),
    (20_000, "diagonal"),
    (20_000, "mlp"),
    (20_000, "residual"),
    (200_000, "dot"),
    (200_000, "cosine"),
]
METHODS = ("hlgnn", "torch", "faiss")
PRODUCTS = ("dot", "cosine", "diagonal")
SLICE_ROWS, SLICE_PAIRS, SLICE_QUERIES = 8, 1 << 22, 4096
BLOCK_ROWS, BATCH_PAIRS, NEIGHBOURS = 1024, 1 << 16, 10


def make_graph(nodes: int) -> Graph:
    """Communities of a hundred nodes, ten links for each node, nine of them inside; some nodes have many more."""
    generator = torch.Generator().manual_seed(0)
    count = 5 * nodes
    source = (nodes * torch.rand(count, generator=generator) ** 1.5).long().clamp(max=nodes - 1)
    inside = source // COMMUNITY * COMMUNITY + torch.randint(COMMUNITY, (count,), generator=generator)
    anywhere = torch.randint(nodes, (count,), generator=generator)
    target = torch.where(torch.rand(count, generator=generator) < 0.9, inside.clamp(max=nodes - 1), anywhere)
    label = torch.randperm(nodes, generator=generator)  # neighbours must not be recognised by their numbers
    return Graph.from_edges(nodes, torch.stack([label[source], label[target]], dim=1))


def make_model(graph: Graph, kind: str) -> HLGNN:
    """Learned vectors of 64 numbers, three layers, and a head."""
    settings = {
        "input": {"source": "embedding", "embedding_width": WIDTH, "hidden": 0},
        "propagation": {"depth": 3},
        "head": {"kind": kind, "hidden": WIDTH},
        "path": "plain",
    }
    return HLGNN(graph, HLGNNSettings.model_validate(settings), torch.Generator().manual_seed(1))


def train(graph: Graph, model: HLGNN, steps: int) -> float:
    """Steps of cross-entropy over links and random pairs; the share of links above random pairs at the end."""
    generator = torch.Generator().manual_seed(2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    prepared = model.prepare(graph)
    links = graph.links
    scores = torch.empty(0)
    for _ in range(steps):
        positive = links[torch.randint(len(links), (1 << 16,), generator=generator)]
        negative = torch.randint(graph.num_nodes, (1 << 16, 2), generator=generator)
        scores = model.score(model.encode(prepared), torch.cat([positive, negative]))
        loss = binary_cross_entropy_with_logits(scores, torch.tensor([1.0, 0.0]).repeat_interleave(1 << 16))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return float((scores[: 1 << 16] > scores[1 << 16 :]).float().mean())


def hide_known(scores: Tensor, graph: Graph, rows: Tensor) -> None:
    """−∞ for links and for pairs that another row has.  (R, N)"""
    start, stop = int(rows[0]), int(rows[-1]) + 1
    links = graph.links[(graph.links[:, 0] >= start) & (graph.links[:, 0] < stop)]
    scores[links[:, 0] - start, links[:, 1]] = -torch.inf
    scores.masked_fill_(torch.arange(scores.shape[1]) <= rows[:, None], -torch.inf)


def merge(best: Tensor, keys: Tensor, scores: Tensor, found: Tensor) -> tuple[Tensor, Tensor]:
    """The best of both."""
    every, names = torch.cat([best, scores]), torch.cat([keys, found])
    top = every.topk(min(BEST, len(every)))
    return top.values, names[top.indices]


def brute_product(graph: Graph, model: HLGNN, state: Any, blocks: int) -> tuple[float, Tensor, Tensor]:
    """Blocks of rows of the matrix; evenly spread ones if not all. Returns the share that was done."""
    form = model.product_form(state)
    assert form is not None
    nodes = graph.num_nodes
    every = torch.arange(nodes).split(BLOCK_ROWS)
    chosen = every[:: max(1, len(every) // blocks)] if blocks else every
    best, keys = torch.empty(0), torch.empty(0, dtype=torch.int64)
    for rows in chosen:
        scores = form.left[rows] @ form.right.T + form.shift
        hide_known(scores, graph, rows)
        top = scores.flatten().topk(BEST)
        best, keys = merge(best, keys, top.values, rows[0] * nodes + top.indices)
    return sum(len(rows) for rows in chosen) / nodes, best, keys


def brute_scores(graph: Graph, model: HLGNN, state: Any, most: int) -> tuple[float, Tensor, Tensor]:
    """Batches of ``model.score`` row by row, until ``most`` pairs are done. Returns the share that was done."""
    nodes, done = graph.num_nodes, 0
    best, keys = torch.empty(0), torch.empty(0, dtype=torch.int64)
    for node in range(nodes):
        columns = torch.arange(node + 1, nodes)
        pairs = torch.stack([torch.full_like(columns, node), columns], dim=1)
        pairs = pairs[~graph.has_links(pairs)]
        done += len(columns)
        for batch in pairs.split(BATCH_PAIRS):
            scores = model.score(state, batch)
            top = scores.topk(min(BEST, len(scores)))
            best, keys = merge(best, keys, top.values, (batch[:, 0] * nodes + batch[:, 1])[top.indices])
        if done >= most:
            break
    return done / (nodes * (nodes - 1) // 2), best, keys


def nearest(graph: Graph, model: HLGNN, state: Any, queries: int) -> float:
    """The ten nearest of every node, or of some; building the index included. Returns the share that was done."""
    import faiss

    faiss.omp_set_num_threads(torch.get_num_threads())
    form = model.product_form(state)
    assert form is not None
    index = faiss.IndexFlatIP(WIDTH)
    index.add(form.right.contiguous().numpy())
    some = form.left[:queries] if queries else form.left
    index.search(some.contiguous().numpy(), NEIGHBOURS)
    return len(some) / graph.num_nodes


@torch.no_grad()
def measure(method: str, nodes: int, kind: str, weights: Path, threads: int) -> dict[str, Any]:
    """One method on one trained model: seconds, scaled if only a part was done, and peak memory."""
    torch.set_num_threads(threads)
    graph = make_graph(nodes)
    model = make_model(graph, kind)
    model.load_state_dict(load_file(weights))
    model.eval()
    state = model.encode(model.prepare(graph))
    _ = graph.links
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    large, share, best, keys = nodes > 50_000, 1.0, torch.empty(0), torch.empty(0, dtype=torch.int64)
    wall, processor = time.perf_counter(), time.process_time()
    if method == "hlgnn":
        ranked = top_model_links(model, state, Candidates(graph), BEST)
        best, keys = ranked.scores, ranked.pairs[:, 0] * nodes + ranked.pairs[:, 1]
    elif method == "faiss":
        share = nearest(graph, model, state, SLICE_QUERIES if large else 0)
    elif kind in PRODUCTS:
        share, best, keys = brute_product(graph, model, state, SLICE_ROWS if large else 0)
    else:
        share, best, keys = brute_scores(graph, model, state, SLICE_PAIRS)
    measured, used = time.perf_counter() - wall, time.process_time() - processor
    return {
        "seconds": measured / share,
        "processor_seconds": used / share,
        "million_pairs_per_second": nodes * (nodes - 1) / 2 / (measured / share) / 1e6,
        "share_measured": share,
        "peak_gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "gigabytes_before": before,
        "best": best.tolist(),
        "keys": keys.tolist(),
    }


def run_one(method: str, nodes: int, kind: str, weights: Path, threads: int) -> dict[str, Any]:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--one", method, "--nodes", str(nodes), "--head", kind]
    command += ["--weights", str(weights), "--threads", str(threads)]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    result: dict[str, Any] = json.loads(output.splitlines()[-1])
    return result


def run_case(nodes: int, kind: str, steps: int, threads: int) -> dict[str, Any]:
    """Train once, measure every method, and compare what was found."""
    graph = make_graph(nodes)
    model = make_model(graph, kind)
    area = train(graph, model, steps)
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder) / "model.safetensors"
        save_file(model.state_dict(), weights)
        methods = METHODS if kind in ("dot", "cosine") else METHODS[:2]
        found = {method: run_one(method, nodes, kind, weights, threads) for method in methods}
    ours, theirs = found["hlgnn"], found["torch"]
    result: dict[str, Any] = {"nodes": nodes, "head": kind, "links_above_random_pairs": area}
    for figure in ("seconds", "processor_seconds"):
        result[f"times_less_{figure}_than_torch"] = theirs[figure] / ours[figure]
    result["within_memory"] = ours["peak_gigabytes"] < MEMORY_BAR
    if theirs["share_measured"] == 1.0:
        result["same_pairs_as_torch"] = len(set(ours["keys"]) & set(theirs["keys"])) / BEST
        gaps = [abs(a - b) / max(1.0, abs(b)) for a, b in zip(ours["best"], theirs["best"], strict=True)]
        result["largest_relative_difference_of_scores"] = max(gaps)
    else:  # a good pair of the slice must be among ours, whatever the other rows hold
        least = ours["best"][-1] + 1e-4
        good = {key for key, score in zip(theirs["keys"], theirs["best"], strict=True) if score > least}
        result["good_pairs_of_the_slice"] = len(good)
        result["of_them_found"] = len(good & set(ours["keys"]))
    result["best_score"], result["last_score"] = ours["best"][0], ours["best"][-1]
    for each in found.values():
        del each["best"], each["keys"]
    return {**result, "methods": found}


def main() -> None:
    """Measure case after case; each is written at once, in the place of an older one in the same file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--one", choices=METHODS)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--head")
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(*(getattr(arguments, n) for n in ("one", "nodes", "head", "weights", "threads")))))
        return
    torch.set_num_threads(arguments.threads)
    results: dict[str, Any] = {
        "what": "exact best 1000 of all missing links; seconds are scaled where share_measured is below one",
        "faiss": "IndexFlatIP: ten nearest of each node, links included; another question, at the same price of pairs",
        "threads": arguments.threads,
        "width": WIDTH,
        "memory_bar_gigabytes": MEMORY_BAR,
        "versions": versions(),
        "cases": [],
    }
    if arguments.out and arguments.out.exists():
        results["cases"] = json.loads(arguments.out.read_text(encoding="utf-8"))["cases"]
    for nodes, kind in CASES:
        if (arguments.nodes or nodes) != nodes or (arguments.head or kind) != kind:
            continue
        measured = run_case(nodes, kind, arguments.steps, arguments.threads)
        print(json.dumps(measured), flush=True)
        others = [each for each in results["cases"] if (each["nodes"], each["head"]) != (nodes, kind)]
        results["cases"] = sorted([*others, measured], key=lambda each: CASES.index((each["nodes"], each["head"])))
        if arguments.out:
            arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
