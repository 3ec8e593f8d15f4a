"""``hlgnn demo``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from hlgnn.cli.audit import verdict
from hlgnn.cli.data import summary_table
from hlgnn.cli.report import methods_table
from hlgnn.cli.terminal import Terminal, place

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hlgnn.jobs.demo import Demo
    from hlgnn.jobs.untrained_table import UntrainedCell

NEXT = """[bold]Next[/]
  hlgnn train [italic]edges.csv[/] --out runs/mine    the same for your own graph, with a report
  hlgnn predict {folder} --top 100      more of these links
  hlgnn explain {folder} --link A B     why one of them
  hlgnn audit [italic]edges.csv[/] --protocol paper   leaks and shortcuts in a split of it"""


def demo(
    context: typer.Context,
    out: Annotated[Path | None, typer.Option(help="The folder of the run; a free one under runs/ by default.")] = None,
) -> None:
    """Load a real graph, audit its splits, train a model, compare it with heuristics, and rank the links it misses.

    Examples:
      hlgnn demo

      hlgnn demo --json
    """
    from hlgnn.jobs.demo import run_demo

    terminal: Terminal = context.obj
    with terminal.progress() as progress:
        shown = run_demo(out, progress=progress)
    terminal.show(picture(shown), shown)


def picture(demo: Demo) -> RenderableType:
    """The last screen: the graph, its splits, the audit, and the scores."""
    nodes = f"{demo.graph.nodes:,}".replace(",", " ")
    links = f"{demo.graph.links:,}".replace(",", " ")
    title = f"[bold]{demo.title}[/]: {nodes} papers, {links} citations"
    return Group(
        Panel(summary_table(demo.graph), title=title, title_align="left", border_style="cyan", expand=False),
        _splits(demo),
        "",
        Text("Audit (protocol paper): ", "bold") + verdict(demo.audit),
        "",
        _scores(demo),
        "",
        Text.from_markup("Same predictors, same graph, other protocol. [bold]No number without its protocol.[/]"),
        "",
        methods_table(demo.study),
        Text(demo.study["gate"]["sentence"]),
        Text(demo.study["calibration"]["statement"]),
        "",
        _best(demo),
        Text.from_markup(NEXT.format(folder=demo.folder)),
        "",
        place("Report", demo.folder / "report.html"),
    )


def _best(demo: Demo) -> Table:
    title = "The ten best missing citations, with the subjects of both papers"
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), title=title)
    table.title_justify, table.title_style = "left", "bold"
    for heading in ("paper", "subject", "paper", "subject", "chance"):
        table.add_column(heading, justify="left" if heading == "subject" else "right", no_wrap=True)
    for row in demo.study["links"][:10]:
        subjects = [str(label).replace("_", " ") for label in row["labels"]]
        same = "green" if subjects[0] == subjects[1] else "yellow"
        table.add_row(
            str(row["source"]),
            f"[{same}]{subjects[0]}[/]",
            str(row["target"]),
            f"[{same}]{subjects[1]}[/]",
            f"{100 * row['probability']:.0f} %",
        )
    return table


def _splits(demo: Demo) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for heading in ("protocol", "train", "valid", "test", "negatives", "Hits@100 accepts"):
        table.add_column(heading, justify="left" if heading == "protocol" else "right")
    for row in demo.splits:
        rate = f"{row.false_positive_rate:.0%} of them"
        table.add_row(f"[bold]{row.protocol}[/]", *map(str, (row.train, row.valid, row.test, row.negatives)), rate)
    return table


def _scores(demo: Demo) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD, padding=(0, 1), title="Hits@100 of predictors that learn nothing, mean of five seeds"
    )
    table.title_justify, table.title_style = "left", "bold"
    protocols = list(dict.fromkeys(cell.protocol for cell in demo.scores))
    table.add_column("predictor")
    for protocol in protocols:
        table.add_column(protocol, no_wrap=True)
    for predictor in dict.fromkeys(cell.predictor for cell in demo.scores):
        row = [cell for cell in demo.scores if cell.predictor == predictor]
        table.add_row(predictor, *(_bar(cell) for cell in row))
    return table


def _bar(cell: UntrainedCell) -> Text:
    filled = round(6 * cell.values.mean)
    number = f" {100 * cell.values.mean:.1f} ± {100 * cell.values.deviation:.1f}"
    return Text("█" * filled, "cyan") + Text("░" * (6 - filled), "dim") + Text(number, "bold")
