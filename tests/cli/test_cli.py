"""Every command end to end, as a person would type it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hlgnn.cli.main import run


@pytest.fixture
def hlgnn(capsys: pytest.CaptureFixture[str]):
    def call(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    path = tmp_path / "ring.csv"
    rows = [f"n{i},n{(i + step) % 200},{1 + i % 7},{2000 + i % 20}" for i in range(200) for step in (1, 2, 3)]
    path.write_text("\n".join(["from,to,weight,year", *rows]) + "\n")
    return path


def test_help_is_quick_and_imports_no_torch() -> None:
    program = (
        "import sys; from hlgnn.cli.main import run; run(['--help']); "
        "assert not {'torch', 'numba', 'pyarrow'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "audit" in done.stdout


def test_version(hlgnn) -> None:
    code, out, _ = hlgnn("--version")
    assert code == 0
    assert out.startswith("hlgnn 0.")


def test_python_dash_m() -> None:
    done = subprocess.run([sys.executable, "-m", "hlgnn", "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("hlgnn")


def test_demo_shows_graph_protocols_audit_scores_and_a_report(hlgnn, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = hlgnn("demo", "--quiet")
    assert code == 0
    for words in ("Cora", "2 708", "paper", "ncn", "No leak", "Hits@100", "ten best missing", "report.html"):
        assert words in out
    assert (tmp_path / "runs" / "demo" / "report.html").is_file()


def test_demo_gives_the_published_common_neighbors_under_each_protocol(hlgnn, tmp_path) -> None:
    code, out, err = hlgnn("--json", "demo", "--quiet", "--out", str(tmp_path / "demo"))
    document = json.loads(out)
    assert (code, err) == (0, "")
    means = {
        cell["protocol"]: 100 * sum(cell["values"]) / len(cell["values"])
        for cell in document["scores"]
        if cell["predictor"] == "cn"
    }
    assert means["paper"] == pytest.approx(45, abs=2)
    assert means["ncn"] == pytest.approx(33.5, abs=2)


def test_data_list_names_all_nine(hlgnn) -> None:
    code, out, _ = hlgnn("data", "list", "--json")
    rows = json.loads(out)
    assert code == 0
    assert [row["name"] for row in rows] == [
        *("cora", "citeseer", "pubmed", "photo", "computers"),
        *("ogbl-collab", "ogbl-ddi", "ogbl-ppa", "ogbl-citation2"),
    ]


@pytest.mark.parametrize(
    "name", ["cora", "citeseer", "pubmed", "photo", "computers", "collab", "ddi", "ppa", "citation2"]
)
def test_data_info_works_without_any_files(hlgnn, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLGNN_DATA", str(tmp_path))
    code, out, _ = hlgnn("data", "info", name, "--quiet")
    assert code == 0
    assert "licence" in out
    assert ("embedded" if name == "cora" else "to download") in out


EXPECTED = {
    "cora": (2708, 5278, 1433),
    "citeseer": (3327, 4552, 3703),
    "pubmed": (19717, 44324, 500),
    "photo": (7650, 119081, 745),
    "computers": (13752, 245861, 767),
    "ogbl-ddi": (4267, 1067911, 0),
}


@pytest.mark.data
@pytest.mark.parametrize("name", EXPECTED)
def test_statistics_counted_from_the_files_equal_the_cards(hlgnn, name: str, data_folder: Path) -> None:
    code, out, _ = hlgnn("data", "info", name, "--json", "--quiet")
    document = json.loads(out)
    assert code == 0
    assert document["files"] == "present"
    counted = {row["name"]: row["counted"] for row in document["statistics"]}
    assert (counted["nodes"], counted["links"], counted["features"]) == EXPECTED[name]
    assert all(row["counted"] == row["card"] for row in document["statistics"])


@pytest.mark.data
def test_ddi_has_its_official_split(hlgnn, data_folder: Path) -> None:
    _, out, _ = hlgnn("data", "info", "ddi", "--json", "--quiet")
    counted = {row["name"]: row["counted"] for row in json.loads(out)["statistics"]}
    assert [counted[f"{part} links"] for part in ("train", "valid", "test")] == [1067911, 133489, 133489]
    assert [counted[f"{part} negatives"] for part in ("valid", "test")] == [101882, 95599]


@pytest.mark.data
def test_the_audit_of_ddi_is_clean(hlgnn, data_folder: Path) -> None:
    code, out, _ = hlgnn("audit", "ddi", "--json", "--quiet")
    assert code == 0
    assert json.loads(out)["protocol"] == "ogb"


@pytest.mark.parametrize("protocol", ["paper", "ncn", "buddy", "heart"])
def test_the_audit_of_cora_is_clean(hlgnn, protocol: str) -> None:
    code, out, err = hlgnn("audit", "cora", "--protocol", protocol, "--quiet")
    assert (code, err) == (0, "")
    assert "No leak" in out


def test_own_graph_check_audit_split_and_audit_of_the_split(hlgnn, ring: Path, tmp_path: Path) -> None:
    code, out, _ = hlgnn("data", "check", str(ring), "--json", "--quiet")
    assert code == 0
    assert json.loads(out)["graph"]["links"] == 600
    code, out, _ = hlgnn("audit", str(ring), "--time", "year", "--json", "--quiet")
    assert code == 0
    assert json.loads(out)["protocol"] == "time"
    folder = tmp_path / "split"
    code, _, _ = hlgnn("data", "split", str(ring), "--protocol", "ncn", "--out", str(folder), "--quiet")
    assert code == 0
    code, out, _ = hlgnn("audit", str(folder), "--metric", "hits@20", "--json", "--quiet")
    assert code == 0
    assert json.loads(out)["protocol"] == "ncn"


def test_a_leaking_split_leaves_with_one(hlgnn, ring: Path, tmp_path: Path) -> None:
    folder = tmp_path / "split"
    hlgnn("data", "split", str(ring), "--protocol", "paper", "--out", str(folder), "--quiet")
    (folder / "test_negative.parquet").write_bytes((folder / "test.parquet").read_bytes())
    code, out, _ = hlgnn("audit", str(folder), "--json", "--quiet")
    assert code == 1
    assert json.loads(out)["verdict"] == "leak"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_cannot_show_a_sign_still_gets_the_result(encoding: str) -> None:
    command = [sys.executable, "-m", "hlgnn", "data", "list"]
    plain = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, check=False, env=plain)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"ogbl-citation2" in done.stdout


def test_doctor(hlgnn) -> None:
    code, out, _ = hlgnn("doctor", "--json")
    found = {row["topic"]: row for row in json.loads(out)}
    assert code == 0
    assert found["compiled kernels"]["value"] == "work"
    assert "torch" in found


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("data", "info", "coro"), 2, "Did you mean 'cora'"),
        (("audit", "cora", "--protocol", "papr"), 2, "Did you mean 'paper'"),
        (("audit", "cora", "--protocol", "ogb"), 1, "no official split"),
        (("audit", "cora", "--protocol", "time"), 1, "have no time"),
        (("audit", "cora", "--metric", "hits"), 2, "hits"),
        (("audit", "cora", "--negatives", "hard"), 2, "All: uniform, degree-matched, heart"),
        (("audit", "missing.csv"), 2, "There is no such file"),
        (("audit", "cora", "--time", "year"), 2, "is a data set"),
        (("audit",), 2, "--help"),
        (("nothing",), 2, "No such command"),
        (("data", "check", "missing.csv"), 2, "missing.csv"),
    ],
)
def test_wrong_requests_are_answered_with_a_sentence(hlgnn, words: tuple[str, ...], code: int, says: str) -> None:
    got, out, err = hlgnn(*words, "--quiet")
    assert (got, out) == (code, "")
    assert says in " ".join(err.split())
    assert "Traceback" not in err


def test_debug_shows_the_traceback(hlgnn) -> None:
    _, _, err = hlgnn("data", "info", "coro", "--debug")
    assert "Traceback" in err


def test_nothing_is_downloaded_offline(hlgnn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLGNN_DATA", str(tmp_path))
    code, _, err = hlgnn("audit", "citeseer", "--offline", "--quiet")
    assert code == 1
    assert "offline" in err
    assert "ind.citeseer.x" in err


def test_too_small_a_graph_is_said(hlgnn, tmp_path: Path) -> None:
    path = tmp_path / "small.csv"
    path.write_text("a,b\nb,c\n")
    code, _, err = hlgnn("audit", str(path), "--quiet")
    assert code == 1
    assert "2 links are too few" in " ".join(err.split())
