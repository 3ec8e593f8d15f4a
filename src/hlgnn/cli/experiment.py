"""``hlgnn experiment list|run|show``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Group
from rich.table import Table

from hlgnn.cli.terminal import Terminal, place

if TYPE_CHECKING:
    from hlgnn.experiments import Experiment

experiment = typer.Typer(help="Every table and figure of the paper, and ours.", no_args_is_help=True)


class ScaleName(StrEnum):
    """How much is run."""

    SMALL = "small"
    FULL = "full"


class Format(StrEnum):
    """How a sheet is written."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    HTML = "html"


Names = Annotated[list[str], typer.Argument(help="Tables and figures, such as table4, or all.")]
Store = Annotated[Path, typer.Option(help="The folder of stored results.")]
ScaleOption = Annotated[
    ScaleName, typer.Option(help="small: two epochs, to see that it works; full: what is reported.")
]
STORE = Path("results/store")


@experiment.command("list")
def list_all(context: typer.Context, store: Store = STORE, scale: ScaleOption = ScaleName.FULL) -> None:
    """List all tables and figures, and how many of their results are stored.

    Example:
      hlgnn experiment list
    """
    from hlgnn.experiments import ResultStore, Scale
    from hlgnn.experiments.experiments import EXPERIMENTS

    terminal: Terminal = context.obj
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "shows", "cells", "results", "stored"):
        table.add_column(heading, justify="right" if heading in ("cells", "results", "stored") else "left")
    rows = []
    for name, each in EXPERIMENTS.items():
        outcomes = ResultStore(store).outcomes(each, Scale(scale.value))
        wanted = sum(len(outcome.cell.seeds) for outcome in outcomes)
        stored = sum(len(outcome.results) for outcome in outcomes)
        table.add_row(f"[bold]{name}[/]", each.title, str(len(outcomes.cells)), str(wanted), str(stored))
        rows.append(
            {"name": name, "title": each.title, "cells": len(outcomes.cells), "results": wanted, "stored": stored}
        )
    terminal.show(table, rows)


@experiment.command()
def run(
    context: typer.Context,
    names: Names,
    store: Store = STORE,
    scale: ScaleOption = ScaleName.FULL,
    jobs: Annotated[int, typer.Option(help="Processes at once.", min=1)] = 1,
    only: Annotated[
        str,
        typer.Option(
            help='Run cells only whose protocol, row or column begins so; of several words each must, as in "GCN Cora".'
        ),
    ] = "",
    seeds: Annotated[int | None, typer.Option(help="So many seeds of each cell; all by default.", min=1)] = None,
    budget: Annotated[float | None, typer.Option(help="Minutes for each cell and seed, at most.", min=0)] = None,
) -> None:
    """Run what is not stored yet; end it at any time, and go on by the same line.

    Examples:
      hlgnn experiment run table4 --only cora --jobs 2 --budget 30

      hlgnn experiment run all --scale small --store /tmp/small
    """
    from hlgnn.experiments import ResultStore, Scale
    from hlgnn.experiments.runner import run_experiments

    terminal: Terminal = context.obj
    with terminal.progress() as progress:
        found = run_experiments(
            _chosen(names),
            ResultStore(store),
            Scale(scale.value),
            jobs=jobs,
            only=only,
            seeds=seeds,
            budget=None if budget is None else 60 * budget,
            progress=progress,
        )
    lines = [f"{found.made} results made, {found.kept} were stored already."]
    lines += [f"{each.place}: {each.reason}" for each in (*found.skipped, *found.failures)]
    terminal.show("\n".join(lines), found)
    if found.failures:
        raise typer.Exit(1)


@experiment.command()
def show(
    context: typer.Context,
    names: Names,
    store: Store = STORE,
    scale: ScaleOption = ScaleName.FULL,
    style: Annotated[Format, typer.Option("--format", help="How to write it.")] = Format.TERMINAL,
    out: Annotated[Path | None, typer.Option(help="A folder for one file each; html also has an index.")] = None,
) -> None:
    """Draw tables and figures from the store; nothing is run.

    Examples:
      hlgnn experiment show table4

      hlgnn experiment show all --format html --out site
    """
    from hlgnn.cli.sheets import sheet_renderable
    from hlgnn.experiments import ResultStore, Scale
    from hlgnn.experiments.renderings import render_text, write_sheets

    terminal: Terminal = context.obj
    sheets = {}
    for each in _chosen(names):
        sheets[each.name] = each.draw(ResultStore(store).outcomes(each, Scale(scale.value)))
    if out is not None or style is Format.HTML:
        folder = out or Path("experiments-html")
        written = write_sheets(sheets, folder, "markdown" if style is Format.TERMINAL else style.value)
        terminal.show(place("Written", written), {"written": written})
        return
    if style is Format.TERMINAL:
        terminal.show(Group(*(sheet_renderable(sheet) for sheet in sheets.values())), sheets)
    else:
        terminal.write("\n".join(render_text(sheet, style.value) for sheet in sheets.values()), sheets)


def _chosen(names: list[str]) -> list[Experiment]:
    from hlgnn.experiments.experiments import EXPERIMENTS

    wanted = list(EXPERIMENTS) if names == ["all"] else names
    return [EXPERIMENTS[name] for name in wanted]
