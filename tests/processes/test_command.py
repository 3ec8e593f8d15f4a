"""``--processes``: one voice, one error, one exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hlgnn.cli.main import run as run_here

SETTINGS = ("train.epochs=2", "model.propagation.depth=2", "model.input.svd=8", "model.head.kind=dot")
TRAIN = ("train", "cora", *(word for each in SETTINGS for word in ("--set", each)))


def start(*line: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "hlgnn", *line]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(*line: str) -> tuple[int, str, str]:
    started = start(*line)
    out, errors = started.communicate(timeout=180)
    return started.returncode, out, " ".join(errors.split())


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    code, _, errors = run(*TRAIN, "--out", str(folder), "--quiet")
    assert code == 0, errors
    return folder


def test_an_error_of_all_is_said_once(tmp_path: Path) -> None:
    line = ("train", "cora", "--model", "mlp", "--out", str(tmp_path / "run"))
    code, out, errors = run(*line, "--processes", "2", "--shard", "columns")
    assert (code, out) == (2, "")
    assert errors == "Error: --shard: Processes cannot share the columns of MLP. Use --shard pairs."
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("shard", ["pairs", "columns"])
def test_a_budget_of_memory_is_that_of_each(shard: str, trained: Path, tmp_path: Path) -> None:
    line = (*TRAIN, "--out", str(tmp_path / "run"), "--processes", "2", "--shard", shard)
    code, _, errors = run(*line, "--memory", "20MB")
    assert code == 2
    assert errors.count("20 MB of memory for each process are too little to train") == 1
    assert not (tmp_path / "run").exists()
    code, _, errors = run(*line, "--memory", "8GB")
    assert code == 0, errors
    assert errors.count("for each process") == errors.count("peak: ") == 1
    found, expected = (json.loads((each / "result.json").read_text()) for each in (tmp_path / "run", trained))
    assert found["test"] == pytest.approx(expected["test"], abs=0.02)
    assert found["memory_plan"]["processes"] == 2
    assert found["peak_bytes"] < 1.2 * found["memory_plan"]["bytes"]


@pytest.mark.parametrize("job", ["evaluate RUN --metric auc", "predict RUN --top 30", "predict cora --top 5"])
def test_what_is_asked_of_a_run_or_a_table_is_the_same(
    job: str, trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = [*job.replace("RUN", str(trained)).split(), "--json", "--quiet"]
    code, out, errors = run(*line, "--processes", "2")
    assert code == 0, errors
    assert run_here(line) == 0
    assert json.loads(out) == [pytest.approx(row) for row in json.loads(capsys.readouterr().out)]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found through /proc")
def test_an_interruption_ends_all(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    line = [word.replace("epochs=2", "epochs=9999") for word in TRAIN]
    started = start(*line, "--set", "train.patience=0", "--out", str(folder), "--processes", "2")
    deadline = time.monotonic() + 120
    while not (folder / "checkpoint.safetensors").is_file() and time.monotonic() < deadline:
        time.sleep(0.05)
    children = Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()
    assert len(children) == 2
    for process in (started.pid, *map(int, children)):  # as a terminal does
        os.kill(process, signal.SIGINT)
    _, errors = started.communicate(timeout=60)
    assert started.returncode == 130
    assert errors.count("Interrupted") == 1
    assert not any(Path(f"/proc/{child}").exists() for child in children)
