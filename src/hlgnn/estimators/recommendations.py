"""The best missing links as a frame, and what is left out of them."""

from __future__ import annotations

import importlib.util
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from hlgnn.errors import SettingsError
from hlgnn.estimators.id_arrays import id_table
from hlgnn.graph.border import require
from hlgnn.jobs.predict_run import Filters, best_links, links_of_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hlgnn.jobs.predict_run import Opened, RunLinks
    from hlgnn.progress import Progress


def recommend(
    opened: Opened,
    count: int,
    nodes: Sequence[str | int] | None,
    filters: Filters,
    *,
    approximate: bool | None,
    progress: Progress,
) -> RunLinks:
    """The best pairs of the graph, or of each of some nodes."""
    if count < 1:
        raise SettingsError(f"{count} links cannot be ranked.", where="k", hint="Ask for at least one.")
    if nodes is not None:
        return links_of_nodes(opened, list(nodes), count, filters=filters, progress=progress)  # type: ignore[arg-type]
    return best_links(opened, count, filters=filters, approximate=approximate, progress=progress)


@contextmanager
def filters_of(
    *,
    bipartite: bool | None,
    kinds: Mapping[Any, str] | str | Path | None,
    between: tuple[str, str] | None,
    exclude: Any,
    minimum: float | None,
) -> Iterator[Filters]:
    """The filters of ``hlgnn predict`` from values of Python, which are written to tables for as long as it takes."""
    with TemporaryDirectory(prefix="hlgnn-") as name:
        folder = Path(name)
        yield Filters(
            bipartite=bipartite,
            kinds=None if kinds is None else _kinds(kinds, folder / "kinds.parquet"),
            between=between,
            exclude=None if exclude is None else _pairs(exclude, folder / "exclude.parquet"),
            minimum=minimum,
        )


def frame_of(found: RunLinks) -> Any:
    """source, target, score and probability: a pandas frame, or a list of dictionaries where pandas is not there."""
    rows = found.rows()
    if importlib.util.find_spec("pandas") is None:
        return rows
    frame = require("pandas").DataFrame(rows, columns=["source", "target", "score", "probability"])
    frame.attrs["notes"] = list(found.notes)
    return frame


def _kinds(kinds: Mapping[Any, str] | str | Path, path: Path) -> Path:
    if isinstance(kinds, str | Path):
        return Path(kinds)
    pq.write_table(pa.table({"id": list(kinds), "kind": [str(kind) for kind in kinds.values()]}), path)
    return path


def _pairs(pairs: Any, path: Path) -> Path | None:
    if isinstance(pairs, str | Path):
        return Path(pairs)
    table = id_table(pairs, where="exclude")
    if len(table) == 0:
        return None
    pq.write_table(table, path)
    return path
