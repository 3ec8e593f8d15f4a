"""From a table to a report, and what is asked of a run afterwards."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from hlgnn.cli.main import run
from hlgnn.errors import CheckpointError, HlgnnError, RunError, SettingsError
from hlgnn.jobs.explain_pair import explain_pair
from hlgnn.jobs.grown_graph import Growth
from hlgnn.jobs.predict_run import Filters, best_links, given_links, links_of_nodes, open_run
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.train import load_run
from hlgnn.ranking import Candidates
from hlgnn.training.evaluate import score_pairs

GROUPS, SIZE = 8, 9
QUICK = ("--set", "train.epochs=3", "--quiet")


def write_tables(folder: Path) -> tuple[Path, Path]:
    """Groups of people who mostly know each other, and what they like."""
    draw = random.Random(0)
    people = [f"g{group}-{member}" for group in range(GROUPS) for member in range(SIZE)]
    lines = ["from,to"]
    for one, other in itertools.combinations(people, 2):
        same = one.split("-")[0] == other.split("-")[0]
        if draw.random() < (0.7 if same else 0.01):
            lines.append(f"{one},{other}")
    edges, nodes = folder / "friends.csv", folder / "people.csv"
    edges.write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = ["id," + ",".join(f"likes{each}" for each in range(GROUPS))]
    for person in people:
        group = int(person.split("-")[0][1:])
        rows.append(f"{person}," + ",".join(f"{draw.random() + 2 * (each == group):.3f}" for each in range(GROUPS)))
    nodes.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return edges, nodes


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tables and two finished runs: with features, and without."""
    folder = tmp_path_factory.mktemp("own")
    edges, nodes = write_tables(folder)
    assert run(["train", str(edges), "--features", str(nodes), *QUICK, "--out", str(folder / "liked")]) == 0
    assert run(["train", str(edges), *QUICK, "--model", "auto", "--out", str(folder / "plain")]) == 0
    return folder


def study(place: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((place / name / "study.json").read_text(encoding="utf-8"))
    return found


def test_the_study_holds_what_was_asked_for(place: Path) -> None:
    found = study(place, "liked")
    assert "72 nodes" in found["findings"]["sentences"][0]
    rows = {row["name"]: row for row in found["methods"]}
    assert {"learned", "ra", "rwr:order=20", "feature-cosine", "shortest-path"} <= set(rows)
    assert rows["learned"]["test"]["low"] <= rows["learned"]["test"]["value"] <= rows["learned"]["test"]["high"]
    assert found["gate"]["best_heuristic"] in rows
    assert found["calibration"]["statement"].startswith("Review")
    assert found["estimate"]["seconds"] > 0
    assert len(found["links"]) == 20
    assert all(link["reasons"] for link in found["links"])
    assert found["evidence"]["svg"].startswith("<svg")
    page = (place / "liked" / "report.html").read_text(encoding="utf-8")
    assert found["gate"]["sentence"][:40] in page


def test_the_best_heuristic_is_chosen_on_validation_links(place: Path) -> None:
    found = study(place, "plain")
    heuristics = [row for row in found["methods"] if row["kind"] != "learned" and row["valid"] is not None]
    best = max(row["valid"] for row in heuristics)
    assert next(row for row in heuristics if row["name"] == found["gate"]["best_heuristic"])["valid"] == best
    kept = found["gate"]["verdict"] == "earns its keep"
    assert found["used"] == found["recommended"] == ("learned" if kept else found["gate"]["best_heuristic"])


def test_what_ranks_belongs_to_the_run(place: Path) -> None:
    before = study(place, "plain")["used"]
    weak = place / "weak"
    edges = str(place / "friends.csv")
    told = ["train", edges, "--quiet", "--set", "train.epochs=1", "--set", "train.learning_rate=1e-9"]
    assert run([*told, "--model", "auto", "--out", str(weak)]) == 0
    used = study(place, "weak")["used"]
    assert used != "learned"
    assert run(["report", str(weak), "--top", "3", "--quiet"]) == 0
    assert study(place, "weak")["used"] == used
    (weak / "study.json").unlink()
    assert run(["train", "--resume", str(weak), "--quiet"]) == 0  # as one that was ended before its study
    assert study(place, "weak")["used"] == used
    assert study(place, "plain")["used"] == before
    assert f"ranked by the heuristic {used}" in explain_pair(weak, "g0-0", "g1-1", changes=0).text()


def test_reasons_name_features_as_the_table_does(place: Path) -> None:
    reasons = [reason for link in study(place, "liked")["links"] for reason in link["reasons"]]
    assert any("share likes" in reason for reason in reasons)
    assert not any("feature 0" in reason for reason in reasons)
    assert "likes" in explain_pair(place / "liked", "g0-0", "g0-1", changes=0).text()


def test_the_best_links_are_those_of_all_pairs(place: Path) -> None:
    opened = open_run(place / "liked")
    graph, model = opened.dataset.graph, opened.ranker.work.model
    pairs = torch.combinations(torch.arange(graph.num_nodes))
    pairs = pairs[~graph.has_links(pairs)]
    scores = score_pairs(model, model.prepare(graph), pairs).double()
    expected = pairs[scores.argsort(descending=True)[:25]]
    found = best_links(opened, 25)
    assert {tuple(pair) for pair in found.links.pairs.tolist()} == {tuple(pair) for pair in expected.tolist()}
    assert found.probability.diff().max() <= 1e-9  # not rising
    again = best_links(opened, 25, approximate=True)
    assert any("proposed" in note for note in again.notes)


def test_nodes_and_pairs(place: Path, tmp_path: Path) -> None:
    opened = open_run(place / "liked")
    found = links_of_nodes(opened, ["g3-1", "g0-0"], 4).rows()
    assert [row["source"] for row in found] == ["g3-1"] * 4 + ["g0-0"] * 4
    table = tmp_path / "pairs.csv"
    lines = "".join(f"{row['source']},{row['target']}\n" for row in found)
    table.write_text("source,target\n" + lines, encoding="utf-8")
    scored = given_links(opened, table).rows()
    assert [row["score"] for row in scored] == pytest.approx([row["score"] for row in found], rel=1e-4, abs=1e-4)


def test_filters(place: Path, tmp_path: Path) -> None:
    opened = open_run(place / "liked")
    kinds = tmp_path / "kinds.csv"
    ids = list(opened.dataset.graph.node_ids)
    kinds.write_text("id,team\n" + "".join(f"{each},{str(each)[:2]}\n" for each in ids), encoding="utf-8")
    across = best_links(opened, 30, filters=Filters(kinds=kinds)).rows()
    assert all(str(row["source"])[:2] != str(row["target"])[:2] for row in across)
    two = best_links(opened, 30, filters=Filters(kinds=kinds, between=("g1", "g2"))).rows()
    assert two
    assert all({str(row["source"])[:2], str(row["target"])[:2]} == {"g1", "g2"} for row in two)
    first = best_links(opened, 5)
    out = tmp_path / "seen.csv"
    first.write(out)
    assert not {tuple(pair) for pair in first.links.pairs.tolist()} & {
        tuple(pair) for pair in best_links(opened, 5, filters=Filters(exclude=out)).links.pairs.tolist()
    }
    floor = float(first.links.scores[2])
    assert len(best_links(opened, 50, filters=Filters(minimum=floor)).links) == 3
    with pytest.raises(SettingsError, match="There is no kind 'g9'"):
        best_links(opened, 5, filters=Filters(kinds=kinds, between=("g1", "g9")))
    with pytest.raises(SettingsError, match="not bipartite"):
        best_links(opened, 5, filters=Filters(bipartite=True))


def test_new_links_are_seen_without_training(place: Path, tmp_path: Path) -> None:
    added = tmp_path / "new.csv"
    added.write_text("source,target\ng0-0,g1-1\ng0-0,g1-2\n", encoding="utf-8")
    opened = open_run(place / "liked", growth=Growth(links=added))
    work = load_run(RunFolder.open(place / "liked"))
    graph = work.dataset.graph
    ids = graph.node_ids.index(["g0-0", "g1-1", "g1-2"])
    links = torch.cat([graph.links, torch.tensor([[ids[0], ids[1]], [ids[0], ids[2]]])])
    fresh = type(graph).from_edges(graph.num_nodes, links, features=graph.features, node_ids=graph.node_ids)
    pair = torch.tensor([[int(ids[0]), 40]])
    before, after = (score_pairs(work.model, work.model.prepare(each), pair) for each in (graph, fresh))
    grown = opened.dataset.graph
    assert grown.num_links == graph.num_links + 2
    assert torch.equal(score_pairs(work.model, work.model.prepare(grown), pair), after)
    assert not torch.equal(before, after)


def test_new_nodes_need_features(place: Path, tmp_path: Path) -> None:
    people = tmp_path / "new.csv"
    header = (place / "people.csv").read_text(encoding="utf-8").splitlines()[0]
    likes = ["2.5", *["0.5"] * (GROUPS - 1)]
    people.write_text(f"{header}\nnewcomer,{','.join(likes)}\n", encoding="utf-8")
    opened = open_run(place / "liked", growth=Growth(nodes=people))
    found = links_of_nodes(opened, ["newcomer"], 5).rows()
    assert all(str(row["target"]).startswith("g0-") for row in found[:3])
    with pytest.raises(SettingsError, match="learned a vector for each node"):
        open_run(place / "plain", growth=Growth(nodes=people))
    people.write_text("id,likes0\nnewcomer,1.0\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="1 features, but the model was trained on 8"):
        open_run(place / "liked", growth=Growth(nodes=people))


def test_a_model_of_features_moves_to_another_graph(place: Path, tmp_path: Path) -> None:
    edges, nodes = write_tables(tmp_path)
    text = edges.read_text(encoding="utf-8").replace("g", "h")
    edges.write_text(text, encoding="utf-8")
    nodes.write_text(nodes.read_text(encoding="utf-8").replace("\ng", "\nh"), encoding="utf-8")
    opened = open_run(place / "liked", growth=Growth(graph=edges, features=nodes))
    assert all(str(row["source"]).startswith("h") for row in best_links(opened, 10).rows())
    with pytest.raises(SettingsError, match="learned a vector"):
        open_run(place / "plain", growth=Growth(graph=edges))


def test_the_commands_say_the_same(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "links.parquet"
    assert run(["predict", str(place / "liked"), "--top", "7", "--out", str(out), "--quiet"]) == 0
    assert out.is_file()
    capsys.readouterr()
    assert run(["predict", str(place / "liked"), "--top", "3", "--node", "g0-0", "--json", "--quiet"]) == 0
    assert {row["source"] for row in json.loads(capsys.readouterr().out)} == {"g0-0"}
    drawing = tmp_path / "why.svg"
    line = ["explain", str(place / "liked"), "--link", "g0-0", "g1-1", "--changes", "3", "--drawing", str(drawing)]
    assert run([*line, "--json", "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["first"], found["second"]) == ("g0-0", "g1-1")
    assert sum(found["orders"]["contributions"]) == pytest.approx(found["score"], rel=1e-6, abs=1e-9)
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    for wrong in (["--heuristic", "ra"], ["--pairs", "x.csv", "--node", "g0-0"], ["--top", "0"], ["--node", "nobody"]):
        assert run(["predict", str(place / "liked"), *wrong, "--quiet"]) in (1, 2)
    assert run(["predict", str(place / "friends.csv"), "--bipartite", "--quiet"]) == 2


@pytest.mark.parametrize("damage", ["pickle", "shapes", "settings", "study", "tail"])
def test_a_folder_that_was_tampered_with_is_refused(damage: str, place: Path, tmp_path: Path) -> None:
    import pickle
    import shutil

    from safetensors.torch import load_file, save_file

    folder = tmp_path / "run"
    shutil.copytree(place / "plain", folder)
    if damage == "pickle":
        (folder / "weights.safetensors").write_bytes(pickle.dumps({"a": torch.ones(2)}))
    elif damage == "shapes":
        weights = load_file(folder / "weights.safetensors")
        save_file(
            {name: value.flatten()[:1].clone() for name, value in weights.items()}, folder / "weights.safetensors"
        )
    elif damage == "settings":
        settings = folder / "settings.toml"
        settings.write_text(
            settings.read_text(encoding="utf-8").replace("friends.csv", "../../x.csv"), encoding="utf-8"
        )
    elif damage == "study":
        (folder / "study.json").write_text("{", encoding="utf-8")
    else:
        (folder / "tail.safetensors").write_bytes(b"nothing")
    with pytest.raises((RunError, CheckpointError, HlgnnError)):
        open_run(folder)


@pytest.mark.parametrize("used", ["feature-cosine", "ra", "ki:order=6"])
def test_what_takes_the_place_of_the_model_ranks_as_it_was_compared(used: str, place: Path) -> None:
    opened = open_run(place / "liked")
    ranker = replace(opened.ranker, used=used)
    graph = opened.dataset.graph
    pairs = torch.combinations(torch.arange(graph.num_nodes))
    pairs = pairs[~graph.has_links(pairs)]
    scores = ranker.scores(Candidates(graph), pairs).double()
    found = ranker.rank(Candidates(graph), 12).links
    assert found.scores.tolist() == pytest.approx(scores.sort(descending=True).values[:12].tolist(), rel=1e-5)
    alone = ranker.rank_nodes(Candidates(graph), torch.tensor([3, 50]), 4)
    for node, best in zip((3, 50), alone, strict=True):
        own = scores[(pairs == node).any(dim=1)].sort(descending=True).values[:4]
        assert best.scores.tolist() == pytest.approx(own.tolist(), rel=1e-5, abs=1e-9)


def test_a_bipartite_graph_is_ranked_across_its_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw = random.Random(1)
    films = [f"film {each}" for each in range(40)]
    cast = {(film, f"actor {(each * 3 + draw.randrange(8)) % 30}") for each, film in enumerate(films) for _ in range(5)}
    table = tmp_path / "cast.csv"
    table.write_text("movie,player\n" + "".join(f"{film},{actor}\n" for film, actor in sorted(cast)), encoding="utf-8")
    out = tmp_path / "run"
    assert run(["train", str(table), "--header", *QUICK, "--out", str(out)]) == 0
    found = json.loads((out / "study.json").read_text(encoding="utf-8"))
    assert found["findings"]["summary"]["links"] == len(cast)  # the header is no link
    assert found["findings"]["bipartite"]
    pairs = [(str(link["source"]), str(link["target"])) for link in found["links"]]
    assert all(one.split()[0] != other.split()[0] for one, other in pairs)
    capsys.readouterr()
    for option, across in ((["--bipartite"], True), ([], True), (["--any-sides"], False)):
        assert run(["predict", str(out), "--top", "400", *option, "--json", "--quiet"]) == 0
        rows = json.loads(capsys.readouterr().out)
        assert all(row["source"].split()[0] != row["target"].split()[0] for row in rows) == across


def test_pairs_with_the_last_score_that_are_not_listed_are_mentioned(place: Path) -> None:
    opened = open_run(place / "liked")
    tied = replace(opened, ranker=replace(opened.ranker, used="cn"))
    assert any("have the last score" in note for note in best_links(tied, 4).notes)
    assert any("filtered" in note for note in best_links(tied, 4, filters=Filters(minimum=0.5)).notes)
    assert any("no such pair" in note for note in best_links(tied, 4, filters=Filters(minimum=1e9)).notes)
