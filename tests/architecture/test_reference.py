"""The reference pages say what the code says."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import hlgnn

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "scripts/make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_pages_are_up_to_date(script: ModuleType) -> None:
    assert script.main(["--check"]) == 0, "run python scripts/make_reference.py"


def test_a_stale_or_missing_page_is_found_and_written_again(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "FOLDER", tmp_path / "reference")
    assert script.main(["--check"]) == 1
    assert "datasets.md is stale" in capsys.readouterr().err
    assert not (tmp_path / "reference").exists()
    assert script.main([]) == 0
    assert script.main(["--check"]) == 0
    (tmp_path / "reference/protocols.md").write_text("old")
    assert [path.name for path in script.stale_pages()] == ["protocols.md"]


def test_every_public_name_is_in_the_python_reference() -> None:
    page = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^::: hlgnn\.(\w+)$", page, re.MULTILINE)) == sorted(hlgnn.__all__)
