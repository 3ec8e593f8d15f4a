"""``hlgnn estimate``: what people and programs are shown."""

import json

import pytest

from hlgnn.cli.main import run

GRAPH = ["estimate", "--nodes", "576289", "--links", "30326273", "--width", "256", "--depth", "15"]


def test_people_see_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*GRAPH, "--processes", "4"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for text in ("columns", "pairs", "an epoch", "has 463 steps of 131072 pairs"):
        assert text in shown
    assert shown.count("GB") >= 5


def test_programs_get_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*GRAPH, "--memory", "64GB", "--operators", "mixture", "--network", "1.25GB", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["size"]["operators"] == "mixture"
    assert {row["shared"] for row in found["rows"]} == {"pairs", "columns"}
    assert [row["processes"] for row in found["rows"] if row["shared"] == "columns"] == [1, 2, 4, 8]
    for row in found["rows"]:
        assert row["bytes"] <= 64e9
        assert row["sum_seconds"] == pytest.approx(row["sent"] / 1.25e9)
    assert found["fewest"][0]["processes"] == 1


def test_a_memory_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*GRAPH, "--memory", "many"]) == 2
    assert "'many' is no amount of memory" in capsys.readouterr().err
