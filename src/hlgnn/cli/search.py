"""``hlgnn search``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hlgnn.cli.options import Offline, ProtocolName
from hlgnn.cli.terminal import Terminal


def search(
    context: typer.Context,
    dataset: Annotated[str, typer.Argument(help="A data set, or a table of edges.")],
    trials: Annotated[int, typer.Option(help="How many settings to try in all.", min=1)] = 50,
    model: Annotated[str, typer.Option(help="The method.")] = "hlgnn",
    preset: Annotated[str, typer.Option(help="Where to start: a preset or a TOML file.")] = "default",
    protocol: ProtocolName = None,
    seed: Annotated[int, typer.Option(help="What split and weights are drawn from.")] = 0,
    assign: Annotated[list[str] | None, typer.Option("--set", help="Such as train.epochs=20; may be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder; the same one goes on with its search.")] = None,
    offline: Offline = False,
) -> None:
    """Search for better settings by validation links; interrupt it, and go on by the same line.

    Examples:
      hlgnn search cora --trials 20 --out runs/search

      hlgnn train cora --preset runs/search/best.toml --out runs/found
    """
    from hlgnn.jobs.presets import settings_for
    from hlgnn.jobs.search import search as run_search

    terminal: Terminal = context.obj
    settings = settings_for(
        dataset, model_name=model, preset=preset, protocol=protocol, seed=seed, changes=assign or []
    )
    folder = out or Path("runs") / f"search-{settings.run_name}"
    with terminal.progress() as progress:
        found = run_search(settings, folder, trials, offline=offline, progress=progress)
    lines = [f"{name} = {value}" for name, value in found.changes.items()]
    terminal.show(
        "\n".join([f"{found.trials} trials, the best reaches {100 * found.valid:.2f} on validation links:", *lines])
        + f"\nIn {found.file}; train with 'hlgnn train {dataset} --preset {found.file}'.",
        {"trials": found.trials, "valid": found.valid, "changes": found.changes, "file": found.file},
    )
