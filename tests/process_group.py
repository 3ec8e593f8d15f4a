"""A group of real processes that try everything that processes do together.

``try_all`` starts them on this machine, torchrun on several: ``torchrun … process_group.py FOLDER SHARD…``.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import multiprocessing

from hlgnn.processes.processes import make_processes
from process_cases import CASES, OTHERS, STORED, resumed, save_half, trained, trained_other
from process_rankings import ranked

Found = dict[str, dict[str, Any]]
PATIENCE = timedelta(seconds=120)


def half_of(folder: Path, who: str, number: int) -> Path:
    """Where the checkpoint of a case lies that some processes have written."""
    return folder / who / str(number) / "checkpoint.safetensors"


def save_halves(folder: Path) -> None:
    """What one process has begun, for others to go on with."""
    for number, name in enumerate(STORED):
        half_of(folder, "one", number).parent.mkdir(parents=True)
        save_half(name, half_of(folder, "one", number))


def try_all(size: int, folder: Path, shards: list[str]) -> None:
    """Let ``size`` processes try everything and write down what they found."""
    multiprocessing.spawn(_start, (size, str(folder), shards), nprocs=size)


def found_by(size: int, folder: Path) -> list[Found]:
    """What each process found, by the name of what was tried."""
    return [json.loads((folder / f"{size}-{rank}.json").read_text()) for rank in range(size)]


def _start(rank: int, size: int, folder: str, shards: list[str]) -> None:
    store = dist.FileStore(str(Path(folder) / f"meeting-{size}"), size)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=size, timeout=PATIENCE)
    _try_all(Path(folder), shards)


def _try_all(folder: Path, shards: list[str]) -> None:
    """Train every case, go on with what one process has begun, write checkpoints, and rank."""
    torch.set_num_threads(1)
    found: Found = {}
    size, rank = dist.get_world_size(), dist.get_rank()
    for shard in shards:
        processes = make_processes(shard)  # type: ignore[arg-type]
        found |= {f"{shard}: {name}": trained(name, processes) for name in CASES}
        for number, name in enumerate(STORED):
            found[f"{shard}, begun by one: {name}"] = resumed(name, half_of(folder, "one", number), processes)
            own = half_of(folder, f"{size} {shard}", number)
            own.parent.mkdir(parents=True, exist_ok=True)
            save_half(name, own, processes)
    found |= {f"pairs: {name}": trained_other(name, make_processes("pairs")) for name in OTHERS}
    found["ranked"] = ranked(make_processes("pairs").everyone)
    (folder / f"{size}-{rank}.json").write_text(json.dumps(found))
    dist.destroy_process_group()


if __name__ == "__main__":
    dist.init_process_group("gloo", timeout=PATIENCE)
    _try_all(Path(sys.argv[1]), sys.argv[2:])
