"""``hlgnn heuristics``."""

from __future__ import annotations

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.terminal import Terminal


def heuristics(context: typer.Context) -> None:
    """List every heuristic with its formula and its parameters.

    Examples:
      hlgnn heuristics

      hlgnn heuristics --json
    """
    from hlgnn.formulation import HEURISTICS

    terminal: Terminal = context.obj
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "what", "formula", "parameters"):
        table.add_column(heading, overflow="fold")
    rows = []
    for entry in HEURISTICS.values():
        parameters = {parameter.name: parameter.default for parameter in entry.parameters}
        rows.append({"name": entry.name, "title": entry.title, "formula": entry.formula, "parameters": parameters})
        listed = ", ".join(f"{name}={default}" for name, default in parameters.items())
        table.add_row(f"[bold]{entry.name}[/]", entry.title, entry.formula, listed)
    terminal.show(table, rows)
