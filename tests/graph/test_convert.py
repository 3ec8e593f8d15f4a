"""Conversions: round trips are identities, and what would be lost silently is an error or a notice."""

import copy
import logging
import sys
import warnings
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from hypothesis import given
from scipy.sparse import coo_array, csr_array, csr_matrix

from hlgnn.errors import GraphFormatError, MissingPackageError, SettingsError
from hlgnn.graph.convert import (
    from_networkx,
    from_pandas,
    from_polars,
    from_pyg,
    from_scipy,
    to_networkx,
    to_pandas,
    to_polars,
    to_pyg,
    to_scipy,
)
from hlgnn.graph.graph import Graph
from hlgnn.graph.node_ids import NodeIds
from hlgnn.graph.toy_graphs import karate_club, path, star
from strategies import graphs

with warnings.catch_warnings():  # importing it uses what torch has deprecated
    warnings.simplefilter("ignore")
    from torch_geometric.data import Data, HeteroData

FRAMES: dict[str, tuple[Callable[..., Any], Callable[..., Graph], Callable[..., Any]]] = {
    "pandas": (pd.DataFrame, from_pandas, to_pandas),
    "polars": (pl.DataFrame, from_polars, to_polars),
}
any_frame = pytest.mark.parametrize(("frame", "read", "write"), FRAMES.values(), ids=FRAMES.keys())


def ids_of(graph: Graph) -> list[object]:
    return graph.node_ids.to_arrow().to_pylist()  # type: ignore[no-any-return]


def assert_same(left: Graph, right: Graph) -> None:
    assert ids_of(left) == ids_of(right)
    assert left.adjacency.offset.tolist() == right.adjacency.offset.tolist()
    assert left.adjacency.neighbor.tolist() == right.adjacency.neighbor.tolist()
    for ours, theirs in ((left.link_weight, right.link_weight), (left.features, right.features)):
        assert (ours is None) == (theirs is None)
        if ours is not None and theirs is not None:
            assert isinstance(ours, torch.Tensor)
            assert isinstance(theirs, torch.Tensor)
            assert ours.dtype == theirs.dtype == torch.float32
            assert torch.equal(ours, theirs)


@given(graph=graphs(labelled=None))
def test_networkx_and_back(graph: Graph) -> None:
    name = None if graph.features is None else "features"
    assert_same(from_networkx(to_networkx(graph), features=name), graph)


@given(graph=graphs(labelled=None))
def test_scipy_and_back(graph: Graph) -> None:
    assert_same(from_scipy(to_scipy(graph), features=graph.features, node_ids=graph.node_ids), graph)


@given(graph=graphs(labelled=None))
def test_pyg_and_back(graph: Graph) -> None:
    data = to_pyg(graph)
    assert data.validate()
    assert data.is_undirected()
    assert ("node_id" in data) == (ids_of(graph) != list(range(graph.num_nodes)))
    assert_same(from_pyg(data), graph)


@any_frame
@given(graph=graphs(labelled=None, with_features=False))
def test_frames_and_back(
    frame: Callable[..., Any], read: Callable[..., Graph], write: Callable[..., Any], graph: Graph
) -> None:
    assert_same(read(write(graph), nodes=ids_of(graph)), graph)
    names = {"source": "a", "target": "b", "weight": "c"}
    assert list(write(graph, **names).columns) == ["a", "b", "c"][: 2 if graph.link_weight is None else 3]
    if graph.link_weight is not None:
        assert_same(read(write(graph, **names), **names, nodes=ids_of(graph)), graph)


@given(graph=graphs(min_nodes=2, labelled=None))
def test_what_becomes_of_a_conversion_does_not_change_the_graph(graph: Graph) -> None:
    before = copy.deepcopy(graph)
    matrix, data, theirs = to_scipy(graph), to_pyg(graph), to_networkx(graph)
    for array in (matrix.data, matrix.indices, matrix.indptr):
        array[:] = 7
    for tensor in (data.edge_index, data.edge_weight, data.x):
        if tensor is not None:
            tensor.fill_(7)
    for _, attributes in theirs.nodes(data=True):
        for row in attributes.values():
            row[:] = 7
    assert_same(graph, before)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_matrix_is_left_alone(weighted: bool) -> None:
    values, rows, columns = np.array([1, 1, 2]), np.array([1, 0, 0]), np.array([0, 1, 1])
    for matrix in (coo_array((values, (rows, columns)), shape=(2, 2)), csr_array((values, columns, [0, 2, 3]))):
        before = copy.deepcopy(matrix)
        from_scipy(matrix, weighted=weighted)
        assert matrix.data.tolist() == before.data.tolist() == [1, 1, 2]
        assert [index.tolist() for index in matrix.tocoo().coords] == [i.tolist() for i in before.tocoo().coords]


# networkx


def test_networkx_equals_its_own_matrix() -> None:
    theirs = nx.karate_club_graph()
    assert (to_scipy(from_networkx(theirs)) != nx.to_scipy_sparse_array(theirs)).nnz == 0
    assert_same(from_networkx(theirs, weight=None), karate_club())
    assert nx.utils.graphs_equal(
        to_networkx(from_networkx(theirs)).to_directed().to_undirected(), _weights_only(theirs)
    )


def _weights_only(graph: "nx.Graph[Any]") -> "nx.Graph[Any]":
    made: nx.Graph[Any] = nx.Graph()
    made.add_nodes_from(graph)
    made.add_weighted_edges_from((u, v, float(graph[u][v]["weight"])) for u, v in graph.edges)
    return made


def test_networkx_keeps_labels_in_its_order() -> None:
    assert ids_of(from_networkx(nx.path_graph([3, 1, 2]))) == [3, 1, 2]
    assert ids_of(from_networkx(nx.path_graph(["b", "a"]))) == ["b", "a"]
    assert ids_of(from_networkx(nx.grid_2d_graph(1, 2))) == ["(0, 0)", "(0, 1)"]
    mixed: nx.Graph[Any] = nx.Graph([("a", 1), (1, 2.5)])
    assert ids_of(from_networkx(mixed)) == ["a", "1", "2.5"]
    assert ids_of(from_networkx(nx.Graph([(2**70, 1)]))) == [str(2**70), "1"]
    assert ids_of(from_networkx(nx.Graph([(np.int64(5), np.int64(4))]))) == [5, 4]
    with pytest.raises(GraphFormatError, match=r"1 and '1' would both have the id '1'"):
        from_networkx(nx.Graph([(1, "1")]))


def test_networkx_weights() -> None:
    partly: nx.Graph[Any] = nx.Graph([(0, 1, {"weight": 3}), (1, 2)])
    assert from_networkx(partly).link_weight.tolist() == [3, 1]  # type: ignore[union-attr]
    assert from_networkx(partly, weight=None).link_weight is None
    assert from_networkx(partly, weight="other").link_weight is None
    assert from_networkx(nx.Graph([(0, 1, {"weight": 1})])).link_weight is None
    parallel: nx.MultiGraph[Any] = nx.MultiGraph([(0, 1, {"weight": 3}), (1, 0, {"weight": 4}), (1, 2)])
    assert from_networkx(parallel).link_weight.tolist() == [7, 1]  # type: ignore[union-attr]
    both: nx.DiGraph[Any] = nx.DiGraph([(0, 1, {"weight": 3}), (1, 0, {"weight": 4})])
    assert from_networkx(both).link_weight.tolist() == [4]  # type: ignore[union-attr]


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), 1e-60, 1e60])
def test_weights_that_are_no_weights(bad: float) -> None:
    with pytest.raises(GraphFormatError, match=r"edge \(1, 2\): A weight is a positive number"):
        from_networkx(nx.Graph([(0, 1), (1, 2, {"weight": bad})]))
    with pytest.raises(GraphFormatError, match="row 0, column 1: A weight"):
        from_scipy(coo_array(([bad, 1.0], ([0, 1], [1, 0])), shape=(2, 2)))
    weight = torch.tensor([1, bad], dtype=torch.float64)
    data = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), edge_weight=weight, num_nodes=2)
    with pytest.raises(GraphFormatError, match=r"edge_weight\[1\]: A weight"):
        from_pyg(data)
    for frame, read, _ in FRAMES.values():
        with pytest.raises(GraphFormatError, match="row 1, column 'weight'"):
            read(frame({"source": [0, 1], "target": [1, 2], "weight": [1.0, bad]}))


def test_networkx_features() -> None:
    theirs = nx.path_graph(2)
    theirs.add_nodes_from([(0, {"x": [1, 2]}), (1, {"x": np.array([3, 4])})])
    assert from_networkx(theirs, features="x").features.tolist() == [[1, 2], [3, 4]]  # type: ignore[union-attr]
    theirs.add_node(2, x=[5])
    with pytest.raises(GraphFormatError, match="node 2: Its 'x' have the shape"):
        from_networkx(theirs, features="x")
    del theirs.nodes[2]["x"]
    with pytest.raises(GraphFormatError, match="node 2: There is no attribute 'x'"):
        from_networkx(theirs, features="x")


def test_sparse_features_become_dense_elsewhere() -> None:
    graph = Graph(path(2).adjacency, NodeIds.range(2), csr_array(np.array([[0, 2], [1, 0]], dtype=np.float32)))
    assert to_pyg(graph).x.tolist() == [[0, 2], [1, 0]]
    assert to_networkx(graph).nodes[0]["features"].tolist() == [0, 2]
    data = to_pyg(graph)
    data.x = data.x.to_sparse()
    features = from_pyg(data).features
    assert isinstance(features, csr_array)
    assert features.toarray().tolist() == [[0, 2], [1, 0]]


# What is dropped is told


def logged(caplog: pytest.LogCaptureFixture, read: Callable[[], Graph]) -> list[tuple[str, str]]:
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="hlgnn"):
        read()
    return [(record.levelname, record.getMessage()) for record in caplog.records]


ONE_WAY = ("WARNING", "1 links were stated in one direction only; the graph is undirected.")


def merged(self_loops: int, repeats: int) -> tuple[str, str]:
    return ("INFO", f"{self_loops} self-loops and {repeats} repeated edges were merged or dropped.")


def test_directions_loops_and_repeats_are_told(caplog: pytest.LogCaptureFixture) -> None:
    pairs = [(0, 1), (1, 0), (1, 2), (1, 2), (2, 2)]
    told = [merged(1, 1), ONE_WAY]
    ones = np.ones(5, dtype=np.int64)
    edges = torch.tensor(pairs).T
    assert logged(caplog, lambda: from_pyg(Data(edge_index=edges, num_nodes=3))) == told
    assert logged(caplog, lambda: from_networkx(nx.MultiDiGraph(pairs))) == told
    assert logged(caplog, lambda: from_networkx(nx.DiGraph(pairs))) == [merged(1, 0), ONE_WAY]
    matrix = coo_array((ones, tuple(edges.numpy())), shape=(3, 3))
    assert logged(caplog, lambda: from_scipy(matrix)) == [merged(1, 0), ONE_WAY]
    assert matrix.nnz == 5  # not summed in place
    # An undirected edge is stated once, so a second statement is a repeat in either direction.
    assert logged(caplog, lambda: from_networkx(nx.MultiGraph(pairs))) == [merged(1, 2)]
    for frame, read, _ in FRAMES.values():
        rows = frame({"source": edges[0].numpy(), "target": edges[1].numpy()})
        assert logged(caplog, lambda rows=rows, read=read: read(rows)) == [merged(1, 2)]  # type: ignore[misc]


def test_nothing_is_told_when_nothing_is_lost(caplog: pytest.LogCaptureFixture) -> None:
    graph = karate_club()
    reads: list[Callable[[], Graph]] = [
        lambda: from_pyg(to_pyg(graph)),
        lambda: from_networkx(to_networkx(graph)),
        lambda: from_networkx(to_networkx(graph).to_directed()),
        lambda: from_scipy(to_scipy(graph)),
        lambda: from_pandas(to_pandas(graph)),
        lambda: from_polars(to_polars(graph)),
    ]
    for read in reads:
        assert logged(caplog, read) == []
        assert_same(read(), graph)


# scipy


def test_scipy_values() -> None:
    assert from_scipy(csr_array([[0, 1], [1, 0]])).link_weight is None
    assert from_scipy(csr_array([[0, 1], [2, 0]])).link_weight.tolist() == [2]  # type: ignore[union-attr]
    assert from_scipy(csr_matrix([[0, 3], [3, 0]]), weighted=False).link_weight is None
    twice = coo_array(([1, 1, 2], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert from_scipy(twice).link_weight.tolist() == [2]  # type: ignore[union-attr]
    stored_zero = coo_array(([0, 0], ([0, 1], [1, 0])), shape=(2, 2))
    assert from_scipy(stored_zero, weighted=False).num_links == 0
    assert from_scipy(csr_array((4, 4))).num_nodes == 4


def test_scipy_of_the_wrong_kind() -> None:
    with pytest.raises(GraphFormatError, match="ndarray is no sparse matrix"):
        from_scipy(np.eye(2))
    for matrix in (csr_array((2, 3)), csr_array((2, 2), dtype=np.complex128)):
        with pytest.raises(GraphFormatError, match="square and real"):
            from_scipy(matrix)


# torch_geometric


def test_pyg_ids_and_errors() -> None:
    edges = torch.tensor([[0, 1], [1, 0]])
    assert ids_of(from_pyg(Data(edge_index=edges, num_nodes=2, node_id=["x", "y"]))) == ["x", "y"]
    assert ids_of(from_pyg(Data(edge_index=edges, num_nodes=2, node_id=torch.tensor([9, 8])))) == [9, 8]
    with pytest.raises(GraphFormatError, match=r"leaves the nodes 0 … 0"):
        from_pyg(Data(edge_index=edges, num_nodes=1))
    with pytest.raises(GraphFormatError, match="x: Features have the shape"):
        from_pyg(Data(edge_index=edges, x=torch.zeros(2)))
    for wrong in (Data(num_nodes=3), HeteroData(), edges):
        with pytest.raises(GraphFormatError, match="without edge_index is no graph"):
            from_pyg(wrong)


# frames


@any_frame
def test_frames_sort_ids_unless_nodes_are_given(
    frame: Callable[..., Any], read: Callable[..., Graph], write: Callable[..., Any]
) -> None:
    rows = frame({"source": [20, 3], "target": [100, 20]})
    assert ids_of(read(rows)) == [3, 20, 100]
    given_nodes = read(rows, nodes=[100, 7, 20, 3])
    assert ids_of(given_nodes) == [100, 7, 20, 3]
    assert given_nodes.links.tolist() == [[0, 2], [2, 3]]
    assert ids_of(read(frame({"source": ["20", "b"], "target": ["100", "20"]}))) == ["100", "20", "b"]
    assert read(frame({"source": [0, 1], "target": [1, 2]})).num_nodes == 3
    assert read(frame({"source": [], "target": []}), nodes=["a", "b"]).num_nodes == 2
    assert read(write(star(0))).num_nodes == 0


def test_categories_are_text() -> None:
    rows = {"source": ["b", "a"], "target": ["c", "b"]}
    assert ids_of(from_pandas(pd.DataFrame(rows).astype("category"))) == ["a", "b", "c"]
    assert ids_of(from_polars(pl.DataFrame(rows).cast(pl.Categorical))) == ["a", "b", "c"]
    assert ids_of(from_pandas(pd.DataFrame(rows).astype("string[pyarrow]"))) == ["a", "b", "c"]


@any_frame
@pytest.mark.parametrize("name", ["source", "target", "weight"])
def test_a_null_is_named(
    frame: Callable[..., Any], read: Callable[..., Graph], write: Callable[..., Any], name: str
) -> None:
    whole = {"source": [0, 1, 2], "target": [1, 2, 3], "weight": [1, 2, 3]}
    assert read(frame(whole)).num_links == 3
    with pytest.raises(GraphFormatError, match=f"row 1, column '{name}': A value is missing"):
        read(frame(whole | {name: [whole[name][0], None, whole[name][2]]}))
    if name != "weight":
        with pytest.raises(GraphFormatError, match=f"row 2, column '{name}': A value is missing"):
            read(frame({"source": ["a", "b", "c"], "target": ["b", "c", "d"]} | {name: ["a", "b", None]}))


@any_frame
def test_frames_of_the_wrong_kind(
    frame: Callable[..., Any], read: Callable[..., Graph], write: Callable[..., Any]
) -> None:
    rows = frame({"source": [0, 1], "target": [1, 2], "text": ["a", "b"], "real": [0.5, 1.5]})
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"source": "from"}, GraphFormatError, "no column called 'from'. All: source, target"),
        ({"weight": "size"}, GraphFormatError, "no column called 'size'"),
        ({"weight": "text"}, GraphFormatError, "column 'text': Weights are numbers"),
        ({"target": "real"}, GraphFormatError, "column 'real': Ids are text or integers, not double"),
        ({"target": "text"}, GraphFormatError, "Some ids are text and others are integers"),
        ({"nodes": ["0", "1", "2"]}, GraphFormatError, "Some ids are text and others are integers"),
        ({"nodes": [0, 1]}, GraphFormatError, "row 1, column 'target': The id 2 is not among the nodes"),
        ({"nodes": [0, 1, None]}, GraphFormatError, "row 2, column 'nodes': A value is missing"),
        ({"nodes": [0, "a"]}, GraphFormatError, "column 'nodes': It holds values of several types"),
        ({"nodes": [0, 1, 2, 1]}, GraphFormatError, "same label 1"),
        ({"target": "source"}, SettingsError, "a name of its own"),
    ]
    for options, error, message in cases:
        with pytest.raises(error, match=message):
            read(rows, **options)
    with pytest.raises(SettingsError, match="a name of its own"):
        write(path(3), source="target")
    with pytest.raises(GraphFormatError, match="too large for int64"):
        read(frame({"source": np.array([2**63], dtype=np.uint64), "target": np.array([1], dtype=np.uint64)}))


def test_columns_of_the_same_name_are_an_error() -> None:
    with pytest.raises(GraphFormatError, match="more than one column called 'target'"):
        from_pandas(pd.DataFrame([[0, 1, 2]], columns=["source", "target", "target"]))


def test_an_object_column_of_several_types_is_named() -> None:
    rows = pd.DataFrame({"source": [0, "a"], "target": [1, 2]}, dtype=object)
    with pytest.raises(GraphFormatError, match="column 'source': It holds values of several types"):
        from_pandas(rows)


@pytest.mark.parametrize(
    ("write", "package"),
    [(to_networkx, "networkx"), (to_pandas, "pandas"), (to_polars, "polars"), (to_pyg, "torch_geometric")],
)
def test_a_missing_package_is_named(
    write: Callable[[Graph], Any], package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"{package}.data", raising=False)
    with pytest.raises(
        MissingPackageError, match=rf'^{package} is not installed. Run: pip install "hlgnn\[interop\]"$'
    ):
        write(path(3))


def test_pyg_weights_of_one_column_are_flat() -> None:
    data = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), edge_weight=torch.tensor([[2.0], [2.0]]), num_nodes=2)
    assert from_pyg(data).link_weight.tolist() == [2.0]
    data.edge_weight = torch.ones(2, 2)
    with pytest.raises(GraphFormatError, match=r"weights of the shape \(2, 2\)"):
        from_pyg(data)


@pytest.mark.parametrize("weight", ["heavy", [1, 2], {}])
def test_networkx_weights_are_numbers(weight: object) -> None:
    graph = nx.path_graph(3)
    graph.edges[1, 2]["weight"] = weight
    with pytest.raises(GraphFormatError, match="A weight is a number, not") as caught:
        from_networkx(graph)
    assert caught.value.where == "edge (1, 2)"
