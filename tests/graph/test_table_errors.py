"""Every bad table is refused, with the line at fault and a hint."""

from __future__ import annotations

import errno
import gzip
import resource
import signal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from hlgnn.errors import GraphFormatError, HlgnnError, MissingFileError, OutputError, SettingsError
from hlgnn.graph.node_ids import NodeIds
from hlgnn.graph.tables import read_edges, read_features, read_pairs, write_links

AB = NodeIds.from_labels(["a", "b"])


def write(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def check(error: HlgnnError, path: Path, place: str, message: str) -> None:
    assert error.where == f"{path}{place}"
    assert message in error.what
    assert error.hint


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("t.csv", "a,b\nb\n", ", line 2", "1 columns"),
        ("t.csv", "a,b\n\n\nb,c,d\n", ", line 4", "3 columns"),
        ("t.csv", "# c\nsource,target\n\na,b\nb\n", ", line 5", "1 columns"),
        ("t.csv", "a,b\r\nb\r\n", ", line 2", "1 columns"),
        ("t.csv", "ab\ncd\n", ", line 1", "one column"),
        ("t.csv", "a,b,c\nd,e,f\n", ", line 1", "3 columns and no header"),
        ("t.csv", "", "", "no lines"),
        ("t.csv", "\n\n", "", "no lines"),
        ("t.csv", "# only\n% comments\n", "", "no lines"),
        ("t.csv", "\ufeff", "", "no lines"),
        ("t.csv", "source,target\n", ", line 1", "no lines of data"),
        ("t.csv", b"a,b\n\nb,\xff\n", ", line 3", "UTF-8"),
        ("t.csv", b"\xffa,b\nb,c\n", ", line 1", "UTF-8"),
        ("t.csv", "a,b\n\nb,\n", ", line 3", "empty"),
        ("t.csv", "a,b\n  ,c\n", ", line 2", "empty"),
        ("t.csv", "a,b\nb,c\n\n c,d\n", ", line 4", "'c' (line 2) and ' c' (line 4)"),
        ("t.csv", "1,2\n2, 1\n", ", line 2", "'1' (line 1) and ' 1' (line 2)"),
        ("t.txt", "a b\nb c d\n", ", line 2", "3 columns"),
        ("t.txt", "a b\n\n  \nb\n", ", line 4", "1 columns"),
        ("t.txt", "source target weight\na b 1\n a b\n", ", line 3", "2 columns"),
        ("t.csv", "source,target,weight\na,b,1\na,c,-1\n", ", line 3", "-1"),
        ("t.csv", "source,target,weight\na,b,0\n", ", line 2", "0"),
        ("t.csv", "source,target,weight\na,b,1\n\na,c,nan\n", ", line 4", "nan"),
        ("t.csv", "source,target,weight\na,b,inf\n", ", line 2", "inf"),
        ("t.csv", "source,target,weight\na,b,1\na,c,heavy\n", ", line 3", "'heavy' in column 'weight'"),
        ("t.csv", "source,target,weight\na,b,\n", ", line 2", "'' in column 'weight'"),
    ],
)
def test_bad_edges(tmp_path: Path, *, name: str, text: str | bytes, place: str, message: str, compress: bool) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    path = write(tmp_path, gzip.compress(data) if compress else data, name + ".gz" * compress)
    with pytest.raises(GraphFormatError) as caught:
        read_edges(path)
    check(caught.value, path, place, message)


@pytest.mark.parametrize(
    ("text", "options", "place", "message", "hint"),
    [
        ("source,target\n1,2\n", {"header": False}, ", line 1", "looks like a header", "header"),
        ("x,y\n1,2\n3,4\n", {"header": False}, ", line 1", "looks like a header", "header"),
        ("x,y\n", {"header": True}, ", line 1", "no lines of data", "header"),
        ("u,v\na,b\n", {"weight": "w"}, ", line 1", "no column 'w'", "u, v"),
        ("u,v\na,b\n", {"source": "w"}, ", line 1", "no column 'w'", "u, v"),
        ("a,b,1\n", {"weight": "4"}, ", line 1", "no column '4'", "header"),
        ("a,b,1\n", {"weight": "w"}, ", line 1", "no column 'w'", "header"),
        ("a,b\n", {"source": "2", "target": "2"}, ", line 1", "same column", "two"),
        ("u,v,t\na,b,5\na,b,soon\n", {"time": "t"}, ", line 3", "'soon' in column 't'", "2024"),
        ("u,v,t\na,b,5\n\na,b,\n", {"time": "t"}, ", line 4", "'' in column 't'", "2024"),
        ("u,v,t\na,b,nan\n", {"time": "t"}, ", line 2", "'nan' in column 't'", "2024"),
        ("u,v,t\na,b,2024-13-01\n", {"time": "t"}, ", line 2", "'2024-13-01'", "2024"),
        ("u,v,t\na,b,5\na,b,2024-01-01\n", {"time": "t"}, "", "mixes", "one way"),
    ],
)
def test_bad_options(
    tmp_path: Path, *, text: str, options: dict[str, object], place: str, message: str, hint: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(GraphFormatError) as caught:
        read_edges(path, **options)  # type: ignore[arg-type]
    check(caught.value, path, place, message)
    assert hint in caught.value.hint


def test_the_hint_of_too_many_columns_works(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b,2\n")
    with pytest.raises(GraphFormatError) as caught:
        read_edges(path)
    assert 'source="1", target="2", weight="3"' in caught.value.hint
    assert read_edges(path, source="1", target="2", weight="3").lines == 1


def test_a_far_line_is_found(tmp_path: Path) -> None:
    lines = [f"{i},{i + 1}" for i in range(200_000)]
    lines[123_456] = "1,2,3"
    with pytest.raises(GraphFormatError) as caught:
        read_edges(write(tmp_path, "\n".join(lines)))
    assert caught.value.where.endswith(", line 123457")


@pytest.mark.parametrize("keep", [0.5, 0.999])
def test_truncated_gzip(tmp_path: Path, keep: float) -> None:
    data = gzip.compress("".join(f"{i},{i * i}\n" for i in range(50_000)).encode())
    path = write(tmp_path, data[: int(len(data) * keep)], "t.csv.gz")
    with pytest.raises(GraphFormatError) as caught:
        read_edges(path)
    check(caught.value, path, "", "cut off")


@pytest.mark.parametrize("name", ["t.csv.gz", "t.txt.gz"])
def test_no_gzip(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, "a b\nb c\n", name)
    with pytest.raises(GraphFormatError) as caught:
        read_edges(path)
    check(caught.value, path, "", "no gzip file")


def test_truncated_gzip_of_blanks(tmp_path: Path) -> None:
    data = gzip.compress("".join(f"{i} {i * i}\n" for i in range(50_000)).encode())
    path = write(tmp_path, data[: len(data) // 2], "t.txt.gz")
    with pytest.raises(GraphFormatError) as caught:
        read_edges(path)
    check(caught.value, path, "", "cut off")


def test_no_parquet(tmp_path: Path) -> None:
    good = tmp_path / "good.parquet"
    pyarrow.parquet.write_table(pa.table({"u": list(range(5000)), "v": list(range(5000))}), good)
    data = good.read_bytes()
    for content in (b"source,target\n", b"", data[: len(data) // 2], data[:200] + bytes(len(data) - 400) + data[-200:]):
        path = write(tmp_path, content, "t.parquet")
        with pytest.raises(GraphFormatError) as caught:
            read_edges(path)
        check(caught.value, path, "", "no Parquet file")


@pytest.mark.parametrize(
    ("columns", "place", "message"),
    [
        ({"u": ["a", None], "v": ["b", "c"]}, ", row 2", "empty"),
        ({"u": [0.5], "v": [1.5]}, "", "'u' holds double"),
        ({"u": ["a"], "v": ["b"], "weight": ["x"]}, "", "'weight' holds string"),
        ({"u": ["a", "b"], "v": ["b", "a"], "weight": [1.0, None]}, ", row 2", "None"),
        ({"u": pa.array([], pa.string()), "v": pa.array([], pa.string())}, "", "no rows"),
        ({"u": ["a"]}, "", "one column"),
    ],
)
def test_bad_parquet(tmp_path: Path, columns: dict[str, object], place: str, message: str) -> None:
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pa.table(columns), path)
    with pytest.raises(GraphFormatError) as caught:
        read_edges(path)
    check(caught.value, path, place, message)


def test_unknown_ending_and_missing_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b\n", "t.xlsx")
    with pytest.raises(GraphFormatError, match=r"\.xlsx") as caught:
        read_edges(path)
    assert ".csv" in caught.value.hint
    for missing in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(MissingFileError) as absent:
            read_edges(missing)
        assert absent.value.where == str(missing)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("id,x\na,1\nb,nan\n", ", line 3", "'x' is nan"),
        ("id,x,y\na,1,2\n\nb,1,inf\n", ", line 4", "'y' is inf"),
        ("id,x\na,1\nb,text\n", ", line 3", "'text' in column 'x'"),
        ("id,x\na,1\nb,\n", ", line 3", "'' in column 'x'"),
        ("id,x\na,1\nb,2\na,3\n", ", line 4", "'a' has two rows of features (the first is line 2)"),
        ("id,x\na,1\n", "", "1 of 2 nodes have no features: 'b'"),
        (
            "id,x\na,1\nb,2\nc,3\nd,4\n",
            ", line 4",
            "2 rows belong to nodes that the graph does not have: 'c' (line 4), 'd'",
        ),
        ("id,x\na,1\nb,2,3\n", ", line 3", "3 columns"),
        ("a\nb\n", ", line 1", "one column"),
        ("id,x\na,1\n,2\n", ", line 3", "empty"),
        (b"id,x\na,1\n\xff,2\n", ", line 3", "UTF-8"),
        ("", "", "no lines"),
    ],
)
def test_bad_features(tmp_path: Path, text: str | bytes, place: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(GraphFormatError) as caught:
        read_features(path, AB)
    check(caught.value, path, place, message)


def test_two_nodes_without_features_may_be_a_header(tmp_path: Path) -> None:
    described = write(tmp_path, "id,x\na,1\nb,2\n")
    with pytest.raises(GraphFormatError, match=r"no features: 'from', 'to'.*set header to True \(--header\)"):
        read_features(described, NodeIds.from_labels(["from", "to", "a", "b"]))
    with pytest.raises(GraphFormatError, match=r"Add a row for each of them\.$"):
        read_features(described, NodeIds.from_labels(["from", "to", "via", "a", "b"]))


@pytest.mark.parametrize("unknown", ["add", "drop"])
def test_features_must_not_be_missing_whatever_is_unknown(tmp_path: Path, unknown: str) -> None:
    with pytest.raises(GraphFormatError, match=r"1 of .* nodes have no features: 'b'"):
        read_features(write(tmp_path, "id,x\na,1\nc,2\n"), AB, unknown=unknown)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "place", "message"),
    [
        ([[1.0, 2.0], [3.0]], ", row 2", "has 1 values"),
        ([[], []], ", row 1", "no features"),
        ([[1.0], [float("nan")]], ", row 2", "nan"),
        ([[1.0], None], ", row 2", "has 0 values"),
        ([["x"], ["y"]], "", "numbers"),
    ],
)
def test_bad_lists_of_features(tmp_path: Path, values: list[object], place: str, message: str) -> None:
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pa.table({"id": ["a", "b"], "x": values}), path)
    with pytest.raises(GraphFormatError) as caught:
        read_features(path, AB)
    check(caught.value, path, place, message)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a,b\n\na,x\n", ", line 3", "no node 'x' (line 3); 1 pair names"),
        ("x,y\nz,w\nw,a\n", ", line 1", "'x' (line 1), 'y' (line 1), 'z' (line 2), …; 3 pairs name"),
        ("a,b\na\n", ", line 2", "1 columns"),
    ],
)
def test_bad_pairs(tmp_path: Path, text: str, place: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(GraphFormatError) as caught:
        read_pairs(path, AB)
    check(caught.value, path, place, message)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_nothing_is_half_written(tmp_path: Path, ending: str) -> None:
    """A file size limit makes the write fail halfway, as a full disk does."""
    path = write(tmp_path, b"before", f"links.{ending}")
    columns = {"source": np.arange(200_000), "score": np.random.default_rng(0).random(200_000)}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(OutputError) as caught:
            write_links(path, columns)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.where == str(path)
    assert path.read_bytes() == b"before"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_writer_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(table: pa.Table, where: Path) -> None:
        Path(where).write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.write_table", full)
    with pytest.raises(OutputError, match="No space left"):
        write_links(tmp_path / "links.parquet", {"source": [1]})
    assert list(tmp_path.iterdir()) == []


def test_bad_destinations(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as caught:
        write_links(tmp_path / "absent" / "links.csv", {"source": [1]})
    assert caught.value.where == str(tmp_path / "absent" / "links.csv")
    with pytest.raises(OutputError, match=r"\.xlsx"):
        write_links(tmp_path / "links.xlsx", {"source": [1]})


@pytest.mark.parametrize(
    ("name", "text", "place", "message", "hint"),
    [
        ("t.csv", "a,b\nb,c\n\n  \nc,d\n", ", line 4", "Line 4 is blank", "Remove"),
        ("t.csv", "  \na,b\n", ", line 1", "Line 1 is blank", "Remove"),
        ("t.csv", "a,b\n# half\nc,d\n", ", line 2", "looks like a comment: '# half'", "top of a file only"),
        ("t.csv", "a,b\n".encode("utf-16"), "", "UTF-16", "iconv"),
        ("t.txt", b"\xfe\xff" + "a b\n".encode("utf-16-be"), "", "UTF-16", "iconv"),
        ("t.csv", "a;b\tc\n", ", line 1", "no commas in line 1, but semicolons and tabs", "--delimiter ';'"),
        ("t.csv", "a;b;w\na;b;1,5\n", ", line 1", "but semicolons", "--delimiter ';'"),
        ("t.csv", "a\tb\nc\n", ", line 1", "but tabs", r"--delimiter '\t'"),
        ("t.tsv", "a,b\nc,d,e\n", ", line 1", "no tabs in line 1, but commas", "--delimiter ','"),
        ("t.csv", "a,b\nb,c\0d\n", ", line 2", "NUL", "Remove"),
    ],
)
def test_hints_that_fit(tmp_path: Path, *, name: str, text: str | bytes, place: str, message: str, hint: str) -> None:
    path = write(tmp_path, text, name)
    with pytest.raises(GraphFormatError) as caught:
        read_edges(path)
    check(caught.value, path, place, message)
    assert hint in caught.value.hint


@pytest.mark.parametrize("delimiter", ["", "||", "\n", '"', "§"])
def test_what_cannot_part_cells_is_a_wrong_setting(tmp_path: Path, delimiter: str) -> None:
    with pytest.raises(SettingsError, match="cannot stand between cells"):
        read_edges(write(tmp_path, "a,b\n"), delimiter=delimiter)


@pytest.mark.parametrize(("text", "delimiter"), [("a;b\nb;c\n", None), ("a\tb\nb\tc\n", r"\t"), ("a|b\nb|c\n", "|")])
def test_other_delimiters(tmp_path: Path, text: str, delimiter: str | None) -> None:
    assert list(read_edges(write(tmp_path, text), delimiter=delimiter).node_ids) == ["a", "b", "c"]
