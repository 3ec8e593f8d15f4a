"""Two hosts that meet over TCP find what one process finds."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from process_checks import check_equal_to_one
from process_group import save_halves
from two_hosts import PORT, two_hosts, why_not

SHARDS = ["pairs", "columns"]
TESTS = Path(__file__).parents[1]


def test_two_hosts_equal_one(tmp_path: Path) -> None:
    if reason := why_not():
        pytest.skip(reason)
    save_halves(tmp_path)
    paths = os.pathsep.join([str(TESTS), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    environment = {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "1"]
    with two_hosts() as hosts:
        meeting = ["--master-addr", hosts[0].address, "--master-port", str(PORT)]
        tried = [str(TESTS / "process_group.py"), str(tmp_path), *SHARDS]
        running = [
            host.start(*torchrun, "--node-rank", str(host.number), *meeting, *tried, environment=environment)
            for host in hosts
        ]
        try:
            said = [each.communicate(timeout=300)[0] for each in running]
        finally:
            for each in running:
                each.kill()
        assert [each.returncode for each in running] == [0, 0], "\n".join(said)
        assert all(host.received() > 100_000 for host in hosts)
    check_equal_to_one(2, tmp_path, SHARDS)
