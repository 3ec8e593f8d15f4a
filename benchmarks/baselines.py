"""Seconds of an epoch and peak memory of every method, on Cora and Pubmed, with the preset of each.

Each method is measured in a process of its own: training steps are made until an epoch is done or the time is up, and
the epoch is then reckoned from the steps; evaluation is measured apart. What was reckoned says so.

Example:
    python benchmarks/baselines.py --out results/benchmarks/baselines.json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import torch

from hlgnn.catalog import MODELS
from hlgnn.experiments.tasks.epoch import measure
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.versions import versions

DATASETS = ("cora", "pubmed")
ROWS = ("cn", "ra", "ki", "rwr", "mf", "node2vec", "deepwalk", "mlp", "gcn", "gat", "sage", "seal", "nbfnet")
OTHERS = ("neo-gnn", "buddy", "ncn", "ncnc", "hlgnn")


def measure_one(
    method: str, dataset: str, protocol: str, seconds: float, threads: int
) -> dict[str, float | int | bool]:
    """What a method with its preset costs before training, for an epoch, and for an evaluation."""
    torch.set_num_threads(threads)
    return measure(settings_for(dataset, model_name=method, protocol=protocol), seconds)


def main() -> None:
    """Measure all, print a table, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", nargs="+", default=[*ROWS, *OTHERS], choices=list(MODELS))
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS))
    parser.add_argument("--protocol", default="ncn")
    parser.add_argument("--seconds", type=float, default=60.0, help="of training steps, at most, for each")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "DATASET"))
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if arguments.one:
        method, dataset = arguments.one
        print(json.dumps(measure_one(method, dataset, arguments.protocol, arguments.seconds, arguments.threads)))
        return
    rows: dict[str, dict[str, object]] = {}
    for dataset in arguments.datasets:
        for method in arguments.methods:
            command = [sys.executable, __file__, "--one", method, dataset, "--protocol", arguments.protocol]
            command += ["--seconds", str(arguments.seconds), "--threads", str(arguments.threads)]
            try:
                done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
                line = done.stdout.splitlines()[-1] if done.returncode == 0 else ""
                found = json.loads(line) if line else {"failed": done.stderr.splitlines()[-1:]}
            except subprocess.TimeoutExpired:
                found = {"failed": ["longer than 15 minutes"]}
            rows.setdefault(dataset, {})[method] = found
            print(dataset, method, found, flush=True)
    if arguments.out:
        document = {"protocol": arguments.protocol, "threads": arguments.threads, "rows": rows, "versions": versions()}
        arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
