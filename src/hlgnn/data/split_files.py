"""A split as a folder of tables, with the ids of its nodes, for other tools and for later.

``split.json`` names the protocol. ``nodes``, ``graph``, ``test_graph``, ``train``, and for each of ``valid`` and
``test`` a table of links and one of negatives are Parquet. Own negatives stand row after row, as many for each.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.data.split import LinkSet, Split
from hlgnn.errors import SplitError
from hlgnn.graph import Graph, NodeIds

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torch import Tensor

FORMAT = 1


def save_split(split: Split, folder: Path) -> None:
    """Write ``split`` into ``folder``; features are not part of it. ``split.json`` comes last, so it marks the end."""
    make_folder(folder)
    (folder / "split.json").unlink(missing_ok=True)
    ids = split.graph.node_ids
    _write(folder, "nodes", {"id": ids.to_arrow()})
    _write(folder, "graph", _columns(split.graph.links, ids, weight=split.graph.link_weight))
    _write(folder, "test_graph", _columns(split.test_graph.links, ids, weight=split.test_graph.link_weight))
    _write(folder, "train", _columns(split.train, ids, margin=split.margin))
    for name, links in [("valid", split.valid), ("test", split.test)]:
        _write(folder, name, _columns(links.positive, ids))
        _write(folder, f"{name}_negative", _columns(links.negative.reshape(-1, 2), ids))
    own = {"valid": _own(split.valid), "test": _own(split.test)}
    about = {"format": FORMAT, "protocol": split.protocol, "seed": split.seed, "own_negatives": own}
    with atomic_path(folder / "split.json") as path:
        path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def load_split(folder: Path) -> Split:
    """Read what ``save_split`` wrote."""
    about = _about(folder)
    ids = NodeIds.from_labels(_read(folder, "nodes").column("id").combine_chunks())
    own: dict[str, int] = about["own_negatives"]
    train = _read(folder, "train")
    return Split(
        protocol=about["protocol"],
        seed=about["seed"],
        graph=_graph(folder, "graph", ids),
        test_graph=_graph(folder, "test_graph", ids),
        train=_pairs(train, ids),
        margin=torch.tensor(train.column("margin").to_numpy()),
        valid=_link_set(folder, "valid", ids, own["valid"]),
        test=_link_set(folder, "test", ids, own["test"]),
    )


def _about(folder: Path) -> dict[str, Any]:
    path = folder / "split.json"
    try:
        about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SplitError("It is not readable as the description of a split.", where=str(path)) from error
    if about.get("format") != FORMAT or not {"protocol", "seed", "own_negatives"} <= about.keys():
        raise SplitError(
            f"It is not a split of format {FORMAT}.", where=str(path), hint="Save the split again with this version."
        )
    return about


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


def _read(folder: Path, name: str) -> pa.Table:
    path = folder / f"{name}.parquet"
    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise SplitError("It is missing or damaged.", where=str(path), hint="Save the split again.") from error


def _pairs(table: pa.Table, ids: NodeIds) -> Tensor:
    ends = [torch.from_numpy(ids.index(table.column(name).combine_chunks())) for name in ("source", "target")]
    return torch.stack(ends, dim=1)


def _graph(folder: Path, name: str, ids: NodeIds) -> Graph:
    table = _read(folder, name)
    weight = torch.tensor(table.column("weight").to_numpy()) if "weight" in table.column_names else None
    return Graph.from_edges(len(ids), _pairs(table, ids), weight=weight, node_ids=ids)


def _link_set(folder: Path, name: str, ids: NodeIds, own: int) -> LinkSet:
    positive, negative = (_pairs(_read(folder, table), ids) for table in (name, f"{name}_negative"))
    return LinkSet(positive, negative.view(len(positive), own, 2) if own else negative)
