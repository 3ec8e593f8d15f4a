"""Processes that part leave no thread behind: one that outlives the interpreter may abort a process that is done."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

THREADS = Path("/proc/self/task")
PROGRAM = """
import pathlib
import torch
from hlgnn.processes import joined

with joined("mesh") as processes:
    weight = torch.nn.Parameter(torch.ones(3))
    optimizer = torch.optim.AdamW([weight])  # imports much of torch while there are groups
    weight.sum().backward()
    for group in (processes.everyone, processes.pairs, processes.columns):
        group.sum(weight.grad, "gradients")
    optimizer.step()
print(*(each.joinpath("comm").read_text().strip() for each in pathlib.Path("/proc/self/task").iterdir()))
"""


@pytest.mark.skipif(not THREADS.is_dir(), reason="threads are listed on Linux only")
@pytest.mark.parametrize("size", [2, 4])
def test_no_thread_of_a_group_is_left(size: int) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = os.environ | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(size)}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=told | {"RANK": str(rank)}, stdout=subprocess.PIPE, text=True
        )
        for rank in range(size)
    ]
    names = [worker.communicate(timeout=120)[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * size
    assert not any("gloo" in each for each in names)
