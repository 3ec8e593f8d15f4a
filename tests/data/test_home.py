"""Where the data sets live."""

import sys
from pathlib import Path

import pytest

from hlgnn.data.home import data_home


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HLGNN_DATA", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/ada")


def test_an_explicit_folder_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLGNN_DATA", "/elsewhere")
    assert data_home(Path("here")) == Path("here")
    assert data_home(Path("~/data")) == Path("/home/ada/data")


def test_the_environment_comes_before_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert data_home() == Path("/cache/hlgnn")
    monkeypatch.setenv("HLGNN_DATA", "~/data")
    assert data_home() == Path("/home/ada/data")


@pytest.mark.parametrize(
    ("platform", "expected"), [("linux", "/home/ada/.cache/hlgnn"), ("darwin", "/home/ada/Library/Caches/hlgnn")]
)
def test_the_cache_is_where_the_system_keeps_it(monkeypatch: pytest.MonkeyPatch, platform: str, expected: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert data_home() == Path(expected)
