"""The user's own tables as a data set."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import torch

from hlgnn.data.own import load_own, read_own
from hlgnn.errors import GraphFormatError, MissingFileError


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    path = tmp_path / "friends.csv"
    path.write_text("from,to,weight,day\nann,bob,2,2024-05-02\nbob,ann,3,2024-05-01\nbob,eve,1,2024-06-01\n")
    return path


def test_edges_alone(edges: Path) -> None:
    dataset = load_own(edges)
    assert dataset.name == "friends"
    assert list(dataset.graph.node_ids) == ["ann", "bob", "eve"]
    assert dataset.graph.links.tolist() == [[0, 1], [1, 2]]
    assert dataset.graph.link_weight is not None
    assert dataset.graph.link_weight.tolist() == [3, 1]  # the larger of the two directions
    assert dataset.graph.features is None
    assert dataset.time is None
    assert dataset.metric == "auc"
    assert dataset.official is None


def test_the_earliest_time_of_each_link_is_kept(edges: Path) -> None:
    dataset = load_own(edges, time="day", name="mine")
    assert dataset.name == "mine"
    assert dataset.time is not None
    days = (dataset.time - dataset.time.min()) / (24 * 3600 * 10**9)
    assert days.tolist() == [0, 31]


def test_features_follow_the_nodes(edges: Path, tmp_path: Path) -> None:
    features = tmp_path / "people.csv"
    features.write_text("id,age\neve,3\nbob,2\nann,1\n")
    calls: list[tuple[str, int, int]] = []
    dataset = load_own(edges, features=features, progress=lambda *call: calls.append(call))
    assert isinstance(dataset.graph.features, torch.Tensor)
    assert dataset.graph.features.tolist() == [[1], [2], [3]]
    assert calls == [("Reading friends.csv", 0, 2), ("Reading people.csv", 1, 2), ("Reading friends.csv", 2, 2)]


def test_nodes_without_links_can_be_added(edges: Path, tmp_path: Path) -> None:
    features = tmp_path / "people.csv"
    features.write_text("id,age\neve,3\nbob,2\nann,1\njoe,4\n")
    with pytest.raises(GraphFormatError, match="joe"):
        load_own(edges, features=features)
    dataset = load_own(edges, features=features, unknown="add")
    assert dataset.graph.num_nodes == 4
    assert dataset.graph.degree.tolist() == [1, 2, 1, 0]
    assert load_own(edges, features=features, unknown="drop").graph.num_nodes == 3


def test_what_was_not_taken_over_is_said(tmp_path: Path) -> None:
    path, features = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    path.write_text("source,target,kind\na,b,x\nb,a,x\na,a,x\nb,c,y\n")
    features.write_text("id,age\na,1\nb,2\nc,3\nd,4\n")
    assert read_own(path, features=features, unknown="add").notes == (
        "Edges from a node to itself were dropped: 1.",
        "Edges that repeat a link, in either direction, were merged: 1.",
        "Nodes without links were added from the features: 1.",
        "Columns that were not used: kind.",
    )
    path.write_text("source,target\na,b\n")
    assert read_own(path).notes == ()


def test_many_links_are_ranked(tmp_path: Path) -> None:
    path = tmp_path / "ring.txt"
    path.write_text("".join(f"{node} {(node + 1) % 2_000}\n" for node in range(2_000)))
    assert load_own(path).metric == "hits@100"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"nothing\.csv"):
        load_own(tmp_path / "nothing.csv")


def test_paths_may_be_text(edges: Path, tmp_path: Path) -> None:
    features = tmp_path / "people.csv"
    features.write_text("id,age\neve,3\nbob,2\nann,1\n")
    assert load_own(str(edges), features=str(features)).graph.num_features == 1


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("my.graph.v2.csv", "my.graph.v2"),
        (".hidden.csv", ".hidden"),
        ("plain.txt", "plain"),
        ("2024.05.TSV", "2024.05"),
    ],
)
def test_the_name_loses_known_endings_only(tmp_path: Path, file: str, name: str) -> None:
    (tmp_path / file).write_text("1\t2\n" if file.endswith("TSV") else "1 2\n" if file.endswith("txt") else "1,2\n")
    assert load_own(tmp_path / file).name == name


def test_a_compressed_table_loses_both_endings(tmp_path: Path) -> None:
    (tmp_path / "my.graph.csv.gz").write_bytes(gzip.compress(b"1,2\n"))
    assert load_own(tmp_path / "my.graph.csv.gz").name == "my.graph"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("#a,#b\n\n#c,#d\ne,f\nf,g\n", ("Lines at the top were skipped as comments: 2 (the first is '#a,#b').",)),
        (
            "name_a,name_b\nann,bob\nbob,eve\n",
            (
                "No header was recognised: the first line is the edge name_a – name_b; "
                "if it is a header, say so (--header).",
            ),
        ),
        ("ann,bob\nbob,eve\n", ()),  # bob occurs again
        ("ann,bob\n", ()),
        (  # a name above numbers
            "name_a,name_b,how much\nann,bob,0.5\nbob,eve,2e1\n",
            ("Columns that were not used: how much.",),
        ),
        ("1,2\n3,4\n", ()),  # no text
        ("source,target\nann,bob\n", ()),
        (
            "source;target\nann;bob\n",
            ("Cells are parted by semicolons, which is not what the ending of the name tells.",),
        ),
        (
            "source\ttarget\nann\tbob\n",
            ("Cells are parted by tabs, which is not what the ending of the name tells.",),
        ),
    ],
)
def test_how_lines_were_taken_is_said(tmp_path: Path, text: str, notes: tuple[str, ...]) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(text)
    assert read_own(path).notes == notes


def test_nothing_is_said_about_a_header_that_was_ruled_out(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("name_a,name_b\nann,bob\n")
    assert read_own(path, header=False).notes == ()
    assert read_own(path, header=True).dataset.graph.num_links == 1


def test_a_delimiter_that_was_asked_for_is_not_mentioned(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("source;target\nann;bob\n")
    assert read_own(path, delimiter=";").notes == ()
