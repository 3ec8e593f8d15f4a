"""Processes that start again with an old store meet each other, and nobody who is gone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import torch.distributed as dist

from hlgnn.processes.join import _agreed_start


def start(store: dist.Store, size: int) -> set[str]:
    """What the processes of one start agree on, the first of them last."""
    with ThreadPoolExecutor(size) as pool:
        found = [pool.submit(_agreed_start, store, rank, size) for rank in reversed(range(size))]
        return {each.result(timeout=30) for each in found}


def test_every_start_has_a_name_of_its_own_that_all_know() -> None:
    store = dist.HashStore()
    names = [start(store, size) for size in (3, 3, 2, 4)]
    assert [len(each) for each in names] == [1, 1, 1, 1]
    assert len(set.union(*names)) == 4


def test_those_who_are_gone_are_not_waited_for() -> None:
    store = dist.HashStore()
    store.set("hlgnn/here/1", "gone")  # a process that said so and was killed
    assert len(start(store, 2)) == 1
