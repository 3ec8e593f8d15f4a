"""Store what the methods of the comparison reach: one JSON file per method, data set and protocol in results/baselines.

Every seed that is not stored yet is trained with the preset of the method, and all metrics of the validation and test
links are kept, with settings, parameters, time, peak memory and versions. Each run is a process of its own, so that its
peak memory is that of the method.

Example:
    python scripts/baseline_results.py gcn:cora gcn:pubmed --seeds 0 1 2 3 4 --minutes 30
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.jobs.presets import find_preset, settings_for
from hlgnn.jobs.train import train_run
from hlgnn.memory_size import peak_bytes

FOLDER = Path(__file__).parents[1] / "results/baselines"


def main() -> int:
    """Train each seed that is missing, until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", nargs="+", metavar="METHOD:DATASET[:PROTOCOL]")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(5)))
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no further seed after this time")
    parser.add_argument("--limit", type=float, default=None, help="minutes after which a run is given up")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    failed = 0
    for cell in arguments.cells:
        method, dataset, *rest = cell.split(":")
        for seed in arguments.seeds:
            if time.monotonic() < end:
                failed += not store(method, dataset, rest[0] if rest else None, seed, arguments.limit)
    return int(failed > 0)


def store(method: str, dataset: str, protocol: str | None, seed: int, limit: float | None) -> bool:
    """Train one seed unless it is stored, and write the file anew; whether there is a result."""
    settings = settings_for(dataset, model_name=method, protocol=protocol, seed=seed)
    path = FOLDER / f"{method}-{dataset}-{settings.protocol}.json"
    document = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    if document and any(run["seed"] == seed for run in document["runs"]):
        return True
    with tempfile.TemporaryDirectory() as folder:
        run = train(method, dataset, settings.protocol, seed, Path(folder) / "run", limit)
        if run is None:
            print(f"{path.stem}, seed {seed}: no result", flush=True)
            return False
        plain = tomllib.loads((Path(folder) / "run/settings.toml").read_text(encoding="utf-8"))
        versions = json.loads((Path(folder) / "run/versions.json").read_text(encoding="utf-8"))
    runs = sorted([*(document or {"runs": []})["runs"], run], key=lambda each: each["seed"])
    values = [100 * each["test"][run["metric"]] for each in runs]
    plain.pop("seed", None)
    document = {
        "experiment": "baselines",
        "model": method,
        "dataset": dataset,
        "protocol": settings.protocol,
        "metric": run["metric"],
        "mean": statistics.mean(values),
        "std": statistics.stdev(values) if len(values) > 1 else None,
        "values": values,
        "published": find_preset(dataset, "default", method).published,
        "settings": plain,
        "versions": versions,
        "runs": runs,
    }
    make_folder(FOLDER)
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{path.stem}, seed {seed}: {values[-1]:.2f}, mean of {len(values)} {document['mean']:.2f}", flush=True)
    return True


def train(
    method: str, dataset: str, protocol: str, seed: int, folder: Path, limit: float | None
) -> dict[str, Any] | None:
    """One run in a process of its own; what is kept of its result, or ``None`` if it failed or took too long."""
    command = [sys.executable, __file__, "--one", method, dataset, protocol, str(seed), str(folder)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=None if limit is None else 60 * limit, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        print(done.stderr[-2000:], flush=True)
        return None
    peak = float(done.stdout.split()[-1])
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    epochs = [json.loads(line)["seconds"] for line in (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines()]
    kept = ("seed", "metric", "valid", "test", "best_epoch", "epochs", "parameters", "seconds_of_this_process")
    return {key: result[key] for key in kept} | {
        "seconds_per_epoch": statistics.median(epochs) if epochs else None,
        "peak_gigabytes": peak,
    }


def train_one(method: str, dataset: str, protocol: str, seed: str, folder: str) -> None:
    """Train, and print the peak memory of this process."""
    settings = settings_for(dataset, model_name=method, protocol=protocol, seed=int(seed))
    train_run(settings, Path(folder))
    print(peak_bytes() / 1e9)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        train_one(*sys.argv[2:])
    else:
        sys.exit(main())
