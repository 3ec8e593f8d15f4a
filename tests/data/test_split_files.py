"""A saved split is read back as it was, and a damaged one is refused."""

from pathlib import Path

import pytest
import torch

from hlgnn.data import PROTOCOLS, Dataset, load_embedded_cora, load_split, make_split, save_split
from hlgnn.errors import SplitError
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
