"""How the processes of a run meet, and which of them tells of an error."""

from __future__ import annotations

import contextlib
import time
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import torch
import torch.distributed as dist
import torch.distributed.nn.functional  # before there is a group: its defaults keep the one there is by then
from torch._C._distributed_c10d import PrefixStore
from torch.distributed.rendezvous import rendezvous

from hlgnn.errors import HlgnnError, ProcessError, SaidElsewhere
from hlgnn.place import find_place
from hlgnn.processes.processes import SINGLE, make_processes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch._C._distributed_c10d import Store

    from hlgnn.processes.processes import Processes, Shard

# One process may read and split a large data set while the others wait for it.
PATIENCE = timedelta(hours=1)
SAID, HERE, START, MET = "hlgnn/said", "hlgnn/here", "hlgnn/start", "hlgnn/met"
PAUSE = 0.02


@contextlib.contextmanager
def joined(shard: Shard = "pairs") -> Iterator[Processes]:
    """All processes of this run, or ``SINGLE`` if there is one.

    Raises:
        ProcessError: If the others do not come.
        SaidElsewhere: Instead of an error that another process has told of.
    """
    place = find_place()
    if place.size == 1:
        yield SINGLE
        return
    store = _meet()
    try:
        processes = make_processes(shard)
        try:
            yield processes
        finally:
            processes.leave()
    except (HlgnnError, OSError, MemoryError) as error:
        watched = place.watched and isinstance(error, ProcessError)
        if watched or not _is_first_to_say(store, f"{SAID}/{place.attempt}"):
            code = error.exit_code if isinstance(error, HlgnnError) else HlgnnError.exit_code
            raise SaidElsewhere(code) from error
        raise
    finally:
        dist.destroy_process_group()  # ends threads, which must not outlive the interpreter


def _meet() -> Store:
    """Numbers on processors are exchanged by gloo, those on graphics cards by NCCL."""
    backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
    try:
        store: Store
        store, rank, size = next(rendezvous("env://", timeout=PATIENCE))
        fresh = PrefixStore(_agreed_start(store, rank, size), store)
        dist.init_process_group(backend, store=fresh, rank=rank, world_size=size, timeout=PATIENCE)
    except (RuntimeError, ValueError) as error:
        raise ProcessError(
            f"The processes of the run did not meet ({str(error).splitlines()[0][:200]}).",
            hint="Name the network by GLOO_SOCKET_IFNAME, and make sure that the hosts reach each other.",
        ) from error
    return store


def _agreed_start(store: Store, rank: int, size: int) -> str:
    """A name for this start that all processes agree on.

    After a restart torchrun may hand out the store of the processes that are gone, with their addresses in it. Each
    process therefore says that it is here under a name of its own; the first one tells everyone that it hears of the
    name of the start, and goes on when all have answered. Those who are gone are answered, too, and nobody listens.

    Raises:
        RuntimeError: If some do not come.
    """
    if rank > 0:
        own = uuid4().hex
        store.set(f"{HERE}/{rank}", own)
        start = store.get(f"{START}/{own}").decode()  # waits for it
        store.add(f"{MET}/{start}", 1)
        return start
    start, told, deadline = uuid4().hex, set(), time.monotonic() + PATIENCE.total_seconds()
    while store.add(f"{MET}/{start}", 0) < size - 1:
        if time.monotonic() > deadline:
            raise RuntimeError("some processes did not come")
        for key in (f"{HERE}/{other}" for other in range(1, size)):
            if store.check([key]) and (name := store.get(key)) not in told:
                store.set(f"{START}/{name.decode()}", start)
                told.add(name)
        time.sleep(PAUSE)
    return start


def _is_first_to_say(store: Store, key: str) -> bool:
    """Whether no other process has told of an error; the store is gone with a process that did."""
    try:
        return bool(store.add(key, 1) == 1)
    except RuntimeError:
        return False
