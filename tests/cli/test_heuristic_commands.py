"""Scoring and ranking by heuristics, as a person would type it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pyarrow.csv
import pyarrow.parquet
import pytest

from hlgnn.cli.main import run


@pytest.fixture
def hlgnn(capsys: pytest.CaptureFixture[str]):
    def call(*words: str) -> tuple[int, str, str]:
        code = run([*words, "--quiet"])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def karate(tmp_path: Path) -> Path:
    path = tmp_path / "karate.csv"
    edges = [f"m{i:02d},m{j:02d}" for i, j in nx.karate_club_graph().edges]
    path.write_text("\n".join(["source,target", *edges]) + "\n")
    return path


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text("m00,m33\nm01,m02\nm16,m26\n")
    return path


def test_scores_equal_networkx(hlgnn, karate: Path, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.parquet"
    words = ("--heuristic", "cn,ra,aa,jaccard,pa", "--no-self-loops", "--out", str(out))
    code, _, _ = hlgnn("score", str(karate), str(pairs), *words)
    assert code == 0
    table = pyarrow.parquet.read_table(out)
    assert table.column_names == ["source", "target", "cn", "ra", "aa", "jaccard", "pa"]
    assert table["source"].to_pylist() == ["m00", "m01", "m16"]
    graph, listed = nx.Graph(nx.karate_club_graph().edges), [(0, 33), (1, 2), (16, 26)]
    for name, oracle in [
        ("ra", nx.resource_allocation_index),
        ("aa", nx.adamic_adar_index),
        ("jaccard", nx.jaccard_coefficient),
        ("pa", nx.preferential_attachment),
    ]:
        assert table[name].to_pylist() == pytest.approx([score for _, _, score in oracle(graph, listed)])
    assert table["cn"].to_pylist() == [len(list(nx.common_neighbors(graph, *pair))) for pair in listed]


def test_global_heuristics_and_parameters_are_columns(hlgnn, karate: Path, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    request = "katz:gamma=0.01,order=3,katz:gamma=0.02,rwr"
    code, _, _ = hlgnn("score", str(karate), str(pairs), "--heuristic", request, "--out", str(out))
    assert code == 0
    table = pyarrow.csv.read_csv(out)
    assert table.column_names == ["source", "target", "katz:gamma=0.01,order=3", "katz:gamma=0.02", "rwr"]


def test_an_estimate_writes_nothing(hlgnn, karate: Path, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    code, text, _ = hlgnn(
        "score", str(karate), str(pairs), "--heuristic", "rwr,cn", "--out", str(out), "--estimate", "--json"
    )
    assert code == 0
    assert set(json.loads(text)) == {"rwr", "cn"}
    assert not out.exists()


def test_best_links_equal_networkx(hlgnn, karate: Path) -> None:
    code, out, _ = hlgnn("predict", str(karate), "--heuristic", "aa", "--no-self-loops", "--top", "10", "--json")
    assert code == 0
    graph = nx.Graph(nx.karate_club_graph().edges)
    scored = sorted(
        (-round(score, 9), i, j) for i, j, score in ((min(e), max(e), s) for *e, s in nx.adamic_adar_index(graph))
    )
    rows = json.loads(out)
    assert [(row["source"], row["target"]) for row in rows] == [(f"m{i:02d}", f"m{j:02d}") for _, i, j in scored[:10]]
    assert [row["score"] for row in rows] == pytest.approx([-score for score, _, _ in scored[:10]])


@pytest.mark.parametrize("heuristic", ["ra", "katz:gamma=0.05", "rwr", "shortest-path", "pa"])
def test_links_of_one_node(hlgnn, karate: Path, heuristic: str, tmp_path: Path) -> None:
    out = tmp_path / "links.tsv"
    words = ("--heuristic", heuristic, "--node", "m16", "--top", "4", "--out", str(out))
    code, _, _ = hlgnn("predict", str(karate), *words)
    assert code == 0
    lines = [line.split("\t") for line in out.read_text().splitlines()[1:]]
    assert len(lines) == 4
    known = {f"m{j:02d}" for j in nx.karate_club_graph().neighbors(16)}
    for source, target, _ in lines:
        assert "m16" in (source, target)
        assert not {source, target} & known


def test_the_embedded_cora_shows_subjects(hlgnn) -> None:
    code, out, _ = hlgnn("predict", "cora", "--heuristic", "ra", "--top", "3", "--json")
    assert code == 0
    assert {"source_label", "target_label"} <= set(json.loads(out)[0])


def test_all_heuristics_are_listed(hlgnn) -> None:
    code, out, _ = hlgnn("heuristics", "--json")
    names = {row["name"] for row in json.loads(out)}
    assert code == 0
    assert {"cn", "llhn", "ra", "ki", "glhn", "rwr", "lpi", "lrw", "fp", "aa", "jaccard", "shortest-path"} <= names


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--heuristic", "jacard"), 2, "Did you mean 'jaccard'"),
        (("--heuristic", "katz:gama=1"), 2, "gamma"),
        (("--heuristic", "katz:gamma=-1"), 2, "gamma"),
        (("--heuristic", "katz:gamma=0.9,order=none"), 2, "largest eigenvalue"),
        (("--heuristic", "rwr", "--memory", "50B"), 2, "suffice"),
        (("--heuristic", "rwr", "--memory", "lots"), 2, "500MB"),
        (("--heuristic", "cn", "--out", "no/such/folder/x.csv"), 1, "could not be written"),
        (("--heuristic", "cn", "--out", "x.xlsx"), 1, "xlsx"),
    ],
)
def test_wrong_requests(hlgnn, karate: Path, pairs: Path, words: tuple[str, ...], code: int, says: str) -> None:
    got, out, err = hlgnn("score", str(karate), str(pairs), *words)
    assert (got, out) == (code, "")
    assert says in " ".join(err.split())
    assert "Traceback" not in err


def test_a_pair_with_an_unknown_node_names_the_line(hlgnn, karate: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("m00,m33\nm01,m99\n")
    code, _, err = hlgnn("score", str(karate), str(path), "--heuristic", "cn")
    assert code == 1
    assert "line 2" in err
    assert "m99" in err


def test_an_unknown_node_is_named(hlgnn, karate: Path) -> None:
    code, _, err = hlgnn("predict", str(karate), "--node", "m99")
    assert code == 1
    assert "m99" in err


def test_an_interrupted_run_leaves_no_half_file(tmp_path: Path) -> None:
    edges, out = tmp_path / "edges.csv", tmp_path / "links.csv"
    size = 6000
    edges.write_text("".join(f"{i},{(i * step + step) % size}\n" for i in range(size) for step in (1, 7, 31, 77, 113)))
    command = [sys.executable, "-m", "hlgnn", "predict", str(edges), "--heuristic", "rwr:alpha=0.99", "--top", "5000"]
    process = subprocess.Popen([*command, "--out", str(out)], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert any(" left" in line for line in process.stderr)  # the first sign of progress: work is under way
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "Interrupted; nothing was half-written." in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["edges.csv"]


def test_a_formulation_of_ones_own(hlgnn, karate: Path, pairs: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('name = "mine"\nself_loops = false\noperators = ["adj", "adj"]\nbetas = [0.0, 0.0, 2.0]\n')
    code, out, _ = hlgnn("score", str(karate), str(pairs), "--heuristic", f"cn,{mine}", "--no-self-loops", "--json")
    assert code == 0
    assert all(row[str(mine)] == 2 * row["cn"] for row in json.loads(out))
    code, out, _ = hlgnn("predict", str(karate), "--heuristic", str(mine), "--top", "3", "--json")
    assert (code, len(json.loads(out))) == (0, 3)
    mine.write_text('operators = ["adjj"]\nbetas = [0.0, 1.0]\n')
    code, _, err = hlgnn("predict", str(karate), "--heuristic", str(mine))
    assert code == 2
    assert "mine.toml" in err


@pytest.mark.parametrize("heuristic", ["rwr", "lrw", "ra-rows"])
def test_every_missing_link_is_listed_once(hlgnn, karate: Path, heuristic: str) -> None:
    code, out, _ = hlgnn("--json", "predict", str(karate), "--heuristic", heuristic, "--top", "2000")
    assert code == 0
    found = [frozenset((row["source"], row["target"])) for row in json.loads(out)]
    assert len(found) == len(set(found)) == 34 * 33 // 2 - 78


def test_a_walk_is_scored_in_both_directions(hlgnn, karate: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.csv"
    code, out, _ = hlgnn("--json", "predict", str(karate), "--heuristic", "rwr", "--top", "1")
    (best,) = json.loads(out)
    ends = best["source"], best["target"]
    both.write_text(f"{ends[0]},{ends[1]}\n{ends[1]},{ends[0]}\n")
    code, out, _ = hlgnn("--json", "score", str(karate), str(both), "--heuristic", "rwr")
    assert code == 0
    assert best["score"] == pytest.approx(sum(row["rwr"] for row in json.loads(out)), rel=1e-6)


@pytest.mark.parametrize("command", ["score", "predict", "audit"])
def test_a_line_that_may_be_a_header_is_said(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edges, pairs = tmp_path / "friends.csv", tmp_path / "pairs.csv"
    edges.write_text("person,friend\n" + "".join(f"p{i},p{(i * 7 + 3) % 60}\n" for i in range(60)))
    pairs.write_text("p1,p2\n")
    words = {"score": (str(pairs), "--heuristic", "cn"), "predict": ("--heuristic", "cn"), "audit": ()}
    assert run([command, str(edges), *words[command]]) in (0, 1)
    told = " ".join(capsys.readouterr().err.split())
    assert "No header was recognised: the first line is the edge person – friend" in told


def test_ctrl_c_inside_compiled_code_is_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise SystemError("a dispatcher returned a result with an exception set") from KeyboardInterrupt()

    def broken(*_: object, **__: object) -> None:
        raise SystemError("something else")

    monkeypatch.setattr("hlgnn.cli.main.app", interrupted)
    assert run(["heuristics"]) == 130
    assert "Interrupted; nothing was half-written." in capsys.readouterr().err
    monkeypatch.setattr("hlgnn.cli.main.app", broken)
    with pytest.raises(SystemError):
        run(["heuristics"])
