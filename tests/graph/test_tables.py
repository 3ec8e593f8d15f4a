"""What is written is read back, in every format; columns are found by name, by habit, or by number."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hlgnn.graph.build import build_csr
from hlgnn.graph.node_ids import NodeIds
from hlgnn.graph.tables import EdgeTable, read_edges, read_features, read_pairs, write_links

ENDINGS = ["csv", "tsv", "txt", "edges", "csv.gz", "tsv.gz", "edgelist.gz", "parquet"]
EACH_FORMAT = pytest.mark.parametrize("ending", ENDINGS)

# Anything but line breaks, which text tables cannot hold; no white space around, which is refused.
NAME = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\x85"), min_size=1
).filter(lambda name: name == name.strip())
SAME_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def write(folder: Path, text: str | bytes, name: str = "edges.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def labels(table: EdgeTable) -> list[tuple[str | int, str | int]]:
    ids = table.node_ids
    return [(ids[i], ids[j]) for i, j in zip(table.source.tolist(), table.target.tolist(), strict=True)]


def spells_an_integer(name: str) -> bool:
    """Whether this is how a 64-bit integer is written."""
    plain = re.fullmatch("-?[0-9]+", name) is not None
    return plain and str(int(name)) == name and -(2**63) <= int(name) < 2**63


@EACH_FORMAT
@SAME_FOLDER
@given(edges=st.lists(st.tuples(NAME, NAME, st.floats(2**-10, 2**10, width=32)), min_size=1, max_size=8))
def test_edges_survive_writing(tmp_path: Path, ending: str, edges: list[tuple[str, str, float]]) -> None:
    path = tmp_path / f"edges.{ending}"
    source, target, weight = ([edge[k] for edge in edges] for k in range(3))
    write_links(path, {"source": source, "target": target, "weight": np.array(weight, np.float32)})
    table = read_edges(path, header=True)
    numbers = all(spells_an_integer(name) for name in source + target)
    expected = [(int(i), int(j)) if numbers else (i, j) for i, j, _ in edges]
    assert labels(table) == expected
    assert table.weight is not None
    assert table.weight.tolist() == weight
    assert (table.lines, table.path, table.unused_columns) == (len(edges), path, ())


@EACH_FORMAT
def test_integers_features_and_pairs_survive_writing(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"table.{ending}"
    write_links(path, {"source": np.array([3, 10, 2]), "target": pa.array([10, 2, 3])})
    table = read_edges(path)
    assert list(table.node_ids) == [2, 3, 10]
    assert table.source.tolist() == [1, 2, 0]
    assert read_pairs(path, table.node_ids).tolist() == [[1, 2], [2, 0], [0, 1]]
    values = np.random.default_rng(0).normal(size=(3, 2)).astype(np.float32)
    write_links(path, {"node": [10, 2, 3], "x": values[:, 0], "y": values[:, 1]})
    features = read_features(path, table.node_ids)
    assert features.names == ("x", "y")
    np.testing.assert_array_equal(features.values, values[[1, 2, 0]])


@SAME_FOLDER
@given(data=st.data())
def test_shuffled_lines_are_the_same_graph(tmp_path: Path, data: st.DataObject) -> None:
    node = st.sampled_from(["ann", "bob", "eve", "7", "007", "user_1"])
    lines = data.draw(st.lists(st.tuples(node, node, st.integers(1, 9)), min_size=1, max_size=20))
    built = []
    for order in (lines, data.draw(st.permutations(lines))):
        text = "source,target,weight\n" + "".join(f"{i},{j},{w}\n" for i, j, w in order)
        table = read_edges(write(tmp_path, text))
        built.append((table.node_ids, build_csr(len(table.node_ids), table.source, table.target, table.weight)))
    (first_ids, first), (second_ids, second) = built
    assert first_ids == second_ids
    for one, two in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "a,b\nb,c\n"),
        ("a.csv", "a,b\r\nb,c\r\n"),
        ("a.csv", "\n\na,b\n\nb,c"),
        ("a.csv", "\ufeffa,b\nb,c\n"),
        ("a.csv", "# graph\n% more\n#\na,b\nb,c\n"),
        ("a.csv", "\ufeff# graph\na,b\nb,c\n"),
        ("a.csv", "source,target\na,b\nb,c\n"),
        ("a.csv", '"Source","Target"\na,"b"\nb,c\n'),
        ("a.csv", "to,from\nb,a\nc,b\n"),
        ("a.csv", "year,u,v\n1,a,b\n2,b,c\n"),
        ("a.tsv", "a\tb\nb\tc\n"),
        ("a.txt", "a b\nb c\n"),
        ("a.txt", "a\tb\nb\tc\n"),
        ("a.txt", "a,b\nb,c\n"),
        ("a.edges", "% sym\n  a   b\n\nb\tc  \n   \n"),
        ("a.edgelist", "a b \nb c \n"),
        ("a.TXT", "a b\r\n b  c\r\n"),
    ],
)
@pytest.mark.parametrize("compress", [False, True])
def test_ways_to_write_the_same_edges(tmp_path: Path, *, name: str, text: str, compress: bool) -> None:
    data = text.encode()
    path = write(tmp_path, gzip.compress(data) if compress else data, name + ".gz" * compress)
    assert labels(read_edges(path)) == [("a", "b"), ("b", "c")]


def test_endings_may_be_in_capitals(tmp_path: Path) -> None:
    path = write(tmp_path, gzip.compress(b"a,b\nb,c\n"), "EDGES.CSV.GZ")
    assert labels(read_edges(path)) == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize(
    ("text", "header", "edges"),
    [
        ("1,2\n3,4\n", None, [(1, 2), (3, 4)]),
        ("x,y\n3,4\n", None, [(3, 4)]),
        ("x,y\n3,b\n", None, [("x", "y"), ("3", "b")]),
        ("x,1\n3,4\n", None, [("x", "1"), ("3", "4")]),
        ("a,b\n", None, [("a", "b")]),
        ("x,y\na,b\n", True, [("a", "b")]),
        ("1,2\n3,4\n", True, [(3, 4)]),
        ("x,y\na,b\n", False, [("x", "y"), ("a", "b")]),
    ],
)
def test_headers_are_told_from_edges(
    tmp_path: Path, *, text: str, header: bool | None, edges: list[tuple[object, object]]
) -> None:
    assert labels(read_edges(write(tmp_path, text), header=header)) == edges


def test_leading_zeros_make_text(tmp_path: Path) -> None:
    assert list(read_edges(write(tmp_path, "7,007\n07,1\n")).node_ids) == ["007", "07", "1", "7"]


def test_columns_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, "when,who,whom,weight,how\n5,a,b,2.5,x\n6,b,a,1,y\n")
    table = read_edges(path, source="who", target="Whom".lower(), time="when")
    assert labels(table) == [("a", "b"), ("b", "a")]
    assert table.weight is not None
    assert table.time is not None
    assert (table.weight.tolist(), table.time.tolist()) == ([2.5, 1.0], [5, 6])
    assert table.weight.dtype == np.float32
    assert table.unused_columns == ("how",)
    other = read_edges(path, source="who", target="whom", weight="when")
    assert other.weight is not None
    assert other.weight.tolist() == [5.0, 6.0]
    assert other.unused_columns == ("weight", "how")


def test_columns_by_number(tmp_path: Path) -> None:
    table = read_edges(write(tmp_path, "a,b,2,z\nb,c,3,z\n"), weight="3")
    assert table.weight is not None
    assert table.weight.tolist() == [2.0, 3.0]
    assert table.unused_columns == ("4",)
    swapped = read_edges(write(tmp_path, "a,b\nb,c\n"), source="2", target="1")
    assert labels(swapped) == [("b", "a"), ("c", "b")]


def test_delimiter(tmp_path: Path) -> None:
    assert labels(read_edges(write(tmp_path, "a;b\nb;c\n"), delimiter=";")) == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["3", "-4"], [3, -4]),
        (["3.5", "4"], [3.5, 4.0]),
        (["1970-01-01", "1970-01-02"], [0, 86400 * 10**9]),
        (["1970-01-01T00:00:01Z", "1970-01-01T01:00:00+01:00"], [10**9, 0]),
        (["1970-01-01 00:00:00.5", "1970-01-01 00:00:00"], [10**9 // 2, 0]),
    ],
)
def test_times(tmp_path: Path, cells: list[str], expected: list[float]) -> None:
    text = "source,target,at\n" + "".join(f"a,b,{cell}\n" for cell in cells)
    time = read_edges(write(tmp_path, text), time="at").time
    assert time is not None
    assert time.tolist() == expected
    assert time.dtype == (np.float64 if "." in cells[0] and "-" not in cells[0] else np.int64)


def test_parquet_types(tmp_path: Path) -> None:
    path = tmp_path / "edges.parquet"
    moments = pa.array([0, 86400], pa.timestamp("s", "UTC"))
    source = pa.array(["a", "b"]).dictionary_encode()
    table = {"u": source, "v": pa.array(["b", "c"], pa.large_string()), "at": moments, "weight": [1, 2]}
    pyarrow.parquet.write_table(pa.table(table), path)
    edges = read_edges(path, time="at")
    assert labels(edges) == [("a", "b"), ("b", "c")]
    assert edges.time is not None
    assert edges.weight is not None
    assert (edges.time.tolist(), edges.weight.tolist()) == ([0, 86400 * 10**9], [1.0, 2.0])


def test_strip_ids(tmp_path: Path) -> None:
    path = write(tmp_path, "a, b\nb,c \n")
    assert labels(read_edges(path, strip_ids=True)) == [("a", "b"), ("b", "c")]
    assert list(read_edges(write(tmp_path, "1, 2\n2,3\n"), strip_ids=True).node_ids) == [1, 2, 3]


def test_white_space_inside_and_around_ids_stays(tmp_path: Path) -> None:
    assert labels(read_edges(write(tmp_path, "ann lee, bob\n"))) == [("ann lee", " bob")]


@pytest.mark.parametrize("kind", [pa.list_(pa.float64()), pa.list_(pa.int32(), 2)])
def test_features_in_one_list_column(tmp_path: Path, kind: pa.DataType) -> None:
    path = tmp_path / "features.parquet"
    pyarrow.parquet.write_table(pa.table({"id": ["b", "a"], "x": pa.array([[1, 2], [3, 4]], kind)}), path)
    features = read_features(path, NodeIds.from_labels(["a", "b"]))
    assert features.values.tolist() == [[3.0, 4.0], [1.0, 2.0]]
    assert features.values.dtype == np.float32
    assert features.names == ("x_0", "x_1")


def test_features_without_header(tmp_path: Path) -> None:
    features = read_features(write(tmp_path, "b,1,2\na,3,4\n"), NodeIds.from_labels(["a", "b"]))
    assert features.values.tolist() == [[3.0, 4.0], [1.0, 2.0]]
    assert features.names == ("2", "3")


def test_features_id_column(tmp_path: Path) -> None:
    path = write(tmp_path, "x,who\n1,b\n3,a\n")
    features = read_features(path, NodeIds.from_labels(["a", "b"]), id_column="who")
    assert features.values.tolist() == [[3.0], [1.0]]


@pytest.mark.parametrize(("nodes", "new"), [(["a", "b"], ["c", "d"]), ([2, 1], [3, 4]), ([2, 1], ["c", "d"])])
def test_features_of_unknown_nodes(tmp_path: Path, nodes: list[object], new: list[object]) -> None:
    rows = [new[1], nodes[1], new[0], nodes[0]]
    path = write(tmp_path, "id,x\n" + "".join(f"{node},{k}\n" for k, node in enumerate(rows)))
    ids = NodeIds.from_labels(nodes)  # type: ignore[arg-type]
    dropped = read_features(path, ids, unknown="drop")
    assert dropped.node_ids == ids
    assert dropped.values.tolist() == [[3.0], [1.0]]
    added = read_features(path, ids, unknown="add")
    assert [str(label) for label in added.node_ids] == [str(label) for label in nodes + new]
    assert added.values.tolist() == [[3.0], [1.0], [2.0], [0.0]]


def test_pairs_keep_their_order_and_repeats(tmp_path: Path) -> None:
    path = write(tmp_path, "source,target\nb,a\nb,a\na,a\n")
    pairs = read_pairs(path, NodeIds.from_labels(["a", "b", "c"]))
    assert pairs.tolist() == [[1, 0], [1, 0], [0, 0]]
    assert pairs.dtype == np.int64


def test_integer_pairs_among_text(tmp_path: Path) -> None:
    assert read_pairs(write(tmp_path, "1,2\n"), NodeIds.from_labels(["1", "2", "x"])).tolist() == [[0, 1]]
    assert read_pairs(write(tmp_path, "1,2\n"), NodeIds.range(3)).tolist() == [[1, 2]]
