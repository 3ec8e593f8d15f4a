"""Several processes find what one finds, whichever way they share the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from process_checks import check_equal_to_one
from process_group import save_halves, try_all

SHARDS = {2: ["pairs", "columns"], 4: ["pairs", "columns", "mesh"]}


@pytest.mark.parametrize("size", SHARDS)
def test_processes_equal_one(size: int, tmp_path: Path) -> None:
    save_halves(tmp_path)
    try_all(size, tmp_path, SHARDS[size])
    check_equal_to_one(size, tmp_path, SHARDS[size])
