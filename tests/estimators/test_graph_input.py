"""Whatever a graph comes as, the graph and what is learned from it are the same."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest
import torch
from scipy.sparse import coo_array, csr_array, csr_matrix

from hlgnn.errors import GraphFormatError, MissingFileError, SettingsError
from hlgnn.estimators.link_predictor import LinkPredictor
from hlgnn.graph import Graph, to_pyg

Array = np.ndarray[Any, Any]


def adjacency(edges: Array) -> csr_array:
    both = np.r_[edges, edges[:, ::-1]]
    return csr_array(coo_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(66, 66)))


def networkx_graph(edges: Array) -> Any:
    graph = networkx.Graph()
    graph.add_edges_from(edges[::-1].tolist())  # nodes in another order
    return graph


FORMS: dict[str, Callable[[Array], Any]] = {
    "graph": lambda edges: Graph.from_edges(66, torch.from_numpy(edges)),
    "networkx": networkx_graph,
    "scipy array": adjacency,
    "scipy matrix": lambda edges: csr_matrix(adjacency(edges)),
    "pyg": lambda edges: to_pyg(Graph.from_edges(66, torch.from_numpy(edges))),
    "pandas": lambda edges: pandas.DataFrame(edges[::-1], columns=["from", "to"]),
    "polars": lambda edges: polars.DataFrame({"year": 1, "dst": edges[:, 1], "src": edges[:, 0]}),
    "arrow": lambda edges: pa.table({"u": edges[:, 1], "v": edges[:, 0]}),
    "tensor": torch.from_numpy,
    "list": lambda edges: [tuple(edge) for edge in edges.tolist()],
    "text": lambda edges: edges.astype(str),
    "objects": lambda edges: edges.astype(object),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_graph_and_the_same_scores(
    form: str, edges: Array, fitted: LinkPredictor, quick: dict[str, Any]
) -> None:
    predictor = LinkPredictor(settings=quick).fit(FORMS[form](edges))
    assert torch.equal(predictor.graph_.links, fitted.graph_.links)
    assert predictor.graph_.node_ids == fitted.graph_.node_ids
    assert np.array_equal(predictor.decision_function(edges), fitted.decision_function(edges))
    assert predictor.result_["test"] == fitted.result_["test"]


def test_files_too(edges: Array, fitted: LinkPredictor, quick: dict[str, Any], tmp_path: Path) -> None:
    frame = pandas.DataFrame(edges, columns=["source", "target"])
    frame.to_csv(tmp_path / "links.csv", index=False)
    for path in (tmp_path / "links.csv", str(tmp_path / "links.csv")):
        predictor = LinkPredictor(settings=quick).fit(path)
        assert np.array_equal(predictor.decision_function(edges), fitted.decision_function(edges))
    (tmp_path / "links.csv").unlink()
    assert predictor.recommend(1)["score"][0] == fitted.recommend(1)["score"][0]
    with pytest.raises(MissingFileError):
        LinkPredictor().fit(tmp_path / "links.csv")
    with pytest.raises(MissingFileError):
        LinkPredictor().fit(frame, features=tmp_path / "nodes.csv")


def test_every_form_of_features_gives_the_same(edges: Array, quick: dict[str, Any], tmp_path: Path) -> None:
    quick = quick | {"train.epochs": 1}
    rows = np.random.default_rng(0).random((66, 5)).astype(np.float32)
    order = np.random.default_rng(1).permutation(66)
    frame = pandas.DataFrame(rows[order]).assign(id=order)
    frame.columns = frame.columns.astype(str)
    frame.to_csv(tmp_path / "nodes.csv", index=False)
    named = networkx_graph(edges)
    networkx.set_node_attributes(named, dict(enumerate(rows)), "x")
    graph = Graph.from_edges(66, torch.from_numpy(edges), features=torch.from_numpy(rows))
    given: list[tuple[Any, dict[str, Any]]] = [
        (graph, {}),
        (to_pyg(graph), {}),
        (named, {"features": "x"}),
        (edges, {"features": rows}),
        (edges, {"features": rows[order], "nodes": order}),
        (edges, {"features": csr_array(rows)}),
        (graph.without_features(), {"features": torch.from_numpy(rows)}),
        (edges, {"features": frame}),
        (edges, {"features": tmp_path / "nodes.csv"}),
    ]
    predictors = [LinkPredictor(settings=quick).fit(each, **more) for each, more in given]
    for predictor in predictors:
        assert isinstance(predictor.graph_.features, torch.Tensor)
        assert np.allclose(predictor.graph_.features.numpy(), rows)
        assert np.allclose(predictor.decision_function(edges), predictors[0].decision_function(edges), atol=1e-5)


def test_weights_are_kept(edges: Array, quick: dict[str, Any]) -> None:
    weight = 0.5 + np.random.default_rng(0).random(len(edges)).astype(np.float32)
    frame = pandas.DataFrame(edges, columns=["source", "target"]).assign(weight=weight)
    graph = Graph.from_edges(66, torch.from_numpy(edges), weight=torch.from_numpy(weight))
    named = frame.rename(columns={"weight": "strength"})
    for given, columns in ((frame, None), (graph, None), (named, {"weight": "strength"})):
        predictor = LinkPredictor(settings=quick).fit(given, columns=columns, nodes=[*range(66), 70])
        assert predictor.graph_.link_weight is not None
        assert np.array_equal(predictor.graph_.link_weight.numpy(), weight)
        assert predictor.graph_.num_nodes == 67


def test_times_choose_what_is_held_out(edges: Array, quick: dict[str, Any]) -> None:
    frame = pandas.DataFrame(edges, columns=["source", "target"]).assign(year=np.arange(len(edges)))
    predictor = LinkPredictor(settings=quick).fit(frame, columns={"time": "year"}, nodes=[*range(66), 70])
    assert predictor.settings_.protocol == "time"
    latest = {tuple(edge) for edge in edges[-len(predictor.split_.test.positive) :].tolist()}
    assert {tuple(edge) for edge in predictor.split_.test.positive.tolist()} == latest


def test_nodes_without_links_are_nodes(edges: Array, quick: dict[str, Any]) -> None:
    named = networkx_graph(edges)
    named.add_node(80)
    for given, more in ((named, {}), (edges, {"nodes": [80]}), (edges.astype(str), {"nodes": ["80"]})):
        predictor = LinkPredictor(settings=quick).fit(given, **more)
        assert predictor.graph_.num_nodes == 67
        assert predictor.graph_.degree[66] == 0
        assert not any("itself" in note for note in predictor._fitted.notes)
        assert len(predictor.recommend(2, node=80)) == 2


def test_text_is_kept(edges: Array, quick: dict[str, Any]) -> None:
    names = np.array([f"person {number:02d}" for number in range(66)])
    predictor = LinkPredictor(settings=quick).fit(names[edges], nodes=["zoe"])
    assert list(predictor.graph_.node_ids) == [*names.tolist(), "zoe"]
    assert predictor.recommend(1, node="person 03")["source"][0] == "person 03"
    assert np.array_equal(predictor.predict([["person 00", "zoe"]]), [0])


def test_what_is_no_graph_is_refused(edges: Array) -> None:
    with pytest.raises(SettingsError, match="shape"):
        LinkPredictor().fit(np.zeros((5, 5), int))
    with pytest.raises(GraphFormatError, match="text or integers"):
        LinkPredictor().fit(edges + 0.5)
    with pytest.raises(GraphFormatError, match="missing"):
        LinkPredictor().fit([[1, None], [2, 3]])
    for nothing in ([], np.empty((0, 2), int), pandas.DataFrame({"u": [], "v": []})):
        with pytest.raises(GraphFormatError, match="no links"):
            LinkPredictor().fit(nothing)
    with pytest.raises(GraphFormatError, match="no links"):
        LinkPredictor().fit(edges, np.zeros(len(edges)))
    with pytest.raises(GraphFormatError, match="two columns"):
        LinkPredictor().fit(pandas.DataFrame({"u": [1]}))
    for other in (None, 7, object(), {"u": 1}, [[1, 2], [3]], [[1.5, 2.5, 3.5]]):
        with pytest.raises(SettingsError, match="no pair"):
            LinkPredictor().fit(other)
    with pytest.raises(SettingsError, match="labels of the shape"):
        LinkPredictor().fit(edges, [1, 0])
    with pytest.raises(SettingsError, match="0 and 1 only"):
        LinkPredictor().fit(edges, np.full(len(edges), 2))
    with pytest.raises(SettingsError, match="rows for 66 nodes"):
        LinkPredictor().fit(edges, features=np.zeros((3, 2)))
    with pytest.raises(SettingsError, match="role"):
        LinkPredictor().fit(edges, columns={"wieght": "w"})
    with pytest.raises(SettingsError, match="belong to pairs"):
        LinkPredictor().fit("links.csv", [1, 0])
