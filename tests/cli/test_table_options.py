"""Options about tables: every command that reads a table takes them, and nothing ignores them."""

import json
from pathlib import Path

import pytest

from hlgnn.cli.main import run


@pytest.fixture
def hlgnn(capsys: pytest.CaptureFixture[str]):
    def call(*words: str) -> tuple[int, str, str]:
        code = run([*words, "--quiet"])
        captured = capsys.readouterr()
        return code, captured.out, " ".join(captured.err.split())

    return call


@pytest.fixture
def odd(tmp_path: Path) -> list[str]:
    """A table that is read in one way only, with the words that say how."""
    edges, people = tmp_path / "odd.txt", tmp_path / "people.csv"
    rows = [f"x| n{i}|n{(i + step) % 60} |{1 + i % 7}|{2000 + i % 20}" for i in range(60) for step in (1, 2)]
    edges.write_text("\n".join(["kind|a|b|strength|year", *rows]) + "\n")
    nodes = [f"{i},n{i}" for i in range(61)]
    people.write_text("\n".join(["age,who", *nodes]) + "\n")
    columns = ["--source", "a", "--target", "b", "--weight", "strength", "--time", "year"]
    features = ["--features", str(people), "--id-column", "who", "--unknown", "add"]
    return [str(edges), *columns, "--header", "--delimiter", "|", "--strip-ids", *features]


def test_check_takes_every_option(hlgnn, odd: list[str]) -> None:
    code, out, err = hlgnn("data", "check", *odd, "--json")
    assert (code, err) == (0, "")
    graph = json.loads(out)["graph"]
    assert (graph["nodes"], graph["links"], graph["features"], graph["weighted"]) == (61, 120, 1, True)


def test_audit_and_split_take_every_option(hlgnn, odd: list[str], tmp_path: Path) -> None:
    code, out, err = hlgnn("audit", *odd, "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["protocol"] == "time"
    assert "feature-cosine" in {score["predictor"] for score in report["trivial"]}
    assert any("weights" in finding["check"] for finding in report["findings"])
    code, out, _ = hlgnn("data", "split", *odd, "--out", str(tmp_path / "out"), "--json")
    assert code == 0
    assert sum(json.loads(out)["links"].values()) == 120


def test_the_folder_of_a_split_knows_its_metric_and_name(hlgnn, odd: list[str], tmp_path: Path) -> None:
    hlgnn("data", "split", *odd, "--out", str(tmp_path / "out"))
    about = json.loads((tmp_path / "out/split.json").read_text())
    assert (about["name"], about["metric"]) == ("odd", "auc")
    about["metric"] = "hits@3"
    (tmp_path / "out/split.json").write_text(json.dumps(about))
    _, out, _ = hlgnn("audit", str(tmp_path / "out"), "--json")
    report = json.loads(out)
    assert report["subject"] == "odd"
    assert {score["metric"] for score in report["trivial"]} == {"hits@3"}
    _, out, _ = hlgnn("audit", str(tmp_path / "out"), "--metric", "mrr", "--json")
    assert {score["metric"] for score in json.loads(out)["trivial"]} == {"mrr"}


OPTIONS = [
    *(("--source", "a"), ("--target", "b"), ("--weight", "c"), ("--time", "d"), ("--header",), ("--no-header",)),
    *(("--delimiter", ";"), ("--strip-ids",), ("--unknown", "add"), ("--id-column", "x"), ("--features", "f.csv")),
]


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("command", [("audit", "cora"), ("data", "split", "cora", "--out", "nowhere")])
def test_a_data_set_takes_no_option_about_tables(hlgnn, command: tuple[str, ...], option: tuple[str, ...]) -> None:
    code, out, err = hlgnn(*command, *option)
    assert (code, out) == (2, "")
    assert "'cora' is a data set" in err
    assert option[0].replace("--no-header", "--header") in err


@pytest.mark.parametrize(
    "option", [*OPTIONS, ("--seed", "0"), ("--protocol", "paper"), ("--negatives", "heart"), ("--unknown", "error")]
)
def test_a_saved_split_takes_no_option_that_would_change_it(hlgnn, tmp_path: Path, option: tuple[str, ...]) -> None:
    (tmp_path / "split.json").write_text("{}")
    code, out, err = hlgnn("audit", str(tmp_path), *option)
    assert (code, out) == (2, "")
    assert "audited as it is" in err
    assert option[0].replace("--no-header", "--header") in err


def test_a_split_is_not_split_again(hlgnn, odd: list[str], tmp_path: Path) -> None:
    hlgnn("data", "split", *odd, "--out", str(tmp_path / "out"))
    code, _, err = hlgnn("data", "split", str(tmp_path / "out"), "--out", str(tmp_path / "again"))
    assert code == 2
    assert "is a split already" in err


def test_a_split_is_not_written_over_a_file(hlgnn, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    code, _, err = hlgnn("data", "split", "cora", "--out", str(tmp_path / "out"))
    assert code == 1
    assert "This is a file, but a split is a folder" in err
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("name", ["out[/]x", "out[bold]x", "[red]"])
def test_brackets_in_names_are_shown(hlgnn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = hlgnn("data", "split", "cora", "--out", name)
    assert code == 0
    assert out.startswith(f"{name}: ")
    about = json.loads((tmp_path / name / "split.json").read_text())
    (tmp_path / name / "split.json").write_text(json.dumps({**about, "name": name}))
    code, out, _ = hlgnn("audit", name)
    assert code == 0
    assert f"Audit of {name}, protocol paper" in out


def test_brackets_in_the_data_folder_are_shown(hlgnn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HLGNN_DATA", "da[/]ta[red]")
    code, out, _ = hlgnn("data", "info", "citeseer")
    assert code == 0
    assert "da[/]ta[red]" in out


@pytest.mark.parametrize("name", ["Degree-Matched", "DEGREE_MATCHED"])
def test_negatives_are_named_in_any_case(hlgnn, name: str) -> None:
    code, out, _ = hlgnn("audit", "cora", "--negatives", name, "--json")
    assert code == 0
    assert json.loads(out)["protocol"] == "paper+degree-matched"


def test_the_nearest_negatives_are_offered(hlgnn) -> None:
    code, _, err = hlgnn("audit", "cora", "--negatives", "degree")
    assert code == 2
    assert "Did you mean 'degree-matched'?" in err


def test_an_empty_delimiter_is_a_wrong_request(hlgnn, odd: list[str]) -> None:
    code, _, err = hlgnn("data", "check", odd[0], "--delimiter", "")
    assert code == 2
    assert "cannot stand between cells" in err


@pytest.mark.parametrize("below", ["", "/sub"])
def test_doctor_wants_a_folder_for_data(hlgnn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HLGNN_DATA", f"{tmp_path / 'file'}{below}")
    code, out, _ = hlgnn("doctor", "--json")
    (row,) = [row for row in json.loads(out) if row["topic"] == "data folder"]
    assert code == 1
    assert not row["fine"]
    assert "is a file" in row["value"]
    assert row["hint"] == "Set HLGNN_DATA to a folder."
