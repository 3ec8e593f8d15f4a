"""A worker that is killed in the middle of training: all start again, and end where they would have ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from hlgnn.training.tensor_files import load_tensors

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found through /proc")
EPOCHS = 30
LINE = [
    *("train", "cora", "--set", f"train.epochs={EPOCHS}", "--set", "model.input.svd=8"),
    *("--set", "model.propagation.depth=2", "--set", "train.selection_negatives=0"),
    *("--set", "model.input.dropout=0", "--set", "model.head.dropout=0", "--set", "model.propagation.dropout=0"),
]
COMMAND = [sys.executable, "-m", "hlgnn", *LINE]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
WAYS = {
    "--processes": [*COMMAND, "--processes", "2", "--shard", "columns"],
    "torchrun": [*TORCHRUN, "--max-restarts", "1", "-m", "hlgnn", *LINE],
}


@pytest.mark.parametrize("way", WAYS)
def test_a_killed_worker_changes_nothing(way: str, tmp_path: Path) -> None:
    folder, undisturbed = tmp_path / "run", tmp_path / "undisturbed"
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    subprocess.run(
        [*WAYS[way], "--out", str(undisturbed)], env=environment, check=True, timeout=180, capture_output=True
    )
    running = subprocess.Popen(
        [*WAYS[way], "--out", str(folder)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        after = _kill_one(running.pid, folder)
        out, errors = running.communicate(timeout=180)
    finally:
        if running.poll() is None:
            running.kill()
    assert running.returncode == 0, errors
    assert after < EPOCHS
    assert out.count("hits@100, test") == 1, "one process speaks"
    if way == "--processes":
        assert " ".join(errors.split()).count("A process was killed (signal 9). All start again") == 1
    ours, theirs = (load_tensors(each / "weights.safetensors")[0] for each in (folder, undisturbed))
    assert ours.keys() == theirs.keys()
    for name, tensor in ours.items():
        assert torch.allclose(tensor, theirs[name], rtol=0, atol=1e-5), name
    results = [json.loads((each / "result.json").read_text()) for each in (folder, undisturbed)]
    assert results[0]["test"] == pytest.approx(results[1]["test"], abs=1e-5)
    assert [path.name for path in folder.glob("checkpoint*")] == []


def _kill_one(parent: int, folder: Path) -> int:
    """Kill the second process with -9 once some epochs are done; how many were."""
    curve, deadline = folder / "curve.jsonl", time.monotonic() + 120
    while time.monotonic() < deadline:
        done = len(curve.read_text().splitlines()) if curve.is_file() else 0
        if done >= 2:
            os.kill(_second_of(parent), signal.SIGKILL)
            return done
        time.sleep(0.01)
    pytest.fail("No epoch was finished.")


def _second_of(parent: int) -> int:
    """The process with rank 1 that ``parent`` has started."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    (found,) = (int(child) for child in children if b"\0RANK=1\0" in Path(f"/proc/{child}/environ").read_bytes())
    return found
