"""How long enclosing subgraphs take: ours beside one link after the other with scipy, as SEAL's public program has it.

Both give the nodes within three hops of a pair, the links among them without the target link, and the double-radius
label of each; the slow way slices rows of a scipy matrix hop by hop and calls ``shortest_path`` once for each end. The
graphs are random ones with a heavy tail of degrees, of the size of Cora and of Pubmed with 70 % of their links. Every
subgraph of the slow way is compared with ours.

Example:
    python benchmarks/subgraphs.py --out results/benchmarks/subgraphs.json
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from hlgnn.baselines.seal.settings import EnclosingSettings
from hlgnn.baselines.seal.subgraphs import Subgraphs, extract
from hlgnn.graph import Graph
from hlgnn.jobs.versions import versions

SIZES = {"cora-sized": (2_708, 3_696), "pubmed-sized": (19_717, 31_028)}
HOPS, PAIRS, ROUNDS = 3, 400, 5
LEAST_TIMES_SLICING = 20.0
AT_ONCE = 64  # pairs, as in training

Found = tuple[np.ndarray, np.ndarray, csr_array]


def heavy_tailed(nodes: int, links: int) -> Graph:
    """Links whose ends are drawn in proportion to (1 + position)^-½, as often as are wanted."""
    draw = np.random.default_rng(0)
    share = (1 + np.arange(nodes)) ** -0.5
    found = np.empty((0, 2), dtype=np.int64)
    while len(found) < links:
        ends = draw.choice(nodes, size=(2 * links, 2), p=share / share.sum())
        ends = np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1)
        found = np.unique(np.concatenate([found, ends]), axis=0)
    chosen = draw.permutation(len(found))[:links]
    return Graph.from_edges(nodes, torch.from_numpy(draw.permutation(nodes)[found[chosen]]))


def sliced(matrix: csr_array, s: int, t: int) -> Found:
    """Nodes, labels and matrix of one subgraph by slices of rows."""
    nodes, visited, fringe = [s, t], {s, t}, {s, t}
    for _ in range(HOPS):
        fringe = set(matrix[list(fringe)].indices.tolist()) - visited
        if not fringe:
            break
        visited |= fringe
        nodes += fringe
    inside = matrix[nodes][:, nodes].tolil()
    inside[0, 1] = inside[1, 0] = 0
    inside = csr_array(inside)
    inside.eliminate_zeros()
    return np.array(nodes), labels(inside), inside


def labels(inside: csr_array) -> np.ndarray:
    """Double-radius labels from shortest paths to each end with the other one removed."""
    count = inside.shape[0]
    without_t = np.r_[0, 2:count]
    without_s = np.arange(1, count)
    chosen = {"directed": False, "unweighted": True, "indices": 0}
    near = np.insert(shortest_path(inside[without_t][:, without_t], **chosen), 1, 0)
    far = np.insert(shortest_path(inside[without_s][:, without_s], **chosen), 0, 0)
    d = near + far
    with np.errstate(invalid="ignore"):
        label = 1 + np.minimum(near, far) + d // 2 * (d // 2 + d % 2 - 1)
    label[:2] = 1
    label[~np.isfinite(label)] = 0
    return label.astype(np.int64)


def same(made: Subgraphs, position: int, other: Found) -> bool:
    """Whether nodes, labels and links are alike, whatever the order of nodes."""
    nodes, label, inside = other
    part = slice(int(made.first[position]), int(made.first[position + 1]))
    ours, theirs = np.argsort(made.node[part]), np.argsort(nodes)
    start, stop = made.offset[part.start], made.offset[part.stop]
    row = np.repeat(made.node[part], np.diff(made.offset[part.start : part.stop + 1]))
    links = set(zip(row.tolist(), made.node[made.column[start:stop]].tolist(), strict=True))
    entries = inside.tocoo()
    wanted = set(zip(nodes[entries.row].tolist(), nodes[entries.col].tolist(), strict=True))
    return (
        np.array_equal(made.node[part][ours], nodes[theirs])
        and np.array_equal(made.label[part][ours], label[theirs])
        and links == wanted
        and stop - start == len(wanted)
    )


def compare(nodes: int, links: int) -> dict[str, Any]:
    """Seconds for the same pairs, half of them links; medians of ours over rounds."""
    graph, settings = heavy_tailed(nodes, links), EnclosingSettings(hops=HOPS)
    draw = torch.Generator().manual_seed(0)
    positive = graph.links[torch.randperm(graph.num_links, generator=draw)[: PAIRS // 2]]
    pairs = torch.cat([positive, torch.randint(nodes, (PAIRS // 2, 2), generator=draw)])
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    blocks = pairs.split(AT_ONCE)
    extract(graph.adjacency, blocks[0], settings)  # compiles
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        made = [extract(graph.adjacency, block, settings) for block in blocks]
        taken.append(time.perf_counter() - start)
    matrix = graph.to_pattern()
    start = time.perf_counter()
    slow = [sliced(matrix, s, t) for s, t in pairs.tolist()]
    slicing = time.perf_counter() - start
    alike = all(same(made[at // AT_ONCE], at % AT_ONCE, found) for at, found in enumerate(slow))
    ours = statistics.median(taken)
    return {
        "pairs": len(pairs),
        "mean nodes": float(np.mean([len(found[0]) for found in slow])),
        "ours": ours,
        "slicing": slicing,
        "slicing_over_ours": slicing / ours,
        "equal": alike,
    }


def main() -> None:
    """Measure every size, print, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    results: dict[str, object] = {}
    for name in arguments.sizes:
        results[name] = compare(*SIZES[name])
        print(name, json.dumps(results[name], indent=2), flush=True)
    results["bars"] = {"slicing_over_ours": LEAST_TIMES_SLICING}
    results["versions"] = versions()
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
