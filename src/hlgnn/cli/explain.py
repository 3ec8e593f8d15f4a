"""``hlgnn explain``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hlgnn.cli.options import Offline
from hlgnn.cli.terminal import Terminal


def explain(
    context: typer.Context,
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    style: Annotated[str, typer.Option("--format", help="text or latex.")] = "text",
    plots: Annotated[
        Path | None, typer.Option(help="A folder for pictures of β and of the frequency response.")
    ] = None,
    offline: Offline = False,
) -> None:
    """Say what a trained model is: its formula, the classic heuristic that it is nearest to, its range.

    Examples:
      hlgnn explain runs/cora/seed-0

      hlgnn explain runs/shallow --format latex --plots runs/pictures
    """
    from hlgnn.jobs.explain_run import explain_run

    terminal: Terminal = context.obj
    with terminal.progress() as progress:
        found = explain_run(run, style=style, plots=plots, offline=offline, progress=progress)
    terminal.show(found.text(), found.document())
