"""Frames of edges, of pandas and polars, into graphs and back.

A row states a link, in either direction. Frames of edges cannot hold isolated nodes: give all ids as ``nodes`` to have
them, and to choose the order of the nodes. Without ``nodes`` they are in ascending order of their ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import torch

from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.graph.border import assemble, check_weights, require
from hlgnn.graph.id_columns import ascending, find, read_ids, read_values, same_type
from hlgnn.graph.node_ids import NodeIds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pandas as pd
    import polars as pl
    from torch import Tensor

    from hlgnn.graph.graph import Graph

WEIGHT = "weight"


def from_pandas(
    frame: pd.DataFrame,
    *,
    source: str = "source",
    target: str = "target",
    weight: str | None = WEIGHT,
    nodes: Iterable[str] | Iterable[int] | None = None,
) -> Graph:
    """The graph of a pandas frame with one link in each row.

    Args:
        frame: The links; ids are text or integers.
        source: The column of the one end.
        target: The column of the other end.
        weight: The column of weights; the default one need not be there.
        nodes: The ids of all nodes, in the order that the graph will have.

    Raises:
        GraphFormatError: Naming the row, counted from zero, and the column that is wrong.

    Example:
        >>> import pandas
        >>> frame = pandas.DataFrame({"source": ["b", "a"], "target": ["c", "b"]})
        >>> from_pandas(frame).links.tolist(), from_pandas(frame, nodes="abcd").num_nodes
        ([[0, 1], [1, 2]], 4)
    """

    def read(name: str) -> Any:
        return pa.array(frame[name], from_pandas=True)

    return _from_columns(read, list(frame.columns), source=source, target=target, weight=weight, nodes=nodes)


def to_pandas(graph: Graph, *, source: str = "source", target: str = "target", weight: str = WEIGHT) -> pd.DataFrame:
    """The pandas frame with each link once, by ids, and its weight if there is one; isolated nodes are lost.

    Example:
        >>> from hlgnn.graph.toy_graphs import path
        >>> to_pandas(path(3)).to_dict("list")
        {'source': [0, 1], 'target': [1, 2]}
    """
    require("pandas")
    return _edge_table(graph, source, target, weight).to_pandas()  # type: ignore[no-any-return]


def from_polars(
    frame: pl.DataFrame,
    *,
    source: str = "source",
    target: str = "target",
    weight: str | None = WEIGHT,
    nodes: Iterable[str] | Iterable[int] | None = None,
) -> Graph:
    """The graph of a polars frame with one link in each row; the arguments are those of ``from_pandas``.

    Example:
        >>> import polars
        >>> from_polars(polars.DataFrame({"source": [1, 2], "target": [2, 7]})).node_ids[2]
        7
    """

    def read(name: str) -> Any:
        return frame[name].to_arrow()

    return _from_columns(read, list(frame.columns), source=source, target=target, weight=weight, nodes=nodes)


def to_polars(graph: Graph, *, source: str = "source", target: str = "target", weight: str = WEIGHT) -> pl.DataFrame:
    """The polars frame with each link once, by ids, and its weight if there is one; isolated nodes are lost.

    Example:
        >>> from hlgnn.graph.toy_graphs import path
        >>> to_polars(path(3)).rows()
        [(0, 1), (1, 2)]
    """
    return require("polars").from_arrow(_edge_table(graph, source, target, weight))  # type: ignore[no-any-return]


def _edge_table(graph: Graph, source: str, target: str, weight: str) -> pa.Table:
    ids, links = graph.node_ids.to_arrow(), graph.links.numpy()
    names, columns = [source, target], [ids.take(pa.array(links[:, 0])), ids.take(pa.array(links[:, 1]))]
    if graph.link_weight is not None:
        names.append(weight)
        columns.append(pa.array(graph.link_weight.numpy()))
    _check_names(names, names)
    return pa.table(columns, names=names)


def _from_columns(
    read: Callable[[str], Any],
    names: list[str],
    *,
    source: str,
    target: str,
    weight: str | None,
    nodes: Iterable[str] | Iterable[int] | None,
) -> Graph:
    """The graph of Arrow columns, which ``read`` gives by their names."""
    if weight == WEIGHT and weight not in names:
        weight = None
    _check_names([source, target] if weight is None else [source, target, weight], names)
    columns = [read_ids(read, source), read_ids(read, target)]
    if nodes is not None:
        columns.append(read_ids(lambda _: pa.array(list(nodes)), "nodes"))
    columns = same_type(columns)
    known = ascending(columns) if nodes is None else columns[2]
    ends = [find(columns[0], known, source), find(columns[1], known, target)]
    weights = None if weight is None else _weights(read, weight)
    return assemble(torch.from_numpy(np.stack(ends, axis=1)), weights, NodeIds.from_labels(known), directed=False)


def _weights(read: Callable[[str], Any], name: str) -> Tensor:
    values = read_values(read, name)
    if not (len(values) == 0 or pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
        raise GraphFormatError(f"Weights are numbers, not {values.type}.", where=f"column {name!r}")
    return check_weights(values.to_numpy(zero_copy_only=False), where=lambda row: f"row {row}, column {name!r}")


def _check_names(wanted: list[str], names: list[str]) -> None:
    if len(set(wanted)) < len(wanted):
        raise SettingsError(f"Each column needs a name of its own, not {', '.join(wanted)}.")
    for name in wanted:
        if names.count(name) != 1:
            count = "more than one column" if name in names else "no column"
            raise GraphFormatError(f"There is {count} called {name!r}.", hint=f"All: {', '.join(map(str, names))}.")
