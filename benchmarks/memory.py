"""The memory that training takes under each plan, beside the estimate that `hlgnn train --memory` goes by.

Each plan trains two epochs of a few steps in a process of its own, with evaluations in between. What is measured is the
most resident memory, and the most without pages of files that a plan writes: those are given back as soon as others
need the room, and the estimate does not count them.

Example:
    python benchmarks/memory.py --out results/benchmarks/memory.json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from hlgnn.data import LinkSet, Split
from hlgnn.graph import Graph
from hlgnn.jobs.versions import versions
from hlgnn.memory_size import peak_bytes, resident_bytes
from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings, PropagationSettings
from hlgnn.models.memory_estimate import training_use
from hlgnn.models.memory_plan import MemoryPlan, apply_plan
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training
from hlgnn.training.mapped_state import map_state
from hlgnn.training.train_settings import TrainSettings
from hlgnn.training.work_sizes import work_sizes

ONE: dict[str, Any] = {
    "width": 128,
    "depth": 15,
    "operators": "sym",
    "input": "embedding",
    "head": "mlp",
    "hide": "none",
}
PLANS: dict[str, dict[str, Any]] = {
    "vectors, sym": {},
    "vectors, sym, 32 columns": {"plan": {"columns": 32}},
    "vectors, sym, in files": {"plan": {"columns": 32, "mapped": True}},
    "vectors, mixture, all layers": {"operators": "mixture", "plan": {"layers": "all"}},
    "vectors, mixture, root": {"operators": "mixture"},
    "vectors, mixture, all layers in bfloat16": {
        "operators": "mixture",
        "plan": {"layers": "all", "precision": "bfloat16"},
    },
    "vectors, mixture, none, 32 columns": {
        "operators": "mixture",
        "depth": 5,
        "plan": {"layers": "none", "columns": 32},
    },
    "vectors, mixture, root, 32 columns, in files": {
        "operators": "mixture",
        "plan": {"columns": 32, "mapped": True},
    },
    "vectors, geometric, root": {"operators": "geometric", "depth": 5},
    "features, once": {"input": "features", "features": 32, "depth": 7, "plan": {"path": "once"}},
    "features, wider layer": {"input": "features", "features": 32},
    "features, narrower layer": {"input": "features", "features": 200, "depth": 5},
    "both, linear layer": {"input": "both", "features": 32, "hidden": 128, "depth": 5},
    "vectors, residual head, folds": {"head": "residual", "hide": "folds", "depth": 5},
    "vectors, dropout": {"dropout": 0.3, "depth": 5},
}


def make_split(nodes: int, links: int, features: int) -> Split:
    """A random graph; memory does not depend on which nodes are linked."""
    generator = torch.Generator().manual_seed(0)
    edges = torch.randint(nodes, (links, 2), generator=generator)
    rows = torch.randn(nodes, features, generator=generator) if features else None
    graph = Graph.from_edges(nodes, edges, features=rows)
    valid = LinkSet(graph.links[:5000], torch.randint(nodes, (5000, 2), generator=generator))
    return Split("memory", 0, graph, graph, graph.links, torch.ones(graph.num_links), valid, valid)


def make_model(case: dict[str, Any], split: Split) -> HLGNN:
    """The model of a case."""
    learned = case["input"] == "embedding"
    hidden = case.get("hidden", 0 if learned else case["width"])
    settings = HLGNNSettings(
        input=InputSettings(
            source=case["input"],
            embedding_width=case["width"],
            hidden=hidden,
            dropout=case.get("dropout", 0.0),
        ),
        propagation=PropagationSettings(depth=case["depth"], operators=case["operators"]),
        head=HeadSettings(kind=case["head"], hidden=case["width"], layers=2),
        path="plain",
    )
    return HLGNN(split.graph, settings, torch.Generator().manual_seed(0))


def measure(case: dict[str, Any], nodes: int, links: int, batch: int) -> dict[str, float]:
    """The estimate and the measured peaks of one plan, in bytes, and the loss."""
    train = TrainSettings(epochs=2, batch_size=batch, hide=case["hide"], folds=2)
    split = make_split(nodes, links, case.get("features", 0))
    model, plan = make_model(case, split), MemoryPlan(**case.get("plan", {}))
    few = replace(split, train=split.train[: 3 * batch], margin=split.margin[: 3 * batch])
    sizes = work_sizes(model, few, train)
    with tempfile.TemporaryDirectory() as place:
        apply_plan(model, plan, Path(place))
        warm_up(case)
        _forget_peak()
        base = resident_bytes()
        start, anonymous = time.perf_counter(), AnonymousPeak()
        training = Training(model, few, train, default_metric="hits@50", seeds=Seeds(0))
        training.offer()
        if plan.mapped:
            map_state(training, Path(place))
        losses = [training.run_epoch().loss for _ in range(train.epochs)]
        use = training_use(sizes, plan)
    return {
        "estimate": base + use.bytes,
        "mapped": use.mapped,
        "base": base,
        "peak": peak_bytes() if not Path("/proc/self/status").is_file() else _status("VmHWM"),
        "anonymous": anonymous.stop(),
        "seconds": time.perf_counter() - start,
        "loss": losses[-1],
    }


def warm_up(case: dict[str, Any]) -> None:
    """Compile before anything is measured."""
    split = make_split(300, 1000, case.get("features", 0))
    train = TrainSettings(epochs=1, batch_size=100)
    model = make_model(case, split)
    apply_plan(model, MemoryPlan(**{**case.get("plan", {}), "mapped": False}))
    Training(model, split, train, default_metric="hits@50", seeds=Seeds(0)).run_epoch()


class AnonymousPeak:
    """Looks every few milliseconds how much memory there is that no file backs."""

    def __init__(self) -> None:
        self.most, self.ended = 0, threading.Event()
        self.program = _status("RssFile")  # pages of the program and its libraries
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self) -> None:
        while not self.ended.wait(0.005):
            self.most = max(self.most, self.program + _status("RssAnon"))

    def stop(self) -> int:
        """The most that was seen."""
        self.ended.set()
        self.thread.join()
        return self.most


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return 1024 * int(line.split()[1])
    return 0


def _forget_peak() -> None:
    place = Path("/proc/self/clear_refs")
    if place.exists():
        place.write_text("5", encoding="ascii")


def run_one(name: str, nodes: int, links: int, batch: int) -> dict[str, float]:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--one", name, "--nodes", str(nodes), "--links", str(links)]
    command += ["--batch", str(batch)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result: dict[str, float] = json.loads(output.splitlines()[-1])
    return result


def main() -> None:
    """Measure every plan, print the ratios, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=400_000)
    parser.add_argument("--links", type=int, default=2_000_000)
    parser.add_argument("--batch", type=int, default=65_536)
    parser.add_argument("--plans", nargs="*", default=list(PLANS), choices=list(PLANS))
    parser.add_argument("--one", choices=list(PLANS))
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    size = (arguments.nodes, arguments.links, arguments.batch)
    if arguments.one:
        print(json.dumps(measure({**ONE, **PLANS[arguments.one]}, *size)))
        return
    results: dict[str, Any] = {}
    for name in arguments.plans:
        found = results[name] = run_one(name, *size)
        found["estimate_over_peak"] = found["estimate"] / found["anonymous"]
        figures = {key: round(value / 1e9, 2) for key, value in found.items() if value > 1e6}
        print(
            name, figures, f"{found['estimate_over_peak']:.2f}", f"{found['seconds']:.1f} s", found["loss"], flush=True
        )
    if arguments.out:
        document = {"size": dict(zip(("nodes", "links", "batch"), size, strict=True)), "plans": results}
        arguments.out.write_text(json.dumps({**document, "versions": versions()}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
