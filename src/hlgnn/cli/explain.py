"""``hlgnn explain``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hlgnn.cli.options import Offline
from hlgnn.cli.terminal import Terminal
from hlgnn.errors import SettingsError


def explain(
    context: typer.Context,
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    link: Annotated[
        tuple[str, str] | None, typer.Option(help="Two nodes: why this link has its score.", metavar="A B")
    ] = None,
    drawing: Annotated[Path | None, typer.Option(help="With --link: an SVG file for the evidence.")] = None,
    changes: Annotated[
        int, typer.Option(help="With --link: how many known links are removed in turn, to see what it hangs on.", min=0)
    ] = 30,
    style: Annotated[str, typer.Option("--format", help="text or latex.")] = "text",
    plots: Annotated[
        Path | None, typer.Option(help="A folder for pictures of β and of the frequency response.")
    ] = None,
    offline: Offline = False,
) -> None:
    """Say what a trained model is: its formula, the classic heuristic that it is nearest to; or why one link scores.

    Examples:
      hlgnn explain runs/cora/seed-0

      hlgnn explain runs/friends --link Anna Bob

      hlgnn explain runs/shallow --format latex --plots runs/pictures
    """
    from hlgnn.jobs.explain_run import explain_run

    terminal: Terminal = context.obj
    if link is not None:
        _explain_link(terminal, run, link, drawing, changes, offline=offline)
        return
    if drawing is not None:
        raise SettingsError("A drawing is of one link.", where="--drawing", hint="Name it: --link A B.")
    with terminal.progress() as progress:
        found = explain_run(run, style=style, plots=plots, offline=offline, progress=progress)
    terminal.show(found.text(), found.document())


def _explain_link(
    terminal: Terminal, run: Path, link: tuple[str, str], drawing: Path | None, changes: int, *, offline: bool
) -> None:
    from hlgnn.jobs.explain_pair import explain_pair

    with terminal.progress() as progress:
        found = explain_pair(run, *link, drawing=drawing, changes=changes, offline=offline, progress=progress)
    terminal.show(found.text(), found.document())
