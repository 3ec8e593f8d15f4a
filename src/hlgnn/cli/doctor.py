"""``hlgnn doctor``."""

from __future__ import annotations

import typer
from rich.table import Table
from rich.text import Text

from hlgnn.cli.terminal import Terminal


def doctor(context: typer.Context) -> None:
    """Show versions, devices, kernels and the data folder; 1 if something does not work.

    Examples:
      hlgnn doctor

      hlgnn doctor --json
    """
    from hlgnn.jobs.doctor import diagnose

    terminal: Terminal = context.obj
    found = diagnose()
    table = Table(box=None, show_header=False, padding=(0, 2))
    for diagnosis in found:
        mark = "[green]✓[/]" if diagnosis.fine else "[red]✗[/]"
        table.add_row(mark, diagnosis.topic, Text(f"{diagnosis.value} {diagnosis.hint}".strip()))
    terminal.show(table, found)
    if not all(diagnosis.fine for diagnosis in found):
        raise typer.Exit(1)
