"""``hlgnn predict``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.options import (
    Delimiter,
    Header,
    Memory,
    Offline,
    SelfLoops,
    SourceColumn,
    StripIds,
    TargetColumn,
    WeightColumn,
    memory_bytes,
)
from hlgnn.cli.terminal import Terminal

if TYPE_CHECKING:
    from hlgnn.jobs.predict_links import PredictedLinks


def predict(
    context: typer.Context,
    edges: Annotated[str, typer.Argument(help="A table of edges, or a data set.")],
    heuristic: Annotated[
        str, typer.Option(help="Such as aa, katz:gamma=0.01, or a file mine.toml; see 'hlgnn heuristics'.")
    ] = "ra",
    top: Annotated[int, typer.Option(help="How many links.")] = 20,
    node: Annotated[str | None, typer.Option(help="Only links of this node.")] = None,
    out: Annotated[Path | None, typer.Option(help="CSV, TSV or Parquet, by the name's ending.")] = None,
    self_loops: SelfLoops = True,
    memory: Memory = "2GB",
    source: SourceColumn = None,
    target: TargetColumn = None,
    weight: WeightColumn = None,
    header: Header = None,
    delimiter: Delimiter = None,
    strip_ids: StripIds = False,
    offline: Offline = False,
) -> None:
    """Rank the links that are missing: the exact best of all pairs, or those of one node.

    Examples:
      hlgnn predict friends.csv --heuristic aa --top 100 --out links.csv

      hlgnn predict cora --heuristic ra --node 35 --top 5
    """
    from hlgnn.jobs.heuristic_requests import parse_heuristic
    from hlgnn.jobs.open_dataset import open_dataset
    from hlgnn.jobs.predict_links import predict_links

    terminal: Terminal = context.obj
    budget = memory_bytes(memory)
    chosen = parse_heuristic(heuristic, self_loops=self_loops)
    with terminal.progress() as progress:
        dataset = open_dataset(
            edges,
            source=source,
            target=target,
            weight=weight,
            header=header,
            delimiter=delimiter,
            strip_ids=strip_ids,
            offline=offline,
            progress=progress,
        )
        found = predict_links(dataset, chosen, top, node=node, memory=budget, progress=progress)
    if out is not None:
        found.write(out)
        terminal.show(f"{out}: {len(found.ranked)} links by {heuristic}", {"file": out, "links": len(found.ranked)})
        return
    terminal.show(links_table(found), found.rows())


def links_table(found: PredictedLinks) -> Table:
    """Rank, both ends with their labels, and the score."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("", "source", "target", "score"):
        table.add_column(heading, justify="left" if heading in ("source", "target") else "right")
    for rank, row in enumerate(found.rows(), start=1):
        ends = [f"{row[end]}{_label(row, end)}" for end in ("source", "target")]
        table.add_row(str(rank), *ends, f"{row['score']:.4f}")
    return table


def _label(row: dict[str, str | int | float], end: str) -> str:
    label = row.get(f"{end}_label")
    return f" [dim]{str(label).replace('_', ' ')}[/]" if label is not None else ""
