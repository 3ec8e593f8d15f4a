"""A split as a folder of tables, with the ids of its nodes, for other tools and for later.

``split.json`` names the protocol, and the data set and its metric if they are known. ``nodes``, ``graph``,
``test_graph``, ``train``, and for each of ``valid`` and ``test`` a table of links and one of negatives are Parquet. Own
negatives stand row after row, as many for each.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.data.split import LinkSet, Split
from hlgnn.errors import GraphFormatError, OutputError, SplitError
from hlgnn.graph import Graph, NodeIds

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from torch import Tensor

FORMAT = 1
AGAIN = "Save the split again."
PARTS = ("valid", "test")


@dataclass(frozen=True)
class SplitOrigin:
    """What a folder says about the data set that its split was made from.

    Attributes:
        name: How the data set is called, if that was saved.
        metric: What it is reported in, if that was saved.
    """

    name: str | None = None
    metric: str | None = None


def save_split(
    split: Split, folder: str | os.PathLike[str], *, name: str | None = None, metric: str | None = None
) -> None:
    """Write ``split`` into ``folder``; features are not part of it. ``split.json`` comes last, so it marks the end.

    Args:
        split: What to write.
        folder: Where to; it is made if it is not there.
        name: How the data set is called, for those who read the folder later.
        metric: What the data set is reported in, likewise.

    Raises:
        OutputError: If it cannot be written.
    """
    folder = check_target(folder)
    make_folder(folder)
    (folder / "split.json").unlink(missing_ok=True)
    ids = split.graph.node_ids
    _write(folder, "nodes", {"id": ids.to_arrow()})
    _write(folder, "graph", _columns(split.graph.links, ids, weight=split.graph.link_weight))
    _write(folder, "test_graph", _columns(split.test_graph.links, ids, weight=split.test_graph.link_weight))
    _write(folder, "train", _columns(split.train, ids, margin=split.margin))
    for part, links in zip(PARTS, (split.valid, split.test), strict=True):
        _write(folder, part, _columns(links.positive, ids))
        _write(folder, f"{part}_negative", _columns(links.negative.reshape(-1, 2), ids))
    own = {"valid": _own(split.valid), "test": _own(split.test)}
    about = {"format": FORMAT, "protocol": split.protocol, "seed": split.seed, "own_negatives": own}
    about |= {key: value for key, value in [("name", name), ("metric", metric)] if value is not None}
    with atomic_path(folder / "split.json") as path:
        path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def check_target(folder: str | os.PathLike[str]) -> Path:
    """The folder, if a split can be written there.

    Raises:
        OutputError: If it is a file.
    """
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise OutputError("This is a file, but a split is a folder of tables.", where=str(path), hint="Name a folder.")
    return path


def load_split(folder: str | os.PathLike[str]) -> Split:
    """Read what ``save_split`` wrote.

    Raises:
        SplitError: If a part of it is missing or damaged; the message names the file.
    """
    folder = Path(folder)
    about = _about(folder)
    ids = _ids(folder)
    own: dict[str, int] = about["own_negatives"]
    train = _SavedTable.read(folder, "train")
    return Split(
        protocol=about["protocol"],
        seed=about["seed"],
        graph=_graph(folder, "graph", ids),
        test_graph=_graph(folder, "test_graph", ids),
        train=train.pairs(ids),
        margin=train.numbers("margin"),
        valid=_link_set(folder, "valid", ids, own["valid"]),
        test=_link_set(folder, "test", ids, own["test"]),
    )


def load_origin(folder: str | os.PathLike[str]) -> SplitOrigin:
    """What a folder says about the data set of its split.

    Raises:
        SplitError: If it is not the folder of a split.
    """
    about = _about(Path(folder))
    return SplitOrigin(about.get("name"), about.get("metric"))


def _about(folder: Path) -> dict[str, Any]:
    path = folder / "split.json"
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SplitError("It is not readable as the description of a split.", where=str(path), hint=AGAIN) from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        hint = "Save the split again with this version."
        raise SplitError(f"It is not a split of format {FORMAT}.", where=str(path), hint=hint)
    own = about.get("own_negatives")
    fitting = {
        "protocol": isinstance(about.get("protocol"), str),
        "seed": "seed" in about and (about["seed"] is None or _is_count(about["seed"], least=None)),
        "own_negatives": isinstance(own, dict) and all(_is_count(own.get(part)) for part in PARTS),
        "name": isinstance(about.get("name"), str | None),
        "metric": isinstance(about.get("metric"), str | None),
    }
    wrong = [key for key, fits in fitting.items() if not fits]
    if wrong:
        raise SplitError(f"{wrong[0]!r} is missing or not what it should be.", where=str(path), hint=AGAIN)
    return about


def _is_count(value: object, *, least: int | None = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and (least is None or value >= least)


def _own(links: LinkSet) -> int:
    return links.negatives_per_ranking if links.own_negatives else 0


def _columns(pairs: Tensor, ids: NodeIds, **more: Tensor | None) -> dict[str, pa.Array]:
    labels = ids.to_arrow()
    named = {name: pa.array(values.numpy()) for name, values in more.items() if values is not None}
    ends = pairs.long().numpy()
    return {"source": labels.take(pa.array(ends[:, 0])), "target": labels.take(pa.array(ends[:, 1])), **named}


def _write(folder: Path, name: str, columns: Mapping[str, pa.Array]) -> None:
    with atomic_path(folder / f"{name}.parquet") as path:
        pq.write_table(pa.table(dict(columns)), path)


@dataclass(frozen=True)
class _SavedTable:
    """A table of a split, which names its file in every error."""

    path: Path
    table: pa.Table

    @classmethod
    def read(cls, folder: Path, name: str) -> _SavedTable:
        path = folder / f"{name}.parquet"
        try:
            return cls(path, pq.read_table(path))
        except (OSError, pa.ArrowException) as error:
            raise SplitError("It is missing or damaged.", where=str(path), hint=AGAIN) from error

    def column(self, name: str) -> pa.Array:
        """A column without gaps."""
        names = self.table.column_names
        if names.count(name) != 1:
            there = ", ".join(names) or "none"
            raise SplitError(f"It needs a column {name!r}; its columns are: {there}.", where=str(self.path), hint=AGAIN)
        values = self.table.column(name).combine_chunks()
        if values.null_count:
            raise SplitError(f"A value is missing in column {name!r}.", where=str(self.path), hint=AGAIN)
        return values

    def numbers(self, name: str) -> Tensor:
        """A column of numbers.  (R,)"""
        values = self.column(name)
        if not (pa.types.is_floating(values.type) or pa.types.is_integer(values.type)):
            what = f"Column {name!r} holds {values.type}, not numbers."
            raise SplitError(what, where=str(self.path), hint=AGAIN)
        return torch.tensor(values.to_numpy(zero_copy_only=False))

    def pairs(self, ids: NodeIds) -> Tensor:
        """The positions of both ends of each row.  (R, 2)"""
        with self.named():
            ends = [torch.from_numpy(ids.index(self.column(end))) for end in ("source", "target")]
        return torch.stack(ends, dim=1)

    @contextlib.contextmanager
    def named(self) -> Iterator[None]:
        """Turn what is wrong with nodes or weights into an error that names the file."""
        try:
            yield
        except GraphFormatError as error:
            where = f"{self.path}, {error.where}" if error.where else str(self.path)
            raise SplitError(error.what, where=where, hint=error.hint or AGAIN) from error


def _ids(folder: Path) -> NodeIds:
    table = _SavedTable.read(folder, "nodes")
    with table.named():
        return NodeIds.from_labels(table.column("id"))


def _graph(folder: Path, name: str, ids: NodeIds) -> Graph:
    table = _SavedTable.read(folder, name)
    weight = table.numbers("weight") if "weight" in table.table.column_names else None
    with table.named():
        return Graph.from_edges(len(ids), table.pairs(ids), weight=weight, node_ids=ids)


def _link_set(folder: Path, name: str, ids: NodeIds, own: int) -> LinkSet:
    positive = _SavedTable.read(folder, name).pairs(ids)
    negative = _SavedTable.read(folder, f"{name}_negative").pairs(ids)
    if own and len(negative) != own * len(positive):
        raise SplitError(
            f"{len(positive)} links with {own} negatives each need {own * len(positive)} rows, not {len(negative)}.",
            where=str(folder / f"{name}_negative.parquet"),
            hint=AGAIN,
        )
    return LinkSet(positive, negative.view(len(positive), own, 2) if own else negative)
