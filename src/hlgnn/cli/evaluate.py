"""``hlgnn evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.launch import on_processes
from hlgnn.cli.options import Offline, ProcessCount
from hlgnn.cli.terminal import Terminal


def evaluate(
    context: typer.Context,
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    metric: Annotated[list[str] | None, typer.Option(help="Such as hits@20, mrr or auc; may be repeated.")] = None,
    processes: ProcessCount = None,
    offline: Offline = False,
) -> None:
    """Measure a finished run again from its weights, with 95 % intervals of the draw of links.

    Examples:
      hlgnn evaluate runs/cora/seed-0

      hlgnn evaluate runs/shallow --metric auc --metric mrr
    """
    terminal: Terminal = context.obj
    on_processes(terminal, processes)
    from hlgnn.jobs.evaluate_run import evaluate_run
    from hlgnn.jobs.run_folder import RunFolder
    from hlgnn.processes import joined

    with joined() as everyone, terminal.progress() as progress:
        opened = RunFolder.open(run)
        found = evaluate_run(opened, metric or [], offline=offline, processes=everyone, progress=progress)
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("part", "metric", "value", "95 % interval"):
        table.add_column(heading, justify="right" if heading == "value" else "left")
    for each in found:
        low, value, high = (f"{100 * number:.2f}" for number in each.interval)
        table.add_row(each.part, each.metric, value, f"{low} to {high}")
    rows = [{"part": each.part, "metric": each.metric, **each.interval._asdict()} for each in found]
    terminal.show(table, rows)
