"""Pictures are complete files, of the kind that their names say, and need no global state."""

import sys
from pathlib import Path

import pytest

from hlgnn.errors import MissingPackageError, OutputError, SettingsError
from hlgnn.formulation import SYM, Formulation
from hlgnn.interpret import plot_response, plot_weights

H = Formulation("h", (SYM, SYM), (0.1, 0.2, -0.7))
PANELS = {"one": [H.betas], "several": [H.betas, (0.2, 0.2, 0.2)], "third": [H.betas]}


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml")])
def test_both_kinds_are_written(tmp_path: Path, name: str, start: bytes) -> None:
    for draw in (lambda path: plot_weights(PANELS, path), lambda path: plot_response({"h": H}, path)):
        draw(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
        assert [path.name for path in tmp_path.iterdir()] == [name]


def test_nothing_is_left_behind_by_a_failure(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"\.png or \.svg"):
        plot_weights(PANELS, tmp_path / "a.txt")
    with pytest.raises(SettingsError, match="no weights"):
        plot_weights({}, tmp_path / "a.png")
    with pytest.raises(SettingsError, match="no response"):
        plot_response({}, tmp_path / "a.png")
    with pytest.raises(OutputError):
        plot_response({"h": H}, tmp_path / "missing" / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackageError, match=r'pip install "hlgnn\[plots\]"'):
        plot_weights(PANELS, tmp_path / "a.png")
