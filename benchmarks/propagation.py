"""Forward and backward propagation at the size of ogbl-collab, beside torch's sparse products under autograd.

The mixture of Eq. 3 is measured beside three torch-CSR products in each layer, the symmetric operator beside one; both
sides compute Z = Σ β_l Z_l and the gradients of X, β (and α) from the same numbers, and must agree. Each is measured in
a process of its own, several times in turns, so that peak memory is that of the method: one step, and then the one
that counts, as in training.

Example:
    python benchmarks/propagation.py --out results/benchmarks/propagation.json
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor

from hlgnn.formulation.checkpointed import checkpointed_recurrence
from hlgnn.formulation.normalization import Normalized, normalize
from hlgnn.formulation.polynomial import BLOCK, polynomial
from hlgnn.graph import Graph
from hlgnn.jobs.versions import versions

NODES, LINKS, WIDTH, DEPTH = 235_868, 1_179_052, 256, 15
BARS = {"mixture": 6.0, "sym": 3.5}
MEMORY_BAR = 3.0
METHODS = ("mixture, hlgnn", "mixture, torch", "sym, hlgnn", "sym, hlgnn in bfloat16", "sym, torch")


def make_graph(nodes: int, links: int) -> Graph:
    """A graph with a heavy tail of degrees: one end uniform, the other one drawn by a power law."""
    generator = torch.Generator().manual_seed(0)
    source = torch.randint(nodes, (links * 5 // 4,), generator=generator)
    target = (nodes * torch.rand(links * 5 // 4, generator=generator) ** 1.6).long().clamp(max=nodes - 1)
    graph = Graph.from_edges(nodes, torch.stack([source, target], dim=1))
    keep = torch.randperm(graph.num_links, generator=generator)[:links]
    return graph.keep_links(keep.sort().values)


def inputs(nodes: int, width: int, depth: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """X, β, α and the gradient of Z; the mixture is scaled so that both sides stay in range."""
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(nodes, width, generator=generator).requires_grad_()
    beta = (0.8 ** torch.arange(depth + 1)).requires_grad_()
    alpha = (0.1 * torch.randn(depth, 3, generator=generator)).requires_grad_()
    return x, beta, alpha, torch.randn(nodes, width, generator=generator) / nodes


def our_step(
    normalized: Normalized, x: Tensor, beta: Tensor, alpha: Tensor, grad: Tensor, *, mixed: bool, half: bool
) -> Tensor:
    """Our kernels: learned operators keep 3 √L layers, one operator keeps none, in bfloat16 if asked for."""
    if mixed:
        row, col, sym = (0.5 * torch.softmax(alpha, dim=1)).unbind(dim=1)
        operators = torch.stack([torch.zeros_like(row), sym, row, col], dim=1)
        z = checkpointed_recurrence(normalized, operators, beta, x)
    else:
        storage = torch.bfloat16 if half else None
        z = polynomial(normalized, torch.tensor([0.0, 1.0, 0.0, 0.0]), beta, x, storage=storage)
    z.backward(grad)
    return z


def torch_matrices(normalized: Normalized, *, mixed: bool) -> list[Tensor]:
    """Ã_rs, Ã_cs, Ã_sym (or the last alone) as torch CSR, self-loops stored."""
    nodes = normalized.num_nodes
    loops = torch.arange(nodes)
    source = torch.cat([normalized.adjacency.source, loops])
    target = torch.cat([normalized.adjacency.neighbor.long(), loops])
    inverse, root = normalized.inverse.float(), normalized.root.float()
    weights = [root[source] * root[target]]
    if mixed:
        weights = [inverse[source], inverse[target], *weights]
    pattern = torch.stack([source, target])
    return [torch.sparse_coo_tensor(pattern, each, (nodes, nodes)).coalesce().to_sparse_csr() for each in weights]


def torch_step(matrices: list[Tensor], x: Tensor, beta: Tensor, alpha: Tensor, grad: Tensor) -> Tensor:
    """Literal layers under autograd."""
    weights = 0.5 * torch.softmax(alpha, dim=1) if len(matrices) == 3 else torch.ones(len(alpha), 1)
    z, total = x, beta[0] * x
    for level in range(len(alpha)):
        z = sum(weights[level, each] * (matrix @ z) for each, matrix in enumerate(matrices))
        total = total + beta[level + 1] * z
    total.backward(grad)
    return total


def measure(method: str, nodes: int, links: int, width: int, depth: int, threads: int) -> dict[str, float]:
    """Seconds, processor seconds and peak memory of the second of two equal steps; the first one compiles.

    Training is many steps. The first one also pays for memory that the system has not handed out before, on a virtual
    machine as much as for its products; its processor time is reported, too.
    """
    torch.set_num_threads(threads)
    warnings.filterwarnings("ignore", message="Sparse")
    mixed, ours, half = method.startswith("mixture"), "hlgnn" in method, "bfloat16" in method
    small = BLOCK // width + 1 if ours else 100  # ours compiles another pass for matrices that are large
    _prepared_step(make_graph(small, 3 * small), width, depth, mixed=mixed, ours=ours, half=half)()
    step = _prepared_step(make_graph(nodes, links), width, depth, mixed=mixed, ours=ours, half=half)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    first = time.process_time()
    step()
    wall, processor = time.perf_counter(), time.process_time()
    check = step()
    return {
        "seconds": time.perf_counter() - wall,
        "processor_seconds": time.process_time() - processor,
        "first_processor_seconds": processor - first,
        "peak_gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "gigabytes_before": before / 1e6,
        "check": check,
    }


def _prepared_step(graph: Graph, width: int, depth: int, *, mixed: bool, ours: bool, half: bool) -> Callable[[], float]:
    normalized = normalize(graph.adjacency, dtype=torch.float32)
    x, beta, alpha, grad = inputs(graph.num_nodes, width, depth)
    matrices = [] if ours else torch_matrices(normalized, mixed=mixed)

    def step() -> float:
        for each in (x, beta, alpha):
            each.grad = None
        all_four = (x, beta, alpha, grad)
        z = our_step(normalized, *all_four, mixed=mixed, half=half) if ours else torch_step(matrices, *all_four)
        assert x.grad is not None
        assert beta.grad is not None
        few = slice(None, None, 97)  # a check must not take more memory than the step
        sums = [z[few].abs().mean(), x.grad[few].abs().sum(), beta.grad.abs().sum()]
        if mixed:
            assert alpha.grad is not None
            sums.append(alpha.grad.abs().sum())
        return float(sum(each.detach().double() for each in sums))

    return step


def run_one(method: str, arguments: argparse.Namespace, threads: int) -> dict[str, float]:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--one", method, "--threads", str(threads)]
    for name in ("nodes", "links", "width", "depth"):
        command += [f"--{name}", str(getattr(arguments, name))]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    if threads == 1 and hasattr(os, "sched_setaffinity"):
        command = ["taskset", "-c", "0", *command]
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    result: dict[str, float] = json.loads(output.splitlines()[-1])
    return result


def report(arguments: argparse.Namespace) -> dict[str, object]:
    """All methods in turns, medians, and ratios."""
    runs: dict[str, list[dict[str, float]]] = {method: [] for method in METHODS}
    for _ in range(arguments.repeats):
        for method in METHODS:
            runs[method].append(run_one(method, arguments, arguments.threads))
            print(method, runs[method][-1], flush=True)
    for method in METHODS:
        ours, theirs = (runs[each][0]["check"] for each in (method, f"{method.split(',')[0]}, torch"))
        if abs(ours - theirs) > 1e-3 * abs(theirs):
            raise SystemExit(f"{method}: it does not agree with torch: {ours} and {theirs}")
    medians = {
        method: {figure: statistics.median(run[figure] for run in taken) for figure in taken[0]}
        for method, taken in runs.items()
    }
    ratios = {
        method.replace(", hlgnn", ""): {
            figure: medians[f"{method.split(',')[0]}, torch"][figure] / medians[method][figure]
            for figure in ("processor_seconds", "first_processor_seconds", "seconds", "peak_gigabytes")
        }
        for method in METHODS
        if "hlgnn" in method
    }
    single = {kind: run_one(f"{kind}, hlgnn", arguments, 1)["seconds"] for kind in BARS}
    scaling = {kind: single[kind] / medians[f"{kind}, hlgnn"]["seconds"] for kind in BARS}
    return {"medians": medians, "times_less": ratios, "one_thread_over_all_threads": scaling, "runs": runs}


def main() -> None:
    """Measure, print the ratios beside the bars, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--links", type=int, default=LINKS)
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--depth", type=int, default=DEPTH)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--one", choices=METHODS)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    size = (arguments.nodes, arguments.links, arguments.width, arguments.depth)
    if arguments.one:
        print(json.dumps(measure(arguments.one, *size, arguments.threads)))
        return
    results = report(arguments)
    results["size"] = dict(zip(("nodes", "links", "width", "depth"), size, strict=True))
    results["bars"] = {"processor_seconds": BARS, "peak_gigabytes": MEMORY_BAR}
    results["versions"] = versions()
    print(json.dumps({key: results[key] for key in ("times_less", "one_thread_over_all_threads", "bars")}, indent=2))
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
