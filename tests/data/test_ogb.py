"""OGB's layout: written small by the test, read by us and by OGB's own reader."""

from __future__ import annotations

import functools
import gzip
import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from hlgnn.data.dataset import DatasetCard
from hlgnn.data.official_files import locate
from hlgnn.data.ogb import load_ogb
from hlgnn.data.ogb_cards import CITATION2, COLLAB, DDI, PPA
from hlgnn.data.own_targets import OwnTargets
from hlgnn.errors import DatasetError

Parts = dict[str, dict[str, np.ndarray[Any, Any]]]

COLLAB_PARTS: Parts = {
    "train": {
        "edge": np.array([[0, 1], [1, 0], [2, 1], [0, 1], [3, 4]]),
        "weight": np.array([2, 1, 5, 4, 1]),
        "year": np.array([2010, 2008, 2015, 2012, 2001]),
    },
    "valid": {
        "edge": np.array([[0, 2], [0, 1]]),
        "weight": np.array([3, 1]),
        "year": np.array([2018, 2018]),
        "edge_neg": np.array([[0, 4], [4, 4], [2, 4]]),
    },
    "test": {
        "edge": np.array([[2, 3]]),
        "weight": np.array([1]),
        "year": np.array([2019]),
        "edge_neg": np.array([[0, 3], [1, 4]]),
    },
}
PPA_PARTS: Parts = {
    "train": {"edge": np.array([[0, 1], [2, 1]])},
    "valid": {"edge": np.array([[0, 2]]), "edge_neg": np.array([[0, 3], [1, 3]])},
    "test": {"edge": np.array([[2, 3]]), "edge_neg": np.array([[1, 3]])},
}
CITATION_PARTS: Parts = {
    "train": {"source_node": np.array([0, 1, 2, 1]), "target_node": np.array([1, 0, 1, 3])},
    "valid": {
        "source_node": np.array([3, 2]),
        "target_node": np.array([0, 0]),
        "target_node_neg": np.array([[1, 2, 4], [3, 4, 1]]),
    },
    "test": {
        "source_node": np.array([4]),
        "target_node": np.array([0]),
        "target_node_neg": np.array([[1, 2, 3]]),
    },
}


def compressed(rows: np.ndarray[Any, Any]) -> bytes:
    lines = [",".join(str(value) for value in np.atleast_1d(row).tolist()) for row in rows]
    return gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)


def write(
    home: Path,
    card: DatasetCard,
    parts: Parts,
    num_nodes: int,
    features: np.ndarray[Any, Any] | None = None,
    *,
    zipped: bool = False,
) -> DatasetCard:
    """Write a data set in the official layout, and adapt the card to it."""
    folder = home / card.folders[0]
    split = next(file.path for file in card.files if file.path.endswith("train.pt")).removesuffix("train.pt")
    (folder / "raw").mkdir(parents=True)
    (folder / split).mkdir(parents=True)
    (folder / "RELEASE_v1.txt").touch()
    train = parts["train"]
    edges = train["edge"] if "edge" in train else np.stack([train["source_node"], train["target_node"]], axis=1)
    tables = {"edge": edges, "num-node-list": np.array([num_nodes]), "num-edge-list": np.array([len(edges)])}
    tables |= {f"edge_{name}": train[name] for name in ("weight", "year") if name in train}
    tables |= {} if features is None else {"node-feat": features}
    for name, table in tables.items():
        (folder / "raw" / f"{name}.csv.gz").write_bytes(compressed(table))
    for name, part in parts.items():
        torch.save(part, folder / split / f"{name}.pt", _use_new_zipfile_serialization=zipped, pickle_protocol=4)
    files = tuple(
        replace(file, sha256=(hashlib.sha256((folder / file.path).read_bytes()).hexdigest(),)) for file in card.files
    )
    return replace(card, files=files, num_features=0 if features is None else features.shape[1])


@pytest.mark.parametrize("zipped", [False, True])
def test_collab(tmp_path: Path, *, zipped: bool) -> None:
    features = np.arange(10, dtype=np.float32).reshape(5, 2) / 4
    card = write(tmp_path, COLLAB, COLLAB_PARTS, 5, features, zipped=zipped)
    dataset = load_ogb(card, tmp_path)
    graph, official = dataset.graph, dataset.official
    assert graph.links.tolist() == [[0, 1], [1, 2], [3, 4]]
    assert graph.link_weight is not None
    assert graph.link_weight.tolist() == [7, 5, 1]  # all years, whichever way round
    assert dataset.time is not None
    assert dataset.time.tolist() == [2008, 2015, 2001]
    assert isinstance(graph.features, torch.Tensor)
    assert torch.equal(graph.features, torch.from_numpy(features))
    assert official is not None
    assert official.weight is not None
    assert official.valid_weight is not None
    assert official.train.tolist() == COLLAB_PARTS["train"]["edge"].tolist()
    assert official.weight.tolist() == [2, 1, 5, 4, 1]
    assert official.valid.positive.tolist() == [[0, 2], [0, 1]]
    assert official.valid.negative.tolist() == [[0, 4], [4, 4], [2, 4]]
    assert official.valid_weight.tolist() == [3, 1]
    assert official.test.positive.tolist() == [[2, 3]]
    assert not official.test.own_negatives


def test_ppa(tmp_path: Path) -> None:
    features = np.eye(4, 3, dtype=np.int64)
    calls: list[tuple[str, int, int]] = []
    card = write(tmp_path, PPA, PPA_PARTS, 4, features)
    dataset = load_ogb(card, tmp_path, lambda *call: calls.append(call))
    assert dataset.graph.links.tolist() == [[0, 1], [1, 2]]
    assert dataset.graph.link_weight is None
    assert dataset.time is None
    assert isinstance(dataset.graph.features, torch.Tensor)
    assert dataset.graph.features.dtype == torch.float32
    assert dataset.graph.features.tolist() == features.tolist()
    assert dataset.official is not None
    assert dataset.official.weight is None
    assert dataset.official.test.negative.tolist() == [[1, 3]]
    assert ("Reading node-feat.csv.gz", 4, 4) in calls
    assert calls[-1] == ("Reading ogbl-ppa", 3, 3)


@pytest.mark.parametrize("zipped", [False, True])
def test_citation2(tmp_path: Path, *, zipped: bool) -> None:
    card = write(tmp_path, CITATION2, CITATION_PARTS, 5, np.ones((5, 2), dtype=np.float32), zipped=zipped)
    dataset = load_ogb(card, tmp_path)
    assert dataset.graph.links.tolist() == [[0, 1], [1, 2], [1, 3]]  # either direction is a link
    assert dataset.official is not None
    assert dataset.official.train.tolist() == [[0, 1], [1, 0], [2, 1], [1, 3]]
    valid = dataset.official.valid
    assert valid.own_negatives
    assert isinstance(valid, OwnTargets)
    assert valid.target.dtype == torch.int32
    assert valid.positive.tolist() == [[3, 0], [2, 0]]
    assert valid.negative.tolist() == [[[3, 1], [3, 2], [3, 4]], [[2, 3], [2, 4], [2, 1]]]
    assert dataset.official.test.negatives_per_ranking == 3


@pytest.mark.parametrize(
    ("part", "content", "message"),
    [
        ("train", {"edge": np.array([[0, 9]])}, "do not belong to a graph of 4 nodes"),
        ("train", {"edge": np.array([[0, -1]])}, "do not belong to a graph of 4 nodes"),
        ("train", {"edge": np.array([0, 1, 2])}, "do not belong"),
        ("train", {"other": np.array([[0, 1]])}, "It holds no 'source_node'"),
        ("train", {"edge": "text"}, "no dictionary of arrays"),
        ("valid", {"edge": np.array([[0, 2]])}, "no negatives"),
        ("valid", {"edge": np.array([[0, 2]]), "edge_neg": np.array([[0, 4]])}, "do not belong"),
        ("train", {"edge": np.array([[0.0, 1.0]])}, "of the type float64"),
        ("train", {"source_node": np.array([0, 1]), "target_node": np.array([1])}, r"sources of the shape \(2,\)"),
        ("valid", {"edge": np.array([[0, 2]]), "target_node_neg": np.array([[1, 2]] * 3)}, r"\(3, 2\) for 1 links"),
        ("valid", {"edge": np.array([[0, 2]]), "target_node_neg": np.array([[1, 4]])}, "do not belong"),
        ("valid", {"edge": np.array([[0, 2]]), "target_node_neg": np.array([[1, 2**32 + 1]])}, "do not belong"),
    ],
)
def test_splits_that_hold_something_else(tmp_path: Path, part: str, content: Any, message: str) -> None:
    card = write(tmp_path, DDI, PPA_PARTS, 4)
    path = tmp_path / "ogbl_ddi/split/target" / f"{part}.pt"
    torch.save(content, path)
    with pytest.raises(DatasetError, match=message):
        load_ogb(replace(card, files=tuple(replace(file, sha256=()) for file in card.files)), tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (np.ones((3, 2)), "3 rows of 2 numbers instead of 4 rows of 2"),
        (np.ones((5, 2)), "5 rows of 2 numbers instead of 4 rows of 2"),
        (np.ones((4, 3)), "4 rows of 3 numbers instead of 4 rows of 2"),
        (np.array([["a", "b"]]), "no compressed table of numbers"),
        (None, "no compressed table of numbers"),
    ],
)
def test_features_of_another_shape(tmp_path: Path, content: Any, message: str) -> None:
    card = write(tmp_path, PPA, PPA_PARTS, 4, np.ones((4, 2)))
    table = tmp_path / "ogbl_ppa/raw/node-feat.csv.gz"
    table.write_bytes(b"not compressed" if content is None else compressed(content))
    with pytest.raises(DatasetError, match=message):
        load_ogb(replace(card, files=tuple(replace(file, sha256=()) for file in card.files)), tmp_path)


@pytest.mark.parametrize(
    ("card", "parts", "num_nodes", "split"),
    [(COLLAB, COLLAB_PARTS, 5, "time"), (PPA, PPA_PARTS, 4, "throughput"), (CITATION2, CITATION_PARTS, 5, "time")],
    ids=lambda value: value.name if isinstance(value, DatasetCard) else "",
)
@pytest.mark.filterwarnings("ignore")
def test_ogb_itself_reads_the_same(
    *, card: DatasetCard, parts: Parts, num_nodes: int, split: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With OGB's own description of the data set; torch.load must be told that these files hold numpy arrays."""
    from ogb.linkproppred import LinkPropPredDataset

    features = np.random.default_rng(0).normal(size=(num_nodes, 3)).astype(np.float32)
    ours = load_ogb(write(tmp_path, card, parts, num_nodes, features), tmp_path)
    (tmp_path / card.folders[0] / "processed").mkdir()
    if card is CITATION2:
        years = compressed(np.arange(num_nodes))
        (tmp_path / card.folders[0] / "raw/node_year.csv.gz").write_bytes(years)
    monkeypatch.setattr(torch, "load", functools.partial(torch.load, weights_only=False))
    theirs = LinkPropPredDataset(card.name, root=str(tmp_path))
    assert theirs.eval_metric == card.metric
    assert theirs.meta_info["split"] == split
    assert theirs.graph["num_nodes"] == ours.graph.num_nodes
    assert isinstance(ours.graph.features, torch.Tensor)
    np.testing.assert_allclose(ours.graph.features.numpy(), theirs.graph["node_feat"], rtol=1e-6)
    edges = np.sort(theirs.graph["edge_index"].T, axis=1)
    np.testing.assert_array_equal(ours.graph.links.numpy(), np.unique(edges, axis=0))
    their_parts = theirs.get_edge_split()
    assert ours.official is not None
    for name, mine in (("valid", ours.official.valid), ("test", ours.official.test)):
        part = their_parts[name]
        positive = part["edge"] if "edge" in part else np.stack([part["source_node"], part["target_node"]], 1)
        negative = part["edge_neg"] if "edge_neg" in part else part["target_node_neg"]
        np.testing.assert_array_equal(mine.positive.numpy(), positive)
        np.testing.assert_array_equal(mine.negative[..., 1 if mine.own_negatives else slice(None)].numpy(), negative)


@pytest.mark.data
def test_ddi_trains_on_the_raw_edges(data_folder: Path) -> None:
    import pyarrow.csv

    dataset = load_ogb(DDI, data_folder)
    raw = pyarrow.csv.read_csv(
        locate(DDI, data_folder) / "raw/edge.csv.gz",
        read_options=pyarrow.csv.ReadOptions(autogenerate_column_names=True),
    )
    edges = np.stack([raw[0].to_numpy(), raw[1].to_numpy()], axis=1)
    assert dataset.official is not None
    np.testing.assert_array_equal(dataset.official.train.numpy(), edges)
    for links in (dataset.official.valid, dataset.official.test):
        for pairs in (links.positive, links.negative):
            assert not dataset.graph.has_links(pairs).any()
