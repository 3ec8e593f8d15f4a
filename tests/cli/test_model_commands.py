"""``hlgnn models``."""

import json

import pytest

from hlgnn.catalog import MODELS
from hlgnn.cli.main import run


def test_all_methods_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "models", "list"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in found] == list(MODELS)
    assert {each["name"] for each in found if not each["learns"]} >= {"cn", "ki", "shortest-path", "hlgnn-zero"}
    assert {each["name"] for each in found if each["learns"]} >= {"hlgnn", "mf", "buddy"}


@pytest.mark.parametrize("width", [60, 80])
def test_names_are_whole_on_a_narrow_screen(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert run(["models", "list"]) == 0
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= width
    assert set(MODELS) <= set(told.split())


def test_a_method_says_what_is_known_about_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "models", "info", "NCNC"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["title"] == "NCNC"
    assert {preset["dataset"] for preset in found["presets"]} >= {"cora", "citeseer", "pubmed"}
    assert any(preset["published"].get("mean") == 89.65 for preset in found["presets"])
    assert run(["models", "info", "mf"]) == 0
    assert "knows no new nodes" in capsys.readouterr().out


def test_an_unknown_method_is_a_wrong_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["models", "info", "nbfnett"]) == 2
    assert "nbfnet" in capsys.readouterr().err
