"""A line of processes that share one thing: the pairs of a batch, or the columns of a table."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from hlgnn.errors import ProcessError
from hlgnn.processes.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor


class Group:
    """Some processes in a fixed order; one process alone is a group whose operations do nothing.

    Operations here have no gradient; those of ``collectives`` do.

    Args:
        rank: The place of this process.
        size: How many processes there are.
        handle: How torch knows the group, unless there is one process only.
        traffic: Where bytes are counted.
    """

    def __init__(
        self, rank: int = 0, size: int = 1, handle: dist.ProcessGroup | None = None, traffic: Traffic | None = None
    ) -> None:
        self.rank, self.size, self.handle = rank, size, handle
        self.traffic = traffic or Traffic()

    @property
    def alone(self) -> bool:
        """Whether there is nobody to talk to."""
        return self.size == 1

    def share(self, length: int, rank: int | None = None) -> slice:
        """Which of ``length`` things belong to this process, or to that at ``rank``: neighbours, nearly as many each.

        Example:
            >>> [Group(rank, 3).share(10) for rank in range(3)]
            [slice(0, 3, None), slice(3, 6, None), slice(6, 10, None)]
        """
        place = self.rank if rank is None else rank
        return slice(length * place // self.size, length * (place + 1) // self.size)

    def part(self, length: int) -> tuple[slice, float]:
        """The share of this process, and how much its mean counts; of fewer things than processes everyone has all.

        Example:
            >>> Group(1, 4).part(8), Group(1, 4).part(2)
            ((slice(2, 4, None), 0.25), (slice(0, 2, None), 0.25))
        """
        if length < self.size:
            return slice(0, length), 1 / self.size
        own = self.share(length)
        return own, (own.stop - own.start) / max(1, length)

    def sum(self, tensor: Tensor, kind: str) -> Tensor:
        """The sum over the group, the same bits for all; ``tensor`` is overwritten unless the process is alone."""
        if self.alone:
            return tensor
        self.traffic.note(kind, tensor)
        with noticed():
            dist.all_reduce(tensor, group=self.handle)
        return tensor

    def gather(self, own: Tensor, widths: Sequence[int], kind: str) -> Tensor:
        """Everyone's columns side by side; ``widths`` says how many each brings.  (…, own) -> (…, sum)"""
        if self.alone:
            return own
        padded = _padded(own, max(widths))
        found = padded.new_empty(self.size, *padded.shape)
        self.traffic.note(kind, padded)
        with noticed():
            dist.all_gather(list(found.unbind()), padded, group=self.handle)
        return _joined(found, widths)

    def collect(self, own: Tensor, widths: Sequence[int], kind: str) -> Tensor | None:
        """The same for the first process alone; the others get ``None``.  (…, own) -> (…, sum)"""
        if self.alone:
            return own
        padded = _padded(own, max(widths))
        found = padded.new_empty(self.size, *padded.shape) if self.rank == 0 else None
        self.traffic.note(kind, padded)
        with noticed():
            dist.gather(padded, None if found is None else list(found.unbind()), group=self.handle, group_dst=0)
        return None if found is None else _joined(found, widths)

    def gather_shares(self, own: Tensor, length: int, kind: str) -> Tensor:
        """All of ``length`` entries from everyone's share of them.  (share,) -> (length,)"""
        return self.gather(own[None], self.widths(length), kind)[0]

    def gather_rows(self, own: Tensor, kind: str) -> Tensor:
        """Everyone's rows below each other, however many each brings.  (own, …) -> (sum, …)"""
        if self.alone:
            return own
        counts = self.gather(torch.tensor([len(own)]), [1] * self.size, kind).tolist()
        if sum(counts) == 0:
            return own
        return self.gather(own.movedim(0, -1), counts, kind).movedim(-1, 0).contiguous()

    def largest(self, number: float) -> float:
        """The largest of everyone's numbers."""
        if self.alone:
            return number
        held = torch.tensor([number], dtype=torch.float64)
        with noticed():
            dist.all_reduce(held, dist.ReduceOp.MAX, group=self.handle)
        return held.item()

    def agree(self, tensor: Tensor) -> Tensor:
        """What the first process has, for everyone; ``tensor`` is overwritten."""
        if not self.alone:
            with noticed():
                dist.broadcast(tensor, group=self.handle, group_src=0)
        return tensor

    def widths(self, length: int) -> list[int]:
        """How many of ``length`` things each process has."""
        return [self.share(length, rank).stop - self.share(length, rank).start for rank in range(self.size)]


def _padded(own: Tensor, widest: int) -> Tensor:
    """As wide as the widest part: gathering needs equal sizes."""
    if own.shape[-1] == widest:
        return own.contiguous()
    padded = own.new_zeros(*own.shape[:-1], widest)
    padded[..., : own.shape[-1]] = own
    return padded


def _joined(found: Tensor, widths: Sequence[int]) -> Tensor:
    return torch.cat([part[..., :width] for part, width in zip(found, widths, strict=True)], dim=-1)


@contextlib.contextmanager
def noticed() -> Iterator[None]:
    """Say in a sentence that another process is gone.

    Raises:
        ProcessError: Instead of what torch raises.
    """
    try:
        yield
    except RuntimeError as error:
        raise ProcessError(
            f"Another process of this run does not answer any more ({str(error).splitlines()[0][:200]}).",
            hint="See what it said; 'hlgnn train --resume' goes on after the last complete epoch.",
        ) from error
