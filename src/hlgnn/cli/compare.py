"""``hlgnn compare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.terminal import Terminal

if TYPE_CHECKING:
    from rich.console import JustifyMethod


def compare(
    context: typer.Context,
    runs: Annotated[list[Path], typer.Argument(help="Folders that 'hlgnn train' wrote.")],
    metric: Annotated[str | None, typer.Option(help="Instead of the metric of the data set.")] = None,
) -> None:
    """Put several runs into one table, grouped by data set and protocol.

    Examples:
      hlgnn compare runs/cora runs/shallow

      hlgnn compare runs/cora runs/shallow --metric auc
    """
    from hlgnn.jobs.compare import compare as compare_runs

    terminal: Terminal = context.obj
    rows = compare_runs(runs, metric)
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("data set", "protocol", "method", "metric", "test", "seeds", "parameters", "seconds", "folder"):
        justify: JustifyMethod = "right" if heading in ("test", "seeds", "parameters", "seconds") else "left"
        table.add_column(heading, justify=justify, overflow="fold")  # a folder that is cut off names nothing
    group = None
    for row in rows:
        if group not in (None, (row.dataset, row.protocol)):
            table.add_section()
        group = (row.dataset, row.protocol)
        value = f"{100 * row.values.mean:.2f} ± {100 * row.values.deviation:.2f}"
        numbers = (value, str(len(row.seeds)), str(row.parameters), f"{row.seconds:.1f}")
        table.add_row(row.dataset, row.protocol, row.method, row.metric, *numbers, row.folder)
    terminal.show(table, rows)
