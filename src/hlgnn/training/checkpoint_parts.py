"""A checkpoint of several processes: each writes the columns that it holds, and any number of them can read it.

The parts of an epoch are written first, under names that no other epoch has; only when all of them are there, the first
process writes the file that names them. Whenever a process is killed, the file names parts that are complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from hlgnn.errors import CheckpointError
from hlgnn.training.tensor_files import load_tensors, save_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torch import Tensor

    from hlgnn.models.columns import Columns
    from hlgnn.processes import Processes

Shares = dict[str, tuple[int, "Columns"]]
"""Tensors that processes hold parts of, by name: the dimension that is shared out, and who holds what of it."""

PLACES = "places."
"""Where, in the whole tensor, the columns of a part belong."""


def save_parts(
    path: Path, tensors: dict[str, Tensor], notes: dict[str, Any], shares: Shares, processes: Processes, epoch: int
) -> None:
    """Write what everyone holds, so that it can be loaded by any number of processes; all have to call it."""
    held = {name: tensor for name, tensor in tensors.items() if name in shares}
    if not held:
        if processes.first:
            save_tensors(path, tensors, notes)
        return
    size = processes.columns.size
    if processes.pairs.rank == 0:  # processes with other pairs hold the same
        places = {f"{PLACES}{name}": shares[name][1].own.clone() for name in held}
        save_tensors(path.with_name(_part(path, epoch, processes.columns.rank, size)), held | places, {})
    processes.wait()
    if processes.first:
        parts = [_part(path, epoch, rank, size) for rank in range(size)]
        shared = {name: [shares[name][0], shares[name][1].length] for name in held}
        common = {name: tensor for name, tensor in tensors.items() if name not in held}
        save_tensors(path, common, notes | {"parts": parts, "shared": shared})
        forget_parts(path, keep=parts)


def load_parts(path: Path, shares: Mapping[str, tuple[int, Columns]]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What this process needs of a checkpoint, whoever wrote it: all tensors, or its columns of those in ``shares``.

    Raises:
        CheckpointError: If a file is missing or damaged.
    """
    tensors, notes = load_tensors(path)
    for name, (dim, columns) in shares.items():
        if name in tensors:  # one process wrote it
            tensors[name] = columns.keep(tensors[name], dim)
    wanted = {
        name: (dim, shares[name][1].own if name in shares else torch.arange(length))
        for name, (dim, length) in notes.get("shared", {}).items()
    }
    found: dict[str, int] = {}
    for part in notes.get("parts", []):
        held, _ = load_tensors(path.with_name(part))
        for name, (dim, places) in wanted.items():
            length = int(notes["shared"][name][1])
            own, its = _common(places, held[f"{PLACES}{name}"], length)
            if name not in tensors:
                shape = list(held[name].shape)
                shape[dim] = len(places)
                tensors[name] = held[name].new_empty(shape)
            tensors[name].index_copy_(dim, own, held[name].index_select(dim, its))
            found[name] = found.get(name, 0) + len(own)
    if any(found.get(name) != len(places) for name, (_, places) in wanted.items()):
        raise CheckpointError("The parts of the checkpoint do not hold all columns.", where=str(path))
    return tensors, notes


def forget_parts(path: Path, keep: list[str] | None = None) -> None:
    """Remove parts that no checkpoint names any more."""
    for part in path.parent.glob(f"{path.stem}-*-of-*{path.suffix}"):
        if part.name not in (keep or []):
            part.unlink(missing_ok=True)


def _part(path: Path, epoch: int, rank: int, size: int) -> str:
    return f"{path.stem}-{epoch}-{rank + 1}-of-{size}{path.suffix}"


def _common(places: Tensor, others: Tensor, length: int) -> tuple[Tensor, Tensor]:
    """Positions, in each of two lists of columns, of those that both have.  (own,), (its,) -> (both,), (both,)"""
    position = torch.full((length,), -1)
    position[others] = torch.arange(len(others))
    its = position[places]  # (own,)
    return (its >= 0).nonzero().flatten(), its[its >= 0]
