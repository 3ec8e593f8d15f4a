"""A saved predictor is the same predictor, wherever its folder goes, and a changed one is refused."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from hlgnn.errors import HlgnnError, RunError
from hlgnn.estimators.link_predictor import LinkPredictor
from hlgnn.jobs.own_run import open_own
from hlgnn.jobs.predict_run import best_links, open_run
from hlgnn.jobs.train import train_run

Array = np.ndarray[Any, Any]


@pytest.fixture
def saved(fitted: LinkPredictor, tmp_path: Path) -> Path:
    fitted.save(tmp_path / "saved")
    return tmp_path / "saved"


def same(left: LinkPredictor, right: LinkPredictor, edges: Array) -> bool:
    chances = [each.predict_proba(edges) for each in (left, right)]
    scores = [each.decision_function(edges) for each in (left, right)]
    return np.array_equal(*scores) and np.array_equal(*chances)


def test_what_is_loaded_is_what_was_saved(fitted: LinkPredictor, saved: Path, edges: Array) -> None:
    loaded = LinkPredictor.load(saved)
    assert loaded.get_params() == fitted.get_params()
    assert loaded.result_ == fitted.result_
    assert same(loaded, fitted, edges)
    assert loaded.recommend(5).equals(fitted.recommend(5))


def test_chances_are_counted_once(fitted: LinkPredictor, edges: Array, tmp_path: Path) -> None:
    chances = fitted.predict_proba(edges)
    fitted.save(tmp_path / "counted")
    assert (tmp_path / "counted" / "tail.safetensors").is_file()
    loaded = LinkPredictor.load(tmp_path / "counted")
    written = loaded._fitted.workspace.run / "tail.safetensors"
    before = written.stat().st_mtime_ns
    assert np.array_equal(loaded.predict_proba(edges), chances)
    assert written.stat().st_mtime_ns == before


def test_it_may_be_moved_and_saved_again(fitted: LinkPredictor, saved: Path, edges: Array, tmp_path: Path) -> None:
    moved = shutil.move(saved, tmp_path / "elsewhere")
    loaded = LinkPredictor.load(moved)
    loaded.save(tmp_path / "second")
    shutil.rmtree(moved)
    assert same(loaded, fitted, edges)
    assert same(LinkPredictor.load(tmp_path / "second"), fitted, edges)


def test_added_links_are_saved(saved: Path, edges: Array, tmp_path: Path) -> None:
    grown = LinkPredictor.load(saved).add_links([[0, 40], [1, 50]])
    grown.save(tmp_path / "grown")
    loaded = LinkPredictor.load(tmp_path / "grown")
    assert loaded.graph_.num_links == len(edges) + 2
    assert same(loaded, grown, edges)


def test_the_command_line_reads_it_too(fitted: LinkPredictor, saved: Path) -> None:
    rows = best_links(open_run(saved), 5).rows()
    assert [row["score"] for row in rows] == fitted.recommend(5)["score"].tolist()


def test_a_run_of_the_command_line_is_loaded(
    fitted: LinkPredictor, edges: Array, quick: dict[str, Any], tmp_path: Path
) -> None:
    pandas.DataFrame(edges, columns=["source", "target"]).to_csv(tmp_path / "links.csv", index=False)
    own = open_own(str(tmp_path / "links.csv"), changes=[f"{name}={value}" for name, value in quick.items()])
    train_run(own.settings, tmp_path / "run", dataset=own.dataset)
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    loaded = LinkPredictor.load(tmp_path / "run")
    assert same(loaded, fitted, edges)
    (tmp_path / "links.csv").unlink()
    loaded.save(tmp_path / "saved")
    assert same(LinkPredictor.load(tmp_path / "saved"), fitted, edges)
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


def test_a_changed_file_is_refused(saved: Path, tmp_path: Path) -> None:
    names = [path.relative_to(saved) for path in saved.rglob("*") if path.is_file() and path.name != "predictor.json"]
    assert Path("input/graph.parquet") in names
    for number, name in enumerate(names):
        copied = shutil.copytree(saved, tmp_path / f"copy-{number}")
        content = bytearray((copied / name).read_bytes())
        content[len(content) // 2] ^= 1
        (copied / name).write_bytes(content)
        with pytest.raises(RunError, match="checksum"):
            LinkPredictor.load(copied)
        (copied / name).unlink()
        with pytest.raises(RunError, match="missing"):
            LinkPredictor.load(copied)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"files": {}},
        {"files": {"../outside": "0"}},
        {"files": {"input/../../outside": "0"}},
        {"files": {"input/..": "0"}},
        {"files": {"extra.py": "0"}},
        {"parameters": None},
        {"parameters": {"colour": "red"}},
    ],
)
def test_a_manifest_that_is_none_is_refused(saved: Path, change: dict[str, Any]) -> None:
    document = json.loads((saved / "predictor.json").read_text())
    if change.get("files"):
        change = {"files": document["files"] | change["files"]}
    (saved / "predictor.json").write_text(json.dumps(document | change))
    with pytest.raises(RunError, match=r"predictor\.json"):
        LinkPredictor.load(saved)
    (saved / "predictor.json").write_text("{")
    with pytest.raises(RunError, match="cannot be read"):
        LinkPredictor.load(saved)


def test_links_to_other_files_are_not_followed(saved: Path, tmp_path: Path) -> None:
    shutil.move(saved / "weights.safetensors", tmp_path / "weights")
    (saved / "weights.safetensors").symlink_to(tmp_path / "weights")
    with pytest.raises(RunError, match="missing"):
        LinkPredictor.load(saved)


def test_nothing_is_overwritten_and_nothing_else_is_loaded(fitted: LinkPredictor, saved: Path, tmp_path: Path) -> None:
    before = (saved / "predictor.json").read_bytes()
    with pytest.raises(RunError, match="already"):
        fitted.save(saved)
    assert (saved / "predictor.json").read_bytes() == before
    with pytest.raises(RunError):
        LinkPredictor.load(tmp_path / "nothing")
    (saved / "predictor.json").unlink()
    (saved / "result.json").unlink()
    with pytest.raises(HlgnnError, match="no result"):
        LinkPredictor.load(saved)
    assert not list(tmp_path.glob(".*"))


def test_the_folder_of_work_goes_with_the_predictor(edges: Array, quick: dict[str, Any]) -> None:
    predictor = LinkPredictor(settings=quick | {"train.epochs": 1}).fit(edges)
    first = predictor._fitted.workspace.path
    predictor.fit(edges)
    assert not first.exists()
    second = predictor._fitted.workspace.path
    del predictor
    assert not second.exists()
