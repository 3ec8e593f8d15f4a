"""Measure steps of training, fit the growth model of `hlgnn estimate`, and check it on sizes that it was not fitted on.

Every size is measured in a process of its own, so that its peak of memory is its own, and on one processor by the time
that the processor works, so that whatever else runs on the machine disturbs little. The sum over processes is measured
with two that share this machine.

Example:
    python scripts/fit_growth.py                     # measures, fits and writes coefficients.json
    python scripts/fit_growth.py --again             # once more, where other work may have disturbed
    python scripts/fit_growth.py --check --out results/benchmarks/estimate.json
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch import multiprocessing

from hlgnn.jobs.allocator import keep_freed_memory
from hlgnn.jobs.growth.fitted import FILE, Fitted, Measured, fit, load_fitted
from hlgnn.jobs.growth.measure import measure_step
from hlgnn.jobs.growth.step_size import StepSize
from hlgnn.jobs.versions import versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLACE = Path(__file__).parent.parent / "src/hlgnn/jobs/growth" / FILE
SIZES = (
    StepSize(2_000, 10_000, 64, 5, "sym", 4_096, 64),
    StepSize(10_000, 30_000, 256, 15, "sym", 8_192, 256),
    StepSize(20_000, 100_000, 64, 10, "sym", 65_536, 256),
    StepSize(20_000, 100_000, 256, 3, "sym", 16_384, 64),
    StepSize(50_000, 1_000_000, 32, 15, "sym", 65_536, 32),
    StepSize(100_000, 300_000, 128, 15, "sym", 32_768, 128),
    StepSize(100_000, 1_000_000, 128, 4, "sym", 65_536, 512),
    StepSize(200_000, 600_000, 256, 3, "sym", 65_536, 256),
    StepSize(300_000, 3_000_000, 64, 5, "sym", 131_072, 64),
    StepSize(60_000, 3_000_000, 128, 3, "sym", 65_536, 256),
    StepSize(600_000, 3_000_000, 64, 2, "sym", 16_384, 64),
    StepSize(500_000, 1_000_000, 128, 5, "sym", 65_536, 128),
    StepSize(150_000, 3_000_000, 128, 2, "sym", 32_768, 64),
    StepSize(300_000, 2_000_000, 128, 3, "sym", 32_768, 128),
    StepSize(100_000, 2_000_000, 256, 2, "sym", 16_384, 64),
    StepSize(500_000, 10_000_000, 64, 3, "sym", 65_536, 64),
    StepSize(1_000_000, 8_000_000, 32, 4, "sym", 32_768, 32),
    StepSize(2_000, 10_000, 64, 5, "mixture", 4_096, 64),
    StepSize(20_000, 100_000, 128, 10, "mixture", 65_536, 256),
    StepSize(100_000, 300_000, 64, 15, "mixture", 16_384, 64),
    StepSize(100_000, 1_000_000, 128, 3, "mixture", 65_536, 256),
    StepSize(300_000, 1_000_000, 128, 2, "mixture", 32_768, 128),
    StepSize(300_000, 3_000_000, 32, 5, "mixture", 65_536, 64),
    StepSize(400_000, 8_000_000, 32, 2, "mixture", 65_536, 64),
)
HELD_OUT = (
    StepSize(220_000, 4_000_000, 112, 4, "sym", 40_960, 160),
    StepSize(750_000, 7_000_000, 80, 3, "sym", 49_152, 96),
    StepSize(130_000, 700_000, 160, 3, "mixture", 28_672, 96),
)
"""Written down before the last fit was made; none of them was measured earlier."""
STEPS = 5
"""Steps after the first one, of which the shortest counts: the first few of a process still meet memory that is new."""
BAR = 1.5
SUMMED = 1 << 24
"""Numbers whose sum over two processes is timed."""


def measure(size: StepSize, times: int = 1) -> Measured:
    """A size in processes of its own, the shortest time of so many."""
    found = [_measure_once(size) for _ in range(times)]
    return min(found, key=lambda each: each.seconds)


def _measure_once(size: StepSize) -> Measured:
    command = [sys.executable, __file__, "--one", json.dumps(asdict(size))]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    values = json.loads(output.splitlines()[-1])
    return Measured(**{**values, "size": StepSize(**values["size"])})


def use_one_processor() -> None:
    """Nothing runs side by side from here on."""
    torch.set_num_threads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def sum_seconds() -> float:
    """Seconds for each byte that a process sends when two of them sum up numbers."""
    with tempfile.TemporaryDirectory() as place:
        store = Path(place) / "store"
        multiprocessing.spawn(_sum, args=(str(store), place), nprocs=2)
        return float((Path(place) / "seconds").read_text(encoding="ascii")) / (4 * SUMMED)


def _sum(rank: int, store: str, place: str) -> None:
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    numbers, taken = torch.ones(SUMMED), []
    for _ in range(4):
        start = time.perf_counter()
        dist.all_reduce(numbers)
        taken.append(time.perf_counter() - start)
    if rank == 0:
        (Path(place) / "seconds").write_text(str(min(taken)), encoding="ascii")
    dist.destroy_process_group()


def compared(fitted: Fitted, found: Measured) -> dict[str, Any]:
    """A measurement beside the estimate."""
    seconds, peak = fitted.step_seconds(found.size), fitted.peak_bytes(found.size)
    return {
        **found.document(),
        "estimated_seconds": seconds,
        "estimated_peak": peak,
        "seconds_ratio": seconds / found.seconds,
        "peak_ratio": peak / found.peak,
    }


def show(row: dict[str, Any]) -> None:
    """One line."""
    size = row["size"]
    name = " ".join(str(size[key]) for key in ("operators", "nodes", "links", "width", "depth", "batch", "hidden"))
    print(
        f"{name}: {row['seconds']:.3f} s (× {row['seconds_ratio']:.2f}), {row['peak'] / 1e9:.2f} GB "
        f"(× {row['peak_ratio']:.2f})",
        flush=True,
    )


def known_sizes() -> dict[StepSize, Measured]:
    """What the file holds of measurements."""
    rows = json.loads(PLACE.read_text(encoding="utf-8"))["measured"]
    found = [Measured(**{**row, "size": StepSize(**row["size"])}) for row in rows]
    return {each.size: each for each in found}


def fit_all(known: Mapping[StepSize, Measured], least: int) -> None:
    """Measure all sizes and write the coefficients; of a size that was measured before the shortest time counts.

    Sizes that are known are not measured again if they have fewer than ``least`` links.
    """
    measured = []
    for size in SIZES:
        before = known.get(size)
        if before is not None and size.links < least:
            measured.append(before)
            continue
        found = measure(size)
        measured.append(found if before is None else replace(found, seconds=min(found.seconds, before.seconds)))
        print(size, f"{found.seconds:.3f} s, {found.peak / 1e9:.2f} GB", flush=True)
    write(measured)


def write(measured: Sequence[Measured]) -> None:
    """Fit, show how well, and write the coefficients."""
    fitted = fit(measured, sum_seconds(), threads=1)
    for each in measured:
        show(compared(fitted, each))
    document = fitted.document() | {
        "measured": [each.document() for each in measured],
        "versions": versions(),
    }
    PLACE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def check(out: Path | None) -> None:
    """Measure the sizes that were held out, beside the estimate."""
    fitted, rows = load_fitted(), []
    for size in HELD_OUT:
        rows.append(compared(fitted, measure(size, times=2)))
        show(rows[-1])
    worst = max(max(ratio, 1 / ratio) for row in rows for ratio in (row["seconds_ratio"], row["peak_ratio"]))
    print(f"worst factor {worst:.2f}, bar {BAR}")
    if out is not None:
        document = {"bar": BAR, "worst_factor": worst, "held_out": rows, "versions": versions()}
        out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Fit, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="measure the sizes that were held out")
    parser.add_argument("--again", action="store_true", help="measure once more, and keep the shortest of both times")
    parser.add_argument("--least", type=int, default=0, help="the links from which on --again measures again")
    parser.add_argument("--fit", action="store_true", help="fit what was measured before")
    parser.add_argument("--out", type=Path, help="where the check is written to")
    parser.add_argument("--one", help="measure one size in this process")
    arguments = parser.parse_args()
    if arguments.one:
        use_one_processor()
        keep_freed_memory()  # as training has it
        size = StepSize(**json.loads(arguments.one))
        print(json.dumps(measure_step(size, STEPS, time.process_time).document()))
    elif arguments.check:
        check(arguments.out)
    elif arguments.fit:
        write(list(known_sizes().values()))
    else:
        fit_all(known_sizes() if arguments.again else {}, arguments.least)


if __name__ == "__main__":
    main()
