"""``hlgnn preset list|show|copy``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.terminal import Terminal

preset = typer.Typer(help="Settings that come with the package.", no_args_is_help=True)

DatasetName = Annotated[str, typer.Argument(help="A data set, or 'own' for any other graph.")]
PresetName = Annotated[str, typer.Option("--preset", help="default, paper or small.")]
ModelName = Annotated[str, typer.Option("--model", help="The method.")]


@preset.command("list")
def list_all(context: typer.Context) -> None:
    """List all presets, with the published number.

    Example:
      hlgnn preset list
    """
    from hlgnn.jobs.presets import list_presets

    terminal: Terminal = context.obj
    found = list_presets()
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("model", "data set", "preset", "protocol", "published"):
        table.add_column(heading)
    for each in found:
        number = f"{each.published['metric']} {each.published['mean']}" if each.published else "–"
        table.add_row(each.model_name, each.dataset, each.name, str(each.values.get("protocol", "–")), number)
    names = [
        {"model": each.model_name, "dataset": each.dataset, "preset": each.name, "published": each.published}
        for each in found
    ]
    terminal.show(table, names)


@preset.command()
def show(
    context: typer.Context, dataset: DatasetName, name: PresetName = "default", model: ModelName = "hlgnn"
) -> None:
    """Show a preset as TOML.

    Example:
      hlgnn preset show cora --preset paper
    """
    from hlgnn.jobs.presets import find_preset

    terminal: Terminal = context.obj
    found = find_preset(dataset, name, model)
    terminal.show(found.text.rstrip(), {**found.values, "under": found.under, "published": found.published})


@preset.command()
def copy(
    context: typer.Context,
    dataset: DatasetName,
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    name: PresetName = "default",
    model: ModelName = "hlgnn",
) -> None:
    """Copy a preset to a file, to change it and train with --preset FILE.

    Example:
      hlgnn preset copy cora mine.toml
    """
    from hlgnn.jobs.presets import copy_preset

    terminal: Terminal = context.obj
    copy_preset(dataset, file, name, model)
    terminal.show(f"{file}: change it, and train with 'hlgnn train {dataset} --preset {file}'.", {"file": file})
