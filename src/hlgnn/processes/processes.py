"""All processes of a run as a table: down the pairs of a batch, across the columns of the representations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import torch
import torch.distributed as dist

from hlgnn.processes.group import Group, noticed
from hlgnn.processes.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Sequence

Shard = Literal["pairs", "columns", "mesh"]
SHARDS: tuple[Shard, ...] = ("pairs", "columns", "mesh")


@dataclass(frozen=True, eq=False)
class Processes:
    """Who there is, and what is shared with whom.

    Attributes:
        everyone: All processes.
        pairs: Those that hold the same columns, and other pairs.
        columns: Those that hold the same pairs, and other columns.
        traffic: What this process told the others, by kind.
    """

    everyone: Group = field(default_factory=Group)
    pairs: Group = field(default_factory=Group)
    columns: Group = field(default_factory=Group)
    traffic: Traffic = field(default_factory=Traffic)

    @property
    def rank(self) -> int:
        """The number of this process."""
        return self.everyone.rank

    @property
    def size(self) -> int:
        """How many there are."""
        return self.everyone.size

    @property
    def first(self) -> bool:
        """Whether this is the one that writes files and speaks."""
        return self.rank == 0

    def wait(self) -> None:
        """Until everyone is here."""
        self.everyone.sum(torch.zeros(1), "wait")

    def leave(self) -> None:
        """Let go of what torch knows of the groups: they end when nobody holds them any more."""
        for group in (self.everyone, self.pairs, self.columns):
            group.handle = None

    def told(self, text: str) -> str:
        """What the first process says; what the others bring is ignored."""
        if self.size == 1:
            return text
        letters = torch.frombuffer(bytearray(text.encode() or b" "), dtype=torch.uint8)
        length = torch.tensor([len(letters)])
        with noticed():
            dist.broadcast(length, 0)
            said = letters.clone() if self.first else torch.empty(int(length), dtype=torch.uint8)
            dist.broadcast(said, 0)
        return bytes(said.tolist()).decode().strip()


SINGLE = Processes()
"""One process: the same, and nothing is communicated."""


def mesh_shape(size: int, shard: Shard) -> tuple[int, int]:
    """How many processes share the pairs, and how many the columns.

    Example:
        >>> mesh_shape(4, "pairs"), mesh_shape(4, "columns"), mesh_shape(8, "mesh")
        ((4, 1), (1, 4), (2, 4))
    """
    if shard == "pairs":
        return size, 1
    if shard == "columns":
        return 1, size
    down = next(number for number in range(math.isqrt(size), 0, -1) if size % number == 0)
    return down, size // down


def make_processes(shard: Shard) -> Processes:
    """The processes that ``torch.distributed`` was told about, as a table."""
    traffic, size, rank = Traffic(), dist.get_world_size(), dist.get_rank()
    _, across = mesh_shape(size, shard)
    everyone = Group(rank, size, None, traffic)
    rows = [range(start, start + across) for start in range(0, size, across)]
    lines = [range(start, size, across) for start in range(across)]
    columns, pairs = _own(rows, rank, everyone), _own(lines, rank, everyone)
    return Processes(everyone, pairs, columns, traffic)


def _own(groups: Sequence[Sequence[int]], rank: int, everyone: Group) -> Group:
    """The group that ``rank`` is in; every process has to name all of them, in the same order."""
    found = everyone
    for members in groups:
        if len(members) in {1, everyone.size}:
            continue
        handle = dist.new_group(list(members))
        if rank in members:
            found = Group(members.index(rank), len(members), handle, everyone.traffic)
    return Group(traffic=everyone.traffic) if len(groups) == everyone.size else found
