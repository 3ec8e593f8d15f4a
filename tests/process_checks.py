"""What several processes found must be what one finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from process_cases import CASES, OTHERS, STORED, resumed, trained, trained_other
from process_group import found_by, half_of
from process_rankings import ranked

OF_EPOCHS = ("losses", "valid")
TRIED = len(CASES) + len(STORED)


def check_equal_to_one(size: int, folder: Path, shards: list[str]) -> None:
    """Losses, β, α, validation values and scores to 1e-5; rankings to the bit; checkpoints that one can go on with."""
    alone = {name: trained(name) for name in CASES} | {name: trained_other(name) for name in OTHERS}
    everyone = found_by(size, folder)
    different = []
    for rank, found in enumerate(everyone):
        assert len(found) == len(shards) * TRIED + len(OTHERS) + 1
        different += [
            (rank, what, key)
            for what, values in found.items()
            if what != "ranked"
            for key in _differences(values, alone[what.split(": ")[1]])
        ]
    assert not different, "\n".join(map(str, different))
    _check_checkpoints(size, folder, shards, alone)
    expected = ranked()
    for found in everyone:
        for what, values in found["ranked"].items():
            assert values == (pytest.approx(expected[what], rel=1e-12) if "scores" in what else expected[what]), what


def _check_checkpoints(size: int, folder: Path, shards: list[str], alone: dict[str, Any]) -> None:
    """One process goes on with what several have begun; columns are in files of their own."""
    for number, name in enumerate(STORED):
        for shard in shards:
            path = half_of(folder, f"{size} {shard}", number)
            assert (len(list(path.parent.iterdir())) > 1) == (shard != "pairs")
            assert not _differences(resumed(name, path), alone[name]), (shard, name)


def _differences(values: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """What is not the same; epochs that were made before a checkpoint are left out."""
    found = []
    for key, value in values.items():
        wanted = expected[key][-len(value) :] if key in OF_EPOCHS else expected[key]
        if value != pytest.approx(wanted, abs=1e-5, rel=0):
            found.append(key)
    return found
