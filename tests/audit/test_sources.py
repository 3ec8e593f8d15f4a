"""Splits of other libraries are read in every form that they come in, and refused with a sentence in any other."""

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array
from torch_geometric.data import Data, HeteroData
from torch_geometric.transforms import RandomLinkSplit

from hlgnn.audit import audit, from_ogb, from_pyg, from_split
from hlgnn.data import PROTOCOLS, Dataset, make_split
from hlgnn.errors import SplitError
from hlgnn.graph import Graph, NodeIds, cycle, karate_club


def club(**more: object) -> Data:
    links = karate_club().links.t()
    return Data(edge_index=torch.cat([links, links.flip(0)], dim=1), num_nodes=34, **more)


def cut(data: Data, **options: object) -> tuple[Data, Data, Data]:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return RandomLinkSplit(is_undirected=True, num_val=0.1, num_test=0.2, **options)(data)


def test_sparse_features_are_read() -> None:
    subject = from_pyg(cut(club(x=torch.eye(34).to_sparse())))
    assert isinstance(subject.features, csr_array)
    assert "feature-cosine" in {score.predictor for score in audit(subject).trivial}


def test_one_number_for_each_node_is_a_column() -> None:
    subject = from_pyg(cut(club(x=torch.arange(1, 35))))
    assert subject.features.shape == (34, 1)
    assert audit(subject).leaks == ()


def test_features_of_other_shapes_are_refused() -> None:
    with pytest.raises(SplitError, match=r"shape \(34, 2, 2\)"):
        from_pyg(cut(club(x=torch.ones(34, 2, 2))))


def test_several_kinds_of_nodes_are_refused() -> None:
    with pytest.raises(SplitError, match="HeteroData"):
        from_pyg([HeteroData()] * 3)


@pytest.mark.parametrize("part", [None, {"edge": 1}, Data()])
def test_what_is_no_data_is_refused(part: object) -> None:
    with pytest.raises(SplitError, match="without edge_index"):
        from_pyg([part] * 3)


@pytest.mark.parametrize("split_labels", [False, True])
def test_labels_under_another_name(*, split_labels: bool) -> None:
    parts = cut(club(), key="rating", split_labels=split_labels)
    subject = from_pyg(parts, key="rating")
    assert len(subject.parts["test"].positive) == len(subject.parts["test"].negative) == 15
    with pytest.raises(SplitError, match="edge_label_index") as caught:
        from_pyg(parts)
    assert "key='rating'" in caught.value.hint


def classes() -> torch.Tensor:
    return (torch.arange(78) % 3).repeat(2)


def test_without_drawn_negatives_the_class_zero_is_no_negative() -> None:
    data = club(edge_label=classes())
    subject = from_pyg(cut(data, neg_sampling_ratio=0.0))
    assert [len(part.positive) for part in subject.parts.values()] == [56, 7, 15]
    assert all(part.negative is None for part in subject.parts.values())
    subject = from_pyg(cut(data, neg_sampling_ratio=0.0, disjoint_train_ratio=0.5))
    assert all(part.negative is None for part in subject.parts.values())
    assert "negatives that are links" not in " ".join(finding.check for finding in audit(subject).leaks)


def test_with_drawn_negatives_classes_are_links() -> None:
    subject = from_pyg(cut(club(edge_label=classes()), neg_sampling_ratio=1.0))
    assert [len(part.positive) for part in subject.parts.values()] == [56, 7, 15]
    assert [len(part.negative) for part in subject.parts.values()] == [56, 7, 15]


def test_labels_of_several_columns_are_refused() -> None:
    parts = cut(club())
    parts[2].edge_label = torch.ones(30, 2)
    with pytest.raises(SplitError, match=r"shape \(30, 2\)"):
        from_pyg(parts)


def ogb(**test: object) -> dict[str, dict[str, object]]:
    return {
        "train": {"edge": np.array([[0, 1], [1, 2], [2, 3]])},
        "valid": {"edge": np.array([[0, 2]]), "edge_neg": np.array([[0, 3]])},
        "test": {"edge": np.array([[1, 3]]), "edge_neg": np.array([[0, 4]]), **test},
    }


def test_arrays_and_lists_are_read_like_tensors() -> None:
    messages, weight = np.array([[0, 1], [1, 2]]), np.array([2.0, 3.0])
    subject = from_ogb(ogb(), num_nodes=5, messages=messages, weight=weight)
    part = subject.parts["test"]
    assert part.messages.tolist() == [[0, 1], [1, 2]]
    assert part.weight.tolist() == [2, 3]
    listed = from_ogb(ogb(), num_nodes=5, messages=messages.tolist(), weight=weight.tolist()).parts["test"]
    assert torch.equal(listed.messages, part.messages)
    assert audit(subject).leaks == ()


def test_weights_without_messages_are_those_of_the_training_links() -> None:
    assert from_ogb(ogb(), num_nodes=5, weight=np.ones(3)).parts["test"].weight.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("test", "where", "message"),
    [
        ({"edge": np.array([[0, 1, 2], [1, 2, 3]])}, "test, edge", r"\(P, 2\), not \(2, 3\)"),
        ({"edge": np.array([0, 1])}, "test, edge", r"not \(2,\)"),
        ({"edge": np.array([[0.0, 1.0]])}, "test, edge", "integers, not float64"),
        ({"edge_neg": torch.tensor([[0.5, 1.0]])}, "test, edge_neg", "integers, not float32"),
        ({"edge_neg": np.zeros((3, 4, 2), int)}, "test, edge_neg", r"not \(3, 4, 2\)"),
    ],
)
def test_other_shapes_and_types_are_refused(test: dict[str, object], where: str, message: str) -> None:
    with pytest.raises(SplitError, match=message) as caught:
        from_ogb(ogb(**test), num_nodes=5)
    assert caught.value.where == f"OGB split, {where}"


@pytest.mark.parametrize("targets", [np.array([3, 4]), np.array([[3, 4], [3, 4]])])
def test_negative_targets_have_a_row_for_each_link(targets: np.ndarray) -> None:
    split = ogb()
    split["test"] = {"source_node": np.array([1]), "target_node": np.array([3]), "target_node_neg": targets}
    with pytest.raises(SplitError, match=r"\(1, K\), not"):
        from_ogb(split, num_nodes=5)


def test_messages_have_two_columns() -> None:
    with pytest.raises(SplitError, match=r"\(P, 2\), not \(2, 3\)"):
        from_ogb(ogb(), num_nodes=5, messages=torch.zeros(2, 3, dtype=torch.int64))


def toy(labels: list[str]) -> Dataset:
    links = cycle(40).links
    ids = NodeIds.from_labels(labels)
    return Dataset("toy", Graph.from_edges(40, links, weight=1.0 + torch.arange(40), node_ids=ids), "auc")


def test_a_split_of_another_graph_is_refused() -> None:
    split = make_split(toy([f"a{i:02}" for i in range(40)]), PROTOCOLS["paper"], 0)
    with pytest.raises(SplitError, match="40 nodes of the split, such as 'a00', are no nodes of 'toy'"):
        from_split(split, dataset=toy([f"b{i:02}" for i in range(40)]))


def test_the_same_nodes_in_another_order_keep_their_weights() -> None:
    labels = [f"a{i:02}" for i in range(40)]
    split = make_split(toy(labels), PROTOCOLS["paper"], 0)
    order = torch.arange(40).flip(0)
    turned = Dataset("turned", toy(labels).graph.subgraph(order), "auc")
    assert audit(from_split(split, dataset=turned)).leaks == ()
