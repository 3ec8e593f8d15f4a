"""Splits of PyG's RandomLinkSplit: the ways in which people make them leak are found."""

import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.transforms import RandomLinkSplit

from hlgnn.audit import audit, from_pyg
from hlgnn.data import load_embedded_cora
from hlgnn.errors import SplitError
from hlgnn.graph import Graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return load_embedded_cora().graph


def data_of(graph: Graph) -> Data:
    links = graph.links.t()
    features = torch.from_numpy(graph.features.toarray())
    return Data(x=features, edge_index=torch.cat([links, links.flip(0)], dim=1), num_nodes=graph.num_nodes)


def leaks(parts: tuple[Data, Data, Data], **more: object) -> dict[str, int]:
    return {finding.check: finding.count for finding in audit(from_pyg(parts, **more)).leaks}


def split(data: Data, **options: object) -> tuple[Data, Data, Data]:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return RandomLinkSplit(**options)(data)


def test_a_careful_split_is_clean_and_says_that_validation_links_carry_messages(graph: Graph) -> None:
    report = audit(from_pyg(split(data_of(graph), is_undirected=True, num_val=0.1, num_test=0.2), metric="auc"))
    # PyG draws directed negatives, so that a pair may be a negative of two parts, but none is a link.
    assert report.leaks == ()
    assert "validation links in the test messages" in {finding.check for finding in report.notices}
    assert {score.predictor for score in report.trivial} >= {"feature-cosine"}


def test_an_undirected_graph_split_as_directed_leaks(graph: Graph) -> None:
    found = leaks(split(data_of(graph), is_undirected=False, num_val=0.1, num_test=0.2))
    assert found["test links in the training messages"] > 100
    assert found["validation links in the training messages"] > 100


def test_no_validation_part_and_its_leak_are_found(graph: Graph) -> None:
    found = leaks(split(data_of(graph), is_undirected=False, num_val=0.0, num_test=0.2))
    assert "validation links" in found
    assert found["test links in the training messages"] > 100
    careful = leaks(split(data_of(graph), is_undirected=True, num_val=0.0, num_test=0.2))
    assert careful == {"validation links": 0}


def test_the_whole_graph_as_messages_leaks(graph: Graph) -> None:
    parts = split(data_of(graph), is_undirected=True, num_val=0.05, num_test=0.1)
    for part in parts:
        part.edge_index = data_of(graph).edge_index
    found = leaks(parts)
    assert found["test links in the test messages"] == 527
    assert found["validation links in the training messages"] == 263


def test_separate_labels_are_read(graph: Graph) -> None:
    parts = split(data_of(graph), is_undirected=True, num_val=0.05, num_test=0.1, split_labels=True)
    subject = from_pyg(parts)
    assert len(subject.parts["test"].positive) == len(subject.parts["test"].negative) == 527


def test_weights_in_the_wrong_places_are_found(graph: Graph) -> None:
    data = data_of(graph)
    weight = torch.arange(1.0, graph.num_links + 1).repeat(2)
    data.edge_weight = weight
    options = {"is_undirected": True, "num_val": 0.05, "num_test": 0.1}
    reference = graph.with_links(graph.links, weight[: graph.num_links])
    assert leaks(split(data, **options), reference=reference) == {}
    data.edge_weight = weight.flip(0)
    parts = split(data, **options)
    assert any("weights" in check for check in leaks(parts, reference=reference))
    train = parts[0]
    half = train.edge_weight.shape[0] // 2
    train.edge_weight = torch.cat([train.edge_weight[:half], train.edge_weight[half:].roll(1)])
    assert leaks(parts)["weights on their edges (training messages)"] > 1000  # both directions disagree


def test_two_parts_are_refused(graph: Graph) -> None:
    with pytest.raises(SplitError, match="three parts"):
        from_pyg(split(data_of(graph), is_undirected=True)[:2])


def test_data_without_labels_is_refused(graph: Graph) -> None:
    with pytest.raises(SplitError, match="edge_label_index"):
        from_pyg([data_of(graph)] * 3)
