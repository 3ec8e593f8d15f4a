"""A saved split is read back as it was, and a damaged one is refused."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from hlgnn.data import PROTOCOLS, Dataset, LinkSet, Split, load_embedded_cora, load_split, make_split, save_split
from hlgnn.data.split_files import SplitOrigin, load_origin
from hlgnn.errors import OutputError, SplitError
from hlgnn.graph import Graph, NodeIds, cycle


def same_split(dataset: Dataset, protocol: str, folder: Path) -> None:
    split = make_split(dataset, PROTOCOLS[protocol], 3)
    save_split(split, folder)
    read = load_split(folder)
    assert (read.protocol, read.seed) == (split.protocol, 3)
    assert read.graph.node_ids == split.graph.node_ids
    for mine, theirs in [
        (read.graph.links, split.graph.links),
        (read.test_graph.links, split.test_graph.links),
        (read.train, split.train),
        (read.margin, split.margin),
        (read.valid.positive, split.valid.positive),
        (read.valid.negative, split.valid.negative),
        (read.test.negative, split.test.negative),
    ]:
        assert torch.equal(mine, theirs)
    if split.graph.link_weight is not None:
        assert torch.equal(read.graph.link_weight, split.graph.link_weight)


@pytest.mark.parametrize("protocol", ["buddy", "heart"])
def test_round_trip_of_cora(protocol: str, tmp_path: Path) -> None:
    same_split(load_embedded_cora(), protocol, tmp_path)


def test_round_trip_with_weights_and_text_ids(tmp_path: Path) -> None:
    ids = NodeIds.from_labels([f"node {number}" for number in range(50)])
    links = cycle(50).links
    graph = Graph.from_edges(50, links, weight=torch.arange(1.0, 51.0), node_ids=ids)
    same_split(Dataset("toy", graph, "auc"), "paper", tmp_path)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    save_split(make_split(Dataset("toy", cycle(50), "auc"), PROTOCOLS["paper"], 0), tmp_path)
    (tmp_path / "test.parquet").unlink()
    with pytest.raises(SplitError, match=r"test\.parquet"):
        load_split(tmp_path)


def test_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "split.json").write_text('{"format": 99}')
    with pytest.raises(SplitError, match="format 1"):
        load_split(tmp_path)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Own negatives, so that their number matters."""
    graph = cycle(40)
    links = graph.links
    own = LinkSet(links[:2], torch.tensor([[[0, 5], [0, 6]], [[1, 5], [1, 6]]]))
    split = Split("heart", 0, graph, graph, links[4:], torch.ones(len(links) - 4), own, own)
    save_split(split, tmp_path, name="toy", metric="mrr")
    return tmp_path


def test_name_and_metric_are_kept_beside_the_split(saved: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert load_origin(saved) == SplitOrigin("toy", "mrr")
    other = tmp_path_factory.mktemp("other")
    save_split(load_split(str(saved)), str(other))
    assert load_origin(other) == SplitOrigin(None, None)


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "3",
        "null",
        "{",
        '{"format": 1}',
        '{"format": 1, "protocol": "heart", "seed": 0, "own_negatives": {}}',
        '{"format": 1, "protocol": "heart", "seed": 0, "own_negatives": 2}',
        '{"format": 1, "protocol": "heart", "seed": 0, "own_negatives": {"valid": -1, "test": 2}}',
        '{"format": 1, "protocol": "heart", "seed": 0, "own_negatives": {"valid": 2, "test": "2"}}',
        '{"format": 1, "protocol": 7, "seed": 0, "own_negatives": {"valid": 2, "test": 2}}',
        '{"format": 1, "protocol": "heart", "seed": "0", "own_negatives": {"valid": 2, "test": 2}}',
        '{"format": 1, "protocol": "heart", "seed": 0, "own_negatives": {"valid": 2, "test": 2}, "metric": 3}',
    ],
)
def test_a_damaged_description_is_refused(saved: Path, text: str) -> None:
    (saved / "split.json").write_text(text)
    with pytest.raises(SplitError) as caught:
        load_split(saved)
    assert caught.value.where == str(saved / "split.json")
    assert caught.value.hint


def test_own_negatives_that_do_not_divide_are_refused(saved: Path) -> None:
    about = json.loads((saved / "split.json").read_text())
    about["own_negatives"]["test"] = 3
    (saved / "split.json").write_text(json.dumps(about))
    with pytest.raises(SplitError, match=r"test_negative\.parquet: 2 links with 3 negatives each need 6 rows, not 4"):
        load_split(saved)


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        ("nodes", {"label": [1]}, "needs a column 'id'"),
        ("nodes", {"id": ["a", "a"]}, "same label"),
        ("nodes", {"id": [1, None]}, "missing in column 'id'"),
        ("train", {"source": [0], "target": [1]}, "needs a column 'margin'"),
        ("train", {"source": [0], "target": [1], "margin": ["x"]}, "not numbers"),
        ("graph", {"source": [0]}, "needs a column 'target'"),
        ("graph", {"source": [0], "target": [1], "weight": [-1.0]}, "positive number"),
        ("test", {"source": [0], "target": [99]}, "no node 99"),
        ("valid_negative", {"source": ["ann"], "target": [1]}, "no node 'ann'"),
    ],
)
def test_a_damaged_table_is_named(saved: Path, table: str, columns: dict[str, list[object]], message: str) -> None:
    path = saved / f"{table}.parquet"
    pq.write_table(pa.table(columns), path)
    with pytest.raises(SplitError, match=message) as caught:
        load_split(saved)
    assert caught.value.where.startswith(str(path))


def test_a_file_is_no_folder_for_a_split(saved: Path) -> None:
    with pytest.raises(OutputError, match="This is a file, but a split is a folder"):
        save_split(load_split(saved), saved / "nodes.parquet")
