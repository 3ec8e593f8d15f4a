"""``hlgnn experiment list|run|estimate|show|claims``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from hlgnn.cli.terminal import Terminal, place
from hlgnn.report.numbers import MISSING

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hlgnn.experiments import Experiment, Sheet

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
Jobs = Annotated[int, typer.Option(help="Processes at once.", min=1)]
Only = Annotated[
    str,
    typer.Option(
        help="Cells only whose protocol, row or column begins so; of several words each must, as in "
        '"GCN Cora". With strokes they are named whole: "ncn/GCN/Cora", "/HL-GNN/Pubmed".'
    ),
]
STORE = Path("results/store")


@experiment.command("list")
def list_all(context: typer.Context, store: Store = STORE, scale: ScaleOption = ScaleName.FULL) -> None:
    """List all tables and figures, how much of them is stored, and what the rest would need as far as that is known.

    Example:
      hlgnn experiment list
    """
    from dataclasses import asdict

    from hlgnn.experiments import ResultStore, Scale
    from hlgnn.experiments.coverage import coverage_of
    from hlgnn.experiments.experiments import EXPERIMENTS
    from hlgnn.report.numbers import duration

    terminal: Terminal = context.obj
    _say_if_empty(terminal, store)
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "shows", "cells", "results", "stored", "rest needs"):
        table.add_column(heading, justify="left" if heading in ("name", "shows") else "right")
    rows = []
    for name, each in EXPERIMENTS.items():
        found = coverage_of(each, ResultStore(store), Scale(scale.value))
        rest = duration(found.seconds) if found.seconds else MISSING
        table.add_row(f"[bold]{name}[/]", each.title, str(found.cells), str(found.results), str(found.stored), rest)
        rows.append({"name": name, "title": each.title} | asdict(found))
    line = "What the rest needs is for one thread, of cells for which it is known: 'hlgnn experiment estimate NAME'."
    terminal.show(Group(table, Text(line)), rows)


@experiment.command()
def run(
    context: typer.Context,
    names: Names,
    store: Store = STORE,
    scale: ScaleOption = ScaleName.FULL,
    jobs: Jobs = 1,
    only: Only = "",
    seeds: Annotated[int | None, typer.Option(help="So many seeds of each cell; all by default.", min=1)] = None,
    budget: Annotated[float | None, typer.Option(help="Minutes for each cell and seed, at most.", min=0)] = None,
    renew: Annotated[bool, typer.Option("--renew", help="Make results of an earlier revision again, too.")] = False,
) -> None:
    """Run what is not stored yet, and show it; end it at any time, and go on by the same line.

    Examples:
      hlgnn experiment run table4 --only cora --jobs 2 --budget 30

      hlgnn experiment run all --scale small --store /tmp/small
    """
    from hlgnn.cli.sheets import sheet_renderable
    from hlgnn.experiments import ResultStore, Scale
    from hlgnn.experiments.runner import run_experiments

    terminal: Terminal = context.obj
    chosen = _chosen(names)
    with terminal.progress() as progress:
        found = run_experiments(
            chosen,
            ResultStore(store, renew),
            Scale(scale.value),
            jobs=jobs,
            only=only,
            seeds=seeds,
            budget=None if budget is None else 60 * budget,
            progress=progress,
        )
    lines = [f"{found.made} results made, {found.kept} were stored already."]
    lines += [f"{each.place}: {each.reason}" for each in (*found.skipped, *found.failures)]
    picture: RenderableType = Text("\n".join(lines))
    if len(chosen) == 1:
        picture = Group(sheet_renderable(_sheet(chosen[0], store, scale)), picture)
    else:
        line = " ".join(["hlgnn experiment show", *names, "--store", str(store), "--scale", scale.value])
        picture = Group(picture, Text(f"See them: {line}"))
    terminal.show(picture, found)
    if found.failures:
        raise typer.Exit(1)


@experiment.command()
def estimate(
    context: typer.Context,
    names: Names,
    store: Store = STORE,
    scale: ScaleOption = ScaleName.FULL,
    jobs: Jobs = 1,
    only: Only = "",
    seconds: Annotated[float, typer.Option(help="For how long steps of a cell are made.", min=1)] = 20.0,
) -> None:
    """Say what the results that are missing would need, from a few steps of each; nothing is trained.

    Example:
      hlgnn experiment estimate table4 --only "heart//Pubmed" --jobs 2
    """
    from hlgnn.experiments import ResultStore, Scale
    from hlgnn.experiments.estimates import estimate_experiments
    from hlgnn.report.numbers import duration

    terminal: Terminal = context.obj
    with terminal.progress() as progress:
        found = estimate_experiments(
            _chosen(names),
            ResultStore(store),
            Scale(scale.value),
            jobs=jobs,
            only=only,
            watched=seconds,
            progress=progress,
        )
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("cell", "seeds missing", "each, at most", "all of them", "known from"):
        table.add_column(heading, justify="left" if heading in ("cell", "known from") else "right")
    for each in found:
        times = [MISSING if each.seconds is None else duration(value) for value in (each.seconds or 0.0, each.total)]
        table.add_row(Text(each.place), str(each.seeds), *times, Text(each.source))
    together = duration(sum(each.total for each in found))
    unknown = sum(each.seconds is None for each in found)
    left_out = f" Not counted: {unknown} without a figure." if unknown else ""
    line = f"All that is missing would need up to about {together} of processes.{left_out}"
    terminal.show(Group(table, Text(line)), found)


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
    from hlgnn.experiments.renderings import render_text, write_sheets

    terminal: Terminal = context.obj
    _say_if_empty(terminal, store)
    sheets = {each.name: _sheet(each, store, scale) for each in _chosen(names)}
    if out is not None or style is Format.HTML:
        folder = out or Path("experiments-html")
        written = write_sheets(sheets, folder, "markdown" if style is Format.TERMINAL else style.value)
        terminal.show(place("Written", written), {"written": written})
        return
    if style is Format.TERMINAL:
        terminal.show(Group(*(sheet_renderable(sheet) for sheet in sheets.values())), sheets)
    else:
        terminal.write("\n".join(render_text(sheet, style.value) for sheet in sheets.values()), sheets)


@experiment.command()
def claims(context: typer.Context, store: Store = STORE) -> None:
    """Say of every claim of the paper whether it holds in the stored results, with the figure; nothing is run.

    Example:
      hlgnn experiment claims
    """
    from hlgnn.experiments import ResultStore
    from hlgnn.experiments.judged import judged

    terminal: Terminal = context.obj
    _say_if_empty(terminal, store)
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("claim", "where", "verdict", "our figure"):
        table.add_column(heading)
    rows = []
    for claim, verdict in judged(ResultStore(store)):
        table.add_row(Text(claim.text), claim.place, verdict.kind, Text(verdict.figure or MISSING))
        told = {"claim": claim.text, "where": claim.place, "verdict": verdict.kind, "figure": verdict.figure}
        rows.append(told | {"command": claim.command})
    terminal.show(table, rows)


def _chosen(names: list[str]) -> list[Experiment]:
    from hlgnn.experiments.experiments import EXPERIMENTS

    wanted = list(EXPERIMENTS) if "all" in names else names
    return [EXPERIMENTS[name] for name in dict.fromkeys(wanted)]


def _sheet(chosen: Experiment, store: Path, scale: ScaleName) -> Sheet:
    from hlgnn.experiments import ResultStore, Scale
    from hlgnn.experiments.small_scale import small_sheet

    sheet = chosen.draw(ResultStore(store).outcomes(chosen, Scale(scale.value)))
    return small_sheet(sheet) if scale is ScaleName.SMALL else sheet


def _say_if_empty(terminal: Terminal, store: Path) -> None:
    """Tables without a number look complete to those who run this beside the folder that they mean."""
    if not store.is_dir():
        terminal.tell(
            f"Nothing is stored: there is no folder {store}. Name the one with results by --store, or make them by "
            "'hlgnn experiment run'."
        )
