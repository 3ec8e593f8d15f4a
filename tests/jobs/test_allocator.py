"""Memory that is kept: a step that repeats another one gets its pages without asking the system again."""

import subprocess
import sys

import pytest

COUNT_FAULTS = """
import resource, sys, torch
from hlgnn.jobs.allocator import keep_freed_memory
if sys.argv[1] == "kept" and not keep_freed_memory():
    print("absent")
    raise SystemExit
def step():
    tensors = [torch.ones(50_000_000 // 4) for _ in range(3)]
for _ in range(20):  # until the heap has found its size
    step()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(kind: str) -> int:
    done = subprocess.run([sys.executable, "-c", COUNT_FAULTS, kind], capture_output=True, text=True, check=True)
    if done.stdout.strip() == "absent":
        pytest.skip("there is no glibc here")
    return int(done.stdout)


def test_a_step_like_the_others_takes_no_new_pages() -> None:
    assert faults("kept") < 1000 < faults("given back")
