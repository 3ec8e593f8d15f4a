"""``hlgnn score``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.launch import on_processes
from hlgnn.cli.options import (
    Delimiter,
    Header,
    HeuristicNames,
    Memory,
    Offline,
    ProcessCount,
    SelfLoops,
    SourceColumn,
    StripIds,
    TargetColumn,
    WeightColumn,
)
from hlgnn.cli.terminal import Terminal
from hlgnn.memory_size import memory_bytes

if TYPE_CHECKING:
    from hlgnn.formulation import Estimate
    from hlgnn.jobs.score_pairs import ScoredPairs

SHOWN = 20


def score(
    context: typer.Context,
    edges: Annotated[str, typer.Argument(help="A table of edges, or a data set.")],
    pairs: Annotated[Path, typer.Argument(help="A table with two columns of nodes.")],
    heuristic: HeuristicNames,
    out: Annotated[Path | None, typer.Option(help="CSV, TSV or Parquet, by the name's ending.")] = None,
    self_loops: SelfLoops = True,
    memory: Memory = "2GB",
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what it would take, and stop.")] = False,
    source: SourceColumn = None,
    target: TargetColumn = None,
    weight: WeightColumn = None,
    header: Header = None,
    delimiter: Delimiter = None,
    strip_ids: StripIds = False,
    processes: ProcessCount = None,
    offline: Offline = False,
) -> None:
    """Score pairs of nodes by heuristics, without training.

    Examples:
      hlgnn score friends.csv pairs.csv --heuristic cn,ra,katz:gamma=0.01 --out scores.parquet

      hlgnn score friends.csv pairs.csv --heuristic rwr:alpha=0.5 --no-self-loops --estimate
    """
    terminal: Terminal = context.obj
    on_processes(terminal, processes)
    from hlgnn.jobs.heuristic_requests import parse_heuristics
    from hlgnn.jobs.open_dataset import open_dataset
    from hlgnn.jobs.score_pairs import estimate_pairs, score_pairs
    from hlgnn.processes import joined

    budget = memory_bytes(memory)
    heuristics = parse_heuristics(heuristic, self_loops=self_loops)
    with joined() as everyone, terminal.progress() as progress:
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
        terminal.tell(*dataset.notes)
        graph = dataset.graph
        if estimate:
            found = estimate_pairs(graph, pairs, heuristics, memory=budget)
            terminal.show(_estimates(found), found)
            return
        scored = score_pairs(graph, pairs, heuristics, memory=budget, processes=everyone, progress=progress)
    if out is not None:
        if everyone.first:
            scored.write(out)
        listed = ", ".join(scored.scores)
        terminal.show(f"{out}: {len(scored.pairs)} pairs by {listed}", {"file": out, "pairs": len(scored.pairs)})
        return
    terminal.show(_table(scored), _rows(scored, len(scored.pairs)))


def _table(scored: ScoredPairs) -> Table:
    total = len(scored.pairs)
    table = Table(box=box.SIMPLE_HEAD, caption=f"{total} pairs; --out writes all of them" if total > SHOWN else None)
    for heading in ("source", "target", *scored.scores):
        table.add_column(heading, justify="right" if heading in scored.scores else "left")
    for row in _rows(scored, SHOWN):
        table.add_row(*(f"{value:.6g}" if isinstance(value, float) else str(value) for value in row.values()))
    return table


def _rows(scored: ScoredPairs, count: int) -> list[dict[str, str | int | float]]:
    ids = scored.graph.node_ids
    return [
        {"source": ids[i], "target": ids[j], **{name: float(values[row]) for name, values in scored.scores.items()}}
        for row, (i, j) in enumerate(scored.pairs[:count].tolist())
    ]


def _seconds(seconds: float) -> str:
    return f"about {seconds:.1f} s" if seconds >= 0.1 else "below 0.1 s"


def _estimates(found: dict[str, Estimate]) -> Table:
    from hlgnn.formulation import readable

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("heuristic", "way", "time", "memory"):
        table.add_column(heading)
    for name, each in found.items():
        table.add_row(name, each.way, _seconds(each.seconds), readable(each.bytes))
    return table
