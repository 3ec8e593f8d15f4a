"""Steps of training at the size of ogbl-collab by one process and by several, and what they tell each other.

Every process has one thread and one processor. All take the same steps: 235 868 nodes with learned vectors 256 wide,
1.18 million links, 15 layers, a two-layer head of 256, batches of 65 536 links with one negative each. One process and
two are measured in turn, and the shortest time of each counts; the bytes that a process hands to its sums stand beside
the formula. Two processes that have nothing to do with each other, each taking all of the step, say what the machine
can give at most: processors that share their cache and memory are less than twice as fast as one of them alone.

Example:
    python benchmarks/scale_processes.py --out results/benchmarks/scale_processes.json
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import torch

from hlgnn.data import LinkSet, Split
from hlgnn.graph import Graph
from hlgnn.jobs.allocator import keep_freed_memory
from hlgnn.jobs.versions import versions
from hlgnn.models import HLGNN, HLGNNSettings
from hlgnn.processes import SINGLE, Processes, joined
from hlgnn.processes.processes import SHARDS, mesh_shape
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings
from propagation import make_graph

NODES, LINKS = 235_868, 1_179_052
WIDTH, DEPTH, HIDDEN, BATCH, NEGATIVES = 256, 15, 256, 65_536, 1
LEAST_TIMES = 1.7
OPERATORS = ("sym", "mixture")
WAYS = {
    "one": (1, "pairs"),
    "two apart": (2, "nothing"),
    "two columns": (2, "columns"),
    "two pairs": (2, "pairs"),
    "four mesh": (4, "mesh"),
}
"""How many processes, and what they share; four share two processors, and only their bytes say something."""
APART = "two apart"
FLOAT = 4


def collab_sized(steps: int) -> Split:
    """A graph of collab's size, and as many training links as the steps need."""
    graph = make_graph(NODES, LINKS)
    valid = LinkSet(graph.links[:64], torch.randint(NODES, (64, 2), generator=torch.Generator().manual_seed(1)))
    train = graph.links[: steps * BATCH]
    return Split("timing", 0, graph, graph, train, torch.ones(len(train)), valid, valid)


def start(operators: str, steps: int, processes: Processes) -> Training:
    """A model with vectors that are learned, each process holding its columns of them."""
    split = collab_sized(steps)
    settings = HLGNNSettings.model_validate(
        {
            "input": {"source": "embedding", "embedding_width": WIDTH, "hidden": 0},
            "propagation": {"depth": DEPTH, "operators": operators},
            "head": {"kind": "mlp", "hidden": HIDDEN, "layers": 2},
            "path": "plain",
        }
    )
    without_features = Graph.from_edges(NODES, split.graph.links)
    model = HLGNN(without_features, settings, torch.Generator().manual_seed(0), processes.columns)
    train = TrainSettings(batch_size=BATCH, negatives=NEGATIVES)
    return Training(model, split, train, default_metric="auc", seeds=Seeds(0), processes=processes)


def take_steps(operators: str, steps: int, processes: Processes) -> dict[str, Any]:
    """Seconds of each step after the first, which compiles, how long it had a processor, and its bytes by kind."""
    training = start(operators, steps + 1, processes)
    training.model.train()
    seconds, of_processor, losses, told = [], [], [], {}
    for number, step in enumerate(training.steps()):
        processes.wait()
        processes.traffic.forget()
        begin, before = time.perf_counter(), time.process_time()
        losses += step()
        told = dict(processes.traffic.bytes)
        processes.wait()
        if number:
            seconds.append(time.perf_counter() - begin)
            of_processor.append(time.process_time() - before)
    return {"seconds": seconds, "processor": of_processor, "bytes": told, "losses": losses}


def formula(size: int, shard: str, operators: str) -> int:
    """Bytes that a process hands to its sums in one step.

    With R processes down the pairs and C across the columns: the sums of the head's first layer over columns, one
    number for each pair of the R-th part and each hidden unit; the gradients of what all hold; and, if R > 1, those of
    the columns that R of them hold, N F / C vectors and F H / C weights. The loss, if R > 1, and the norm of the
    gradient, if C > 1, are one number each.
    """
    down, across = mesh_shape(size, shard)  # type: ignore[arg-type]
    pairs, common = BATCH * (1 + NEGATIVES) // down, HIDDEN + HIDDEN + 1 + DEPTH + 1
    common += 3 * DEPTH if operators == "mixture" else 0
    columns = (NODES * WIDTH + WIDTH * HIDDEN) // across
    head = pairs * HIDDEN + 1 if across > 1 else 0
    return FLOAT * (head + common + (columns + 1 if down > 1 else 0))


def measure(size: int, shard: str, operators: str, steps: int) -> dict[str, Any]:
    """Start the processes, each on a processor of its own, and read what the first one found."""
    with tempfile.TemporaryDirectory() as place, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port, out = free.getsockname()[1], Path(place) / "found.json"
        free.close()
        met = size if shard in SHARDS else 1
        told = {"WORLD_SIZE": str(met), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
        line = [sys.executable, __file__, "--worker", shard, operators, str(steps), str(out)]
        own = [{"RANK": str(rank if met > 1 else 0), "OWN_PROCESSOR": str(rank)} for rank in range(size)]
        workers = [subprocess.Popen(line, env=os.environ | told | each) for each in own]
        if any(worker.wait() for worker in workers):
            raise SystemExit("A process went wrong.")
        return dict(json.loads(out.read_text()))


def work(shard: str, operators: str, steps: str, out: str) -> None:
    """What each process does."""
    processors = sorted(os.sched_getaffinity(0))
    own = int(os.environ["OWN_PROCESSOR"])
    os.sched_setaffinity(0, {processors[own % len(processors)]})
    torch.set_num_threads(1)
    keep_freed_memory()  # as training has it; until the third step or so some of it is new
    with joined(shard) as processes:  # type: ignore[arg-type]
        assert processes is SINGLE or processes.size > 1
        found = take_steps(operators, int(steps), processes)
        if own == 0:
            Path(out).write_text(json.dumps(found))


def compare(
    known: dict[str, Any], operators: str, names: list[str], steps: int, rounds: int
) -> Iterator[dict[str, Any]]:
    """One process and others in turn, each added to what was measured before; the shortest step of each counts."""
    seconds: dict[str, list[list[float]]] = known.get("seconds", {})
    kept = {key: known.get(key, {}) for key in ("processor", "losses", "bytes")}
    result: dict[str, Any] = {"seconds": seconds, **kept}
    for name in names * rounds:
        found = measure(*WAYS[name], operators, steps)
        figures = [f"{wall:.2f} ({own:.2f})" for wall, own in zip(found["seconds"], found["processor"], strict=True)]
        print(operators, name, *figures, flush=True)
        result["processor"].setdefault(name, []).append(found["processor"])
        seconds.setdefault(name, []).append(found["seconds"])
        result["losses"][name] = found["losses"]
        result["bytes"][name] = _beside(found["bytes"], *WAYS[name], operators)
        result["times_faster"] = times_faster(seconds, min)
        result["times_faster_by_median"] = times_faster(seconds, statistics.median)
        yield result


def times_faster(seconds: dict[str, list[list[float]]], middle: Callable[[list[float]], float]) -> dict[str, float]:
    """One process by others, where there is a processor for each; of two apart each takes a whole step."""
    alone = [each for each in seconds if WAYS[each][0] <= len(os.sched_getaffinity(0))]
    taken = {each: middle(list(chain(*seconds[each]))) / (WAYS[each][0] if each == APART else 1) for each in alone}
    return {each: taken["one"] / step for each, step in taken.items() if "one" in taken}


def _beside(told: dict[str, int], size: int, shard: str, operators: str) -> dict[str, Any]:
    by_formula = formula(size, shard, operators) if size > 1 and shard in SHARDS else 0
    return {"measured": sum(told.values()), "formula": by_formula, "by_kind": told}


def main() -> None:
    """Measure, print, and write; what the file holds already is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operators", default=",".join(OPERATORS), help="sym, mixture")
    parser.add_argument("--ways", default=",".join(WAYS), help=", ".join(WAYS))
    parser.add_argument("--steps", type=int, default=4, help="how many steps are timed in each run")
    parser.add_argument("--rounds", type=int, default=2, help="how often each is measured")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        work(*arguments.worker)
        return
    known = json.loads(arguments.out.read_text()) if arguments.out and arguments.out.is_file() else {}
    results = known.get("operators", {})
    for operators in arguments.operators.split(","):
        asked = (results.get(operators, {}), operators, arguments.ways.split(","), arguments.steps, arguments.rounds)
        for found in compare(*asked):
            results[operators] = found
            if arguments.out:
                _write(arguments.out, results)
        middle = results[operators]["times_faster_by_median"]
        for name, times in results[operators]["times_faster"].items():
            both = f"{times:.2f} times as fast as one by the shortest steps, {middle[name]:.2f} by the median"
            print(f"{operators}: {name} {both} (two columns: at least {LEAST_TIMES})")
        for name, each in results[operators]["bytes"].items():
            print(f"  {name}: {each['measured']:,} bytes in a step, {each['formula']:,} by the formula")


def _write(path: Path, results: dict[str, Any]) -> None:
    sizes = {"nodes": NODES, "links": LINKS, "width": WIDTH, "depth": DEPTH, "hidden": HIDDEN, "batch": BATCH}
    document = {"sizes": sizes, "least_times": LEAST_TIMES, "operators": results, "versions": versions()}
    path.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
