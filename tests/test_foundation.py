"""Errors, names, seeds, atomic files."""

import errno
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.atomic import atomic_path
from hlgnn.errors import HlgnnError, OutputError, UnknownNameError
from hlgnn.registry import Registry
from hlgnn.seeds import Seeds


def test_an_error_says_what_where_and_what_to_do() -> None:
    error = HlgnnError("It is wrong.", where="a.csv, line 3", hint="Mend it.")
    assert str(error) == "a.csv, line 3: It is wrong. Mend it."


def test_names_ignore_case_and_dashes_and_a_miss_names_the_nearest() -> None:
    registry = Registry("method", {"neo-gnn": 1, "buddy": 2})
    assert registry["Neo_GNN"] == registry["neo gnn"] == 1
    assert "BUDDY" in registry
    with pytest.raises(UnknownNameError, match="Did you mean 'buddy'"):
        registry["budy"]


@given(seed=st.integers(0, 2**40), first=st.text(max_size=8), second=st.text(max_size=8))
def test_stages_draw_independently_and_reproducibly(seed: int, first: str, second: str) -> None:
    draw = [
        torch.randint(2**60, (4,), generator=Seeds(seed).generator(stage)).tolist() for stage in (first, first, second)
    ]
    assert draw[0] == draw[1]
    assert (draw[0] == draw[2]) == (first == second)
    assert draw[0] != torch.randint(2**60, (4,), generator=Seeds(seed + 1).generator(first)).tolist()


def half_written(path: Path) -> None:
    path.write_text("half")
    raise ZeroDivisionError


def test_an_atomic_file_is_complete_or_not_there(tmp_path: Path) -> None:
    target = tmp_path / "result.txt"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_path(target) as path:
        half_written(path)
    assert target.read_text() == "old"
    with atomic_path(target) as path:
        path.write_text("new")
    assert target.read_text() == "new"
    assert [file.name for file in tmp_path.iterdir()] == ["result.txt"]


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="No space left"), atomic_path(tmp_path / "result.txt"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="No such file"), atomic_path(tmp_path / "no" / "result.txt"):
        pass


def test_a_registry_is_a_mapping() -> None:
    colours = Registry("colour", {"dark-red": 1, "green": 2})
    assert isinstance(colours, Mapping)
    assert list(colours.keys()) == ["dark-red", "green"]
    assert list(colours.items()) == [("dark-red", 1), ("green", 2)]
    assert dict(colours) == {"dark-red": 1, "green": 2}
    assert repr(colours) == "Registry('colour': dark-red, green)"
    assert (colours.get("Dark Red"), colours.get("blue"), colours.get("blue", 7)) == (1, None, 7)


def test_what_is_no_text_is_not_in_a_registry() -> None:
    colours = Registry("colour", {"green": 2})
    assert 3 not in colours
    assert None not in colours
    with pytest.raises(KeyError):
        colours[3]  # type: ignore[index]
    assert colours.get(3, 0) == 0  # type: ignore[call-overload]
