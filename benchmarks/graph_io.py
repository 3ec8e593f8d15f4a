"""How long a large edge list takes to become a graph, beside pyarrow (which only reads it) and networkx.

With ``HLGNN_DATA`` also what the hard negatives of Pubmed's test links need.

Example:
    python benchmarks/graph_io.py --lines 10_000_000 --nodes 1_000_000 --out results.json
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

REPEATS = 3
MOST_TIMES_PYARROW = 4.0
LEAST_TIMES_FASTER_THAN_NETWORKX = 10.0
MOST_GIGABYTES = 3.0
MOST_GIGABYTES_OF_HARD_NEGATIVES = 2.0


def read_with_pyarrow(path: Path) -> int:
    """The table as pyarrow reads it: text, no graph."""
    import pyarrow.csv

    return len(pyarrow.csv.read_csv(path))


def read_with_hlgnn(path: Path) -> int:
    """The graph: nodes numbered, links undirected, sorted and without repeats."""
    from hlgnn.data import load_own

    return load_own(path).graph.num_links


def read_with_networkx(path: Path) -> int:
    """The graph as networkx holds it."""
    import networkx

    with path.open("rb") as file:
        next(file)  # the header, which networkx would take for an edge
        return int(networkx.read_edgelist(file, delimiter=",").number_of_edges())


READERS = {"pyarrow": read_with_pyarrow, "hlgnn": read_with_hlgnn, "networkx": read_with_networkx}


def draw_hard_negatives() -> dict[str, float]:
    """The 500 hard negatives of each test link of Pubmed, with a progress bar, in this process."""
    from hlgnn.catalog import load_dataset
    from hlgnn.cli.terminal import Terminal
    from hlgnn.data import PROTOCOLS, heart, make_split
    from hlgnn.seeds import Seeds

    dataset = load_dataset("pubmed", offline=True)
    split = make_split(dataset, PROTOCOLS["paper"], seed=0)
    few, generator = split.test.positive[:2], Seeds(0).generator("negatives")
    heart(split.graph, dataset.graph, few, generator)  # compiles
    wall, processor = time.perf_counter(), time.process_time()
    with Terminal().progress() as progress:
        negative = heart(split.graph, dataset.graph, split.test.positive, generator, progress=progress)
    return {
        "seconds": time.perf_counter() - wall,
        "processor_seconds": time.process_time() - processor,
        "peak_gigabytes": _peak_gigabytes(),
        "result": negative.shape[:-1].numel(),
    }


def write_edges(path: Path, lines: int, nodes: int, seed: int) -> None:
    """A CSV of random edges with ids like ``user_123456``; targets are skewed towards some of the nodes."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv

    rng = np.random.default_rng(seed)
    ends = rng.integers(0, nodes, lines), (rng.random(lines) ** 2 * nodes).astype(np.int64)
    source, target = (pc.binary_join_element_wise("user", pa.array(end).cast(pa.string()), "_") for end in ends)
    options = pyarrow.csv.WriteOptions(quoting_style="none")
    pyarrow.csv.write_csv(pa.table({"source": source, "target": target}), path, options)


def measure(reader: str, path: Path, small: Path) -> dict[str, float]:
    """Seconds, processor seconds and peak memory of one reading, in this process; ``small`` is read before."""
    READERS[reader](small)
    wall, processor = time.perf_counter(), time.process_time()
    result = READERS[reader](path)
    return {
        "seconds": time.perf_counter() - wall,
        "processor_seconds": time.process_time() - processor,
        "peak_gigabytes": _peak_gigabytes(),
        "result": result,
    }


def _peak_gigabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e9 if sys.platform == "darwin" else 1e9 / 1024)


def measure_apart(reader: str, path: Path, small: Path) -> dict[str, float]:
    """``measure`` in a process of its own."""
    return run_apart("--measure", reader, str(path), str(small))


def run_apart(*words: str) -> dict[str, float]:
    """This script in a process of its own, with an option that prints figures."""
    output = subprocess.run([sys.executable, __file__, *words], check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(json.loads(output))


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    """The median of every figure over runs."""
    return {figure: statistics.median(run[figure] for run in runs) for figure in runs[0]}


def compare(arguments: argparse.Namespace) -> dict[str, object]:
    """Measure all readers on one file."""
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder) / "edges.csv", Path(folder) / "small.csv"
        write_edges(path, arguments.lines, arguments.nodes, arguments.seed)
        write_edges(small, 1000, 100, arguments.seed)
        runs: dict[str, list[dict[str, float]]] = {"pyarrow": [], "hlgnn": []}
        for _ in range(REPEATS):  # taken in turns, so that a slow moment of the machine meets both
            for reader, taken in runs.items():
                taken.append(measure_apart(reader, path, small))
        if not arguments.skip_networkx:
            runs["networkx"] = [measure_apart("networkx", path, small)]
        size = path.stat().st_size
    if os.environ.get("HLGNN_DATA"):
        runs["hard negatives"] = [run_apart("--hard-negatives")]
    return {
        "lines": arguments.lines,
        "nodes": arguments.nodes,
        "seed": arguments.seed,
        "file_bytes": size,
        "note": "Seconds exclude imports and compilation: every process first reads a file of 1000 lines.",
        "medians": {reader: medians(taken) for reader, taken in runs.items()},
        "runs": runs,
    }


def ratios(results: dict[str, object]) -> dict[str, tuple[float, bool]]:
    """What is promised, as measured, and whether it is kept."""
    taken = results["medians"]
    assert isinstance(taken, dict)
    ours = taken["hlgnn"]
    times_pyarrow = ours["seconds"] / taken["pyarrow"]["seconds"]
    promises = {
        f"times as long as pyarrow (at most {MOST_TIMES_PYARROW:g})": (
            times_pyarrow,
            times_pyarrow <= MOST_TIMES_PYARROW,
        ),
        f"peak gigabytes (at most {MOST_GIGABYTES:g})": (
            ours["peak_gigabytes"],
            ours["peak_gigabytes"] <= MOST_GIGABYTES,
        ),
    }
    if "networkx" in taken:
        faster = taken["networkx"]["seconds"] / ours["seconds"]
        name = f"times faster than networkx (at least {LEAST_TIMES_FASTER_THAN_NETWORKX:g})"
        promises[name] = (faster, faster >= LEAST_TIMES_FASTER_THAN_NETWORKX)
    if "hard negatives" in taken:
        peak = taken["hard negatives"]["peak_gigabytes"]
        name = f"peak gigabytes of Pubmed's hard negatives (at most {MOST_GIGABYTES_OF_HARD_NEGATIVES:g})"
        promises[name] = (peak, peak <= MOST_GIGABYTES_OF_HARD_NEGATIVES)
    return promises


def main() -> int:
    """Measure, print, and write the results; 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="where to write all figures, as JSON")
    parser.add_argument("--skip-networkx", action="store_true", help="it takes minutes, and many gigabytes")
    parser.add_argument("--hard-negatives", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs=3, metavar=("READER", "PATH", "SMALL"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        reader, path, small = arguments.measure
        print(json.dumps(measure(reader, Path(path), Path(small))))
        return 0
    if arguments.hard_negatives:
        print(json.dumps(draw_hard_negatives()))
        return 0
    results = compare(arguments)
    print(f"{results['lines']} lines, {results['nodes']} nodes. {results['note']}")
    taken = results["medians"]
    assert isinstance(taken, dict)
    for reader, figures in taken.items():
        print(
            f"{reader:>14}: {figures['seconds']:8.2f} s, {figures['processor_seconds']:8.2f} s of processor, "
            f"{figures['peak_gigabytes']:6.2f} GB"
        )
    promises = ratios(results)
    for promise, (figure, kept) in promises.items():
        print(f"{figure:9.2f} {promise}: {'kept' if kept else 'BROKEN'}")
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=2) + "\n")
    return 0 if all(kept for _, kept in promises.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
