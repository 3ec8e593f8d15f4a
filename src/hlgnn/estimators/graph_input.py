"""A graph of any library as the tables that training reads.

Whatever a graph comes as, it goes through the same files and the same reader as on the command line. So the nodes are
in ascending order of their ids, and equal graphs give equal results. A node without links is written as an edge to
itself, which the reader drops, and keeps the node.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from scipy.sparse import issparse

from hlgnn.catalog import DATASETS
from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.estimators.feature_input import write_features
from hlgnn.estimators.id_arrays import comes_from, id_table
from hlgnn.graph import Graph, from_networkx, from_pyg, from_scipy
from hlgnn.graph.columns import Wanted
from hlgnn.graph.labels import as_labels

if TYPE_CHECKING:
    from collections.abc import Mapping

EDGES = "graph.parquet"


@dataclass(frozen=True)
class GraphInput:
    """What is handed to the reader of own graphs.

    Attributes:
        name: The path of a table of edges, or a data set by name.
        columns: The table of features, and the names of columns.
        loops: Whether edges of nodes to themselves were added, which the reader will speak of.
    """

    name: str
    columns: dict[str, str] = field(default_factory=dict)
    loops: bool = False


def write_input(
    graph: Any,
    folder: Path,
    *,
    labels: Any = None,
    features: Any = None,
    nodes: Any = None,
    columns: Mapping[str, str] | None = None,
) -> GraphInput:
    """Write the tables of a graph into a folder.

    Args:
        graph: A path, the name of a data set, a graph of any library, a frame of edges, or pairs of ids.
        folder: Where to.
        labels: 1 for each pair that is a link and 0 for one that is none, if ``graph`` is pairs.  (P,)
        features: A path, a frame with a column of ids, or rows in the order of ``nodes`` or of the nodes of the graph.
        nodes: The ids of further nodes.
        columns: The names of the columns ``source``, ``target``, ``weight`` and ``time`` of a table or frame.

    Raises:
        SettingsError: If nothing is known about such a graph.
        GraphFormatError: If it is wrong.
    """
    if isinstance(graph, str | Path):
        if labels is not None or nodes is not None:
            raise SettingsError("Labels and nodes belong to pairs of ids.", where="fit", hint="Read the table first.")
        return _of_path(
            Path(graph) if str(graph) not in DATASETS else str(graph), folder, features, dict(columns or {})
        )
    known, attribute = _known_graph(graph, features)
    if known is not None:
        table, order = _table_of(known), known.node_ids.to_arrow()
        features = known.features if features is None or attribute else features
    else:
        table, order = id_table(graph, _wanted(columns), where="graph"), None
    everyone = table
    if labels is not None:
        table = table.filter(pa.array(check_labels(labels, len(table)) == 1))
    if len(table) == 0:
        raise GraphFormatError("There are no links to learn from.", where="graph", hint="Give at least some tens.")
    extra = _missing(table, [everyone["source"], everyone["target"], *_given(order), *_given(nodes)])
    pq.write_table(_with_loops(table, extra), folder / EDGES)
    found = {name: name for name in ("time",) if name in table.column_names}
    if features is not None:
        rows = _given(nodes) or _given(order) or [_ascending(everyone)]
        found["features"] = write_features(features, rows[0], folder)
    return GraphInput(str(folder / EDGES), found, loops=len(extra) > 0)


def check_labels(labels: Any, count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Labels 0 and 1, one for each pair.  (P,)

    Raises:
        SettingsError: If they are anything else.
    """
    values = np.asarray(labels)
    if values.shape != (count,):
        raise SettingsError(f"There are {count} pairs, but labels of the shape {values.shape}.", where="y")
    if values.dtype.kind not in "biuf" or not np.isin(values, (0, 1)).all():
        hint = "Give 1 for a link and 0 for a pair that is none."
        raise SettingsError("Labels are 0 and 1 only.", where="y", hint=hint)
    return values.astype(np.int64)


def _of_path(name: str | Path, folder: Path, features: Any, columns: dict[str, str]) -> GraphInput:
    """A copy of the table, so that nothing depends on a file that may change; a data set by its name."""
    if isinstance(name, Path) and name.is_file():
        name = Path(shutil.copyfile(name, folder / name.name))
    if isinstance(features, str | Path):
        path = Path(features)
        columns["features"] = str(shutil.copyfile(path, folder / f"nodes-{path.name}") if path.is_file() else path)
    elif features is not None:
        columns["features"] = write_features(features, None, folder)
    return GraphInput(str(name), columns)


def _known_graph(graph: Any, features: Any) -> tuple[Graph | None, bool]:
    """The graph if it is one of a library that we know, and whether ``features`` has been read with it."""
    if isinstance(graph, Graph):
        return graph, False
    if comes_from(graph, "networkx"):
        attribute = isinstance(features, str)
        return from_networkx(graph, features=features if attribute else None), attribute
    if issparse(graph):
        return from_scipy(graph), False
    if comes_from(graph, "torch_geometric"):
        return from_pyg(graph), False
    return None, False


def _table_of(graph: Graph) -> pa.Table:
    ids, links = graph.node_ids.to_arrow(), graph.links.numpy()
    columns = {name: ids.take(pa.array(links[:, end])) for end, name in enumerate(("source", "target"))}
    if graph.link_weight is not None:
        columns["weight"] = pa.array(graph.link_weight.numpy())
    return pa.table(columns)


def _wanted(columns: Mapping[str, str] | None) -> Wanted:
    unknown = sorted(set(columns or ()) - {"source", "target", "weight", "time"})
    if unknown:
        hint = "There are source, target, weight and time."
        raise SettingsError(f"There is no role {unknown[0]!r} for a column.", where="columns", hint=hint)
    return Wanted(**(columns or {}))


def _given(ids: Any) -> list[pa.Array]:
    """A list of ids as a list of one column, or of none."""
    if ids is None:
        return []
    return [as_labels(ids if isinstance(ids, pa.Array | np.ndarray) else list(ids))]


def _missing(table: pa.Table, columns: list[Any]) -> pa.Array:
    """The ids in ``columns`` that no row of the table names."""
    named, every = (_as_one(each) for each in ([table["source"], table["target"]], columns))
    if named.type != every.type:
        named, every = named.cast(pa.large_string()), every.cast(pa.large_string())
    every = pc.unique(every)
    return every.filter(pc.invert(pc.is_in(every, value_set=named)))


def _as_one(columns: list[Any]) -> pa.Array:
    """One column after the other; all as text if one is."""
    arrays = [each.combine_chunks() if isinstance(each, pa.ChunkedArray) else each for each in columns]
    kind = pa.int64() if all(pa.types.is_integer(each.type) for each in arrays) else pa.large_string()
    return pa.concat_arrays([each.cast(kind) for each in arrays])


def _ascending(table: pa.Table) -> pa.Array:
    ids = pc.unique(_as_one([table["source"], table["target"]]))
    return ids.take(pc.array_sort_indices(ids))


def _with_loops(table: pa.Table, ids: pa.Array) -> pa.Table:
    if len(ids) == 0:
        return table
    columns = {name: _as_one([table[name], ids]) for name in ("source", "target")}
    if "weight" in table.column_names:
        columns["weight"] = _repeated(table["weight"].combine_chunks(), pa.scalar(1.0), len(ids))
    if "time" in table.column_names:
        columns["time"] = _repeated(table["time"].combine_chunks(), table["time"][0], len(ids))
    return pa.table(columns)


def _repeated(column: pa.Array, value: pa.Scalar, count: int) -> pa.Array:
    """A column with a value at its end, several times."""
    return pa.concat_arrays([column, pa.repeat(value.cast(column.type), count)])
