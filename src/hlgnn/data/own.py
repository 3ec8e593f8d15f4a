"""The user's own tables as a data set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import numpy as np
import torch

from hlgnn.data.dataset import Dataset
from hlgnn.data.link_times import earliest_times
from hlgnn.graph import Graph
from hlgnn.graph.tables import read_edges, read_features
from hlgnn.progress import silent

if TYPE_CHECKING:
    import os

    from torch import Tensor

    from hlgnn.graph.tables import EdgeTable
    from hlgnn.progress import Progress

FEW_LINKS = 2_000  # below, a tenth for testing is too few for the best 100 to say much


class EdgeOptions(TypedDict, total=False):
    """How a table of edges is read.

    Attributes:
        source: The column of the first node; by default one with a common name, else the first.
        target: The column of the second node, likewise.
        weight: The column of weights; by default the one named "weight", if there is one.
        time: The column of times; by default none.
        header: Whether the first line names the columns; by default it does if it looks so.
        delimiter: What stands between cells; by default what the ending of the name tells.
        strip_ids: Whether to ignore white space around ids.
    """

    source: str | None
    target: str | None
    weight: str | None
    time: str | None
    header: bool | None
    delimiter: str | None
    strip_ids: bool


@dataclass(frozen=True, eq=False)
class OwnTables:
    """A data set of one's own, and what a careful reader would mention.

    Attributes:
        dataset: What the tables hold.
        notes: What was dropped, merged or ignored, as sentences.
    """

    dataset: Dataset
    notes: tuple[str, ...]


def load_own(
    edges: str | os.PathLike[str],
    *,
    features: str | os.PathLike[str] | None = None,
    name: str | None = None,
    id_column: str | None = None,
    unknown: Literal["error", "add", "drop"] = "error",
    progress: Progress = silent,
    **options: Unpack[EdgeOptions],
) -> Dataset:
    """The data set in a table of edges and, if there is one, a table of features; arguments are those of ``read_own``.

    Raises:
        MissingFileError: If there is no such file.
        GraphFormatError: If anything in a file is wrong; the message names the line.
    """
    own = read_own(
        edges, features=features, name=name, id_column=id_column, unknown=unknown, progress=progress, **options
    )
    return own.dataset


def read_own(
    edges: str | os.PathLike[str],
    *,
    features: str | os.PathLike[str] | None = None,
    name: str | None = None,
    id_column: str | None = None,
    unknown: Literal["error", "add", "drop"] = "error",
    progress: Progress = silent,
    **options: Unpack[EdgeOptions],
) -> OwnTables:
    """Read a table of edges and, if there is one, a table of features, and say what was not taken over.

    Args:
        edges: A file with an edge on each line: CSV, TSV, white space or Parquet.
        features: A file with a node on each line: a column of ids and columns of numbers.
        name: What to call the data set; by default as the file is called.
        id_column: The column of ids in ``features``; by default one with a common name, else the first.
        unknown: What to do with features of nodes without links: refuse them, add the nodes, or drop the rows.
        progress: Called when a table has been read.
        options: How ``edges`` is read, see ``EdgeOptions``.

    Raises:
        MissingFileError: If there is no such file.
        GraphFormatError: If anything in a file is wrong; the message names the line.
    """
    edges = Path(edges)
    features = None if features is None else Path(features)
    steps = 1 if features is None else 2
    progress(f"Reading {edges.name}", 0, steps)
    table = read_edges(edges, **options)
    node_ids, values = table.node_ids, None
    names: tuple[str, ...] = ()
    if features is not None:
        progress(f"Reading {features.name}", 1, steps)
        described = read_features(features, node_ids, id_column=id_column, unknown=unknown)
        node_ids, values = described.node_ids, torch.from_numpy(described.values)  # (N, F)
        names = described.names
    source, target = torch.from_numpy(table.source), torch.from_numpy(table.target)  # (E,)
    graph = Graph.from_ends(
        len(node_ids),
        source,
        target,
        weight=None if table.weight is None else torch.tensor(table.weight),
        features=values,
        node_ids=node_ids,
    )
    progress(f"Reading {edges.name}", steps, steps)
    notes = (*_reading_notes(table, header=options.get("header")), *_notes(table, graph))
    dataset = Dataset(
        name or table_name(edges),
        graph,
        "auc" if graph.num_links < FEW_LINKS else "hits@100",
        time=None if table.time is None else _link_times(graph, source, target, torch.tensor(table.time)),
        feature_names=names,
        notes=notes,
    )
    return OwnTables(dataset, notes)


def table_name(path: Path) -> str:
    """The name of a table without the ending that tells its format.

    Example:
        >>> table_name(Path("my.graph.v2.csv.gz"))
        'my.graph.v2'
    """
    return Path(path.stem).stem if path.suffix.lower() == ".gz" else path.stem


def _link_times(graph: Graph, source: Tensor, target: Tensor, time: Tensor) -> Tensor:
    return earliest_times(graph, torch.stack([source, target], dim=1), time)


def _reading_notes(table: EdgeTable, *, header: bool | None) -> list[str]:
    """How the lines of the table were taken, where a reader may have meant something else."""
    notes = []
    if table.skipped_lines:
        first = f"(the first is {table.first_skipped!r})"
        notes.append(f"Lines at the top were skipped as comments: {table.skipped_lines} {first}.")
    if table.unexpected_delimiter is not None:
        word = {",": "commas", "\t": "tabs", ";": "semicolons"}[table.unexpected_delimiter]
        notes.append(f"Cells are parted by {word}, which is not what the ending of the name tells.")
    if header is None and not table.has_header and _may_be_header(table):
        one, other = (table.node_ids[int(column[0])] for column in (table.source, table.target))
        notes.append(
            f"No header was recognised: the first line is the edge {one} – {other}; "
            "if it is a header, say so (--header)."
        )
    return notes


def _may_be_header(table: EdgeTable) -> bool:
    """Whether both ids of the first line are text and occur nowhere else."""
    if table.lines < 2 or not table.node_ids.are_text or table.source[0] == table.target[0]:
        return False
    counts = [
        np.count_nonzero(column == code)
        for code in (table.source[0], table.target[0])
        for column in (table.source, table.target)
    ]
    return sum(counts) == 2


def _notes(table: EdgeTable, graph: Graph) -> tuple[str, ...]:
    self_loops = int((table.source == table.target).sum())
    repeats = table.lines - self_loops - graph.num_links
    without_links = graph.num_nodes - len(table.node_ids)
    notes = {
        f"Edges from a node to itself were dropped: {self_loops}.": self_loops,
        f"Edges that repeat a link, in either direction, were merged: {repeats}.": repeats,
        f"Nodes without links were added from the features: {without_links}.": without_links,
        f"Columns that were not used: {', '.join(table.unused_columns)}.": len(table.unused_columns),
    }
    return tuple(note for note, count in notes.items() if count)
