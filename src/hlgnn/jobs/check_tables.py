"""Read a person's tables and say what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Unpack

from hlgnn.data import read_own
from hlgnn.graph import read_pairs
from hlgnn.jobs.graph_summary import GraphSummary, summarize

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data import EdgeOptions


@dataclass(frozen=True)
class CheckedTables:
    """A graph of one's own, and what a careful reader would mention.

    Attributes:
        graph: Its size and shape.
        notes: What was dropped, ignored or turned, as sentences.
    """

    graph: GraphSummary
    notes: tuple[str, ...]


def check_tables(
    edges: Path,
    *,
    features: Path | None = None,
    pairs: Path | None = None,
    unknown: Literal["error", "add", "drop"] = "error",
    id_column: str | None = None,
    **options: Unpack[EdgeOptions],
) -> CheckedTables:
    """Read edges, features and pairs; anything wrong raises an error that names the line."""
    own = read_own(edges, features=features, unknown=unknown, id_column=id_column, **options)
    notes = list(own.notes)
    if pairs is not None:
        listed = read_pairs(pairs, own.dataset.graph.node_ids)
        notes.append(f"All {len(listed)} pairs name known nodes.")
    return CheckedTables(summarize(own.dataset.graph), tuple(notes))
