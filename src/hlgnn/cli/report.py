"""``hlgnn report``, and what a study looks like on a screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from hlgnn.cli.options import Memory, Offline
from hlgnn.cli.terminal import Terminal, place
from hlgnn.memory_size import memory_bytes

if TYPE_CHECKING:
    from rich.console import RenderableType

FEW_LINKS = 30


def report(
    context: typer.Context,
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    top: Annotated[int, typer.Option(help="How many missing links it lists.", min=1)] = 20,
    memory: Memory = "2GB",
    offline: Offline = False,
) -> None:
    """Compare a run with every heuristic, estimate how many of its best links are real, and write report.html.

    Example:
      hlgnn report runs/cora/seed-0
    """
    from hlgnn.jobs.study.study import Asked, study_run

    terminal: Terminal = context.obj
    asked = Asked(command=f"hlgnn report {run}", top=top, memory=memory_bytes(memory))
    with terminal.progress() as progress:
        found = study_run(run, asked, offline=offline, progress=progress)
    terminal.show(study_picture(found, run), found)


def study_picture(found: dict[str, Any], folder: Path) -> RenderableType:
    """The methods, the verdict, what to expect, the best links, and where the report is."""
    gate, calibration = found.get("gate"), found.get("calibration") or {}
    lines = [
        *([gate["sentence"]] if gate else []),
        *_recommendation(found),
        calibration.get("statement", ""),
    ]
    return Group(
        methods_table(found),
        Text("\n".join(line for line in lines if line)),
        links_picture(found["links"]),
        *([Text(found["links_note"], "dim")] if found.get("links_note") else []),
        place("Report", folder / "report.html"),
    )


def _recommendation(found: dict[str, Any]) -> list[str]:
    lines = []
    if found["protocol"]["test"] < FEW_LINKS:
        lines.append(f"With {found['protocol']['test']} test links none of this can be told for sure.")
    if found["recommended"] != found["used"]:
        lines.append(
            f"Recommended: {found['recommended']}. The links below are ranked by the model; with --model auto they "
            f"are ranked by what is recommended."
        )
    elif found["used"] != "learned":
        lines.append(f"The links below are ranked by {found['used']}, since the model is not better.")
    return lines


def methods_table(found: dict[str, Any]) -> Table:
    """Every method, the best on the test links first."""
    protocol = found["protocol"]
    caption = f"{protocol['test']} test links among {protocol['negatives']} negatives (protocol {protocol['name']})" + (
        f"; hard: MRR of {found['hard_links']} of them among negatives that resemble links" * bool(found["hard_links"])
    )
    table = Table(box=box.SIMPLE_HEAD, caption=caption, caption_justify="left")
    metric = next((row["metric"] for row in found["methods"] if row["metric"]), "")
    others = [key for key in ("auc", "hard") if key != metric]
    for heading in ("method", f"{metric}, test", "95 % interval", *others):
        table.add_column(heading, justify="left" if heading == "method" else "right")
    rows = sorted(found["methods"], key=lambda row: -(row["test"]["value"] if row["test"] else -1))
    for row in rows:
        style = "bold" if row["kind"] == "learned" else ""
        if row["test"] is None:
            table.add_row(row["title"], f"[dim]{row['note']}[/]")
            continue
        low, value, high = (100 * row["test"][key] for key in ("low", "value", "high"))
        more = ["–" if row[key] is None else f"{100 * row[key]['value']:.1f}" for key in others]
        table.add_row(row["title"], f"{value:.1f}", f"{low:.1f} – {high:.1f}", *more, style=style)
    return table


def links_picture(links: list[dict[str, Any]], most: int = 10) -> Table:
    """The best links with their chances and reasons."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("", "source", "target", "chance", "because"):
        table.add_column(heading, justify="right" if heading in ("", "chance") else "left")
    for row in links[:most]:
        chance = row["probability"]
        shown = "–" if chance is None else f"{100 * chance:.0f} %"
        table.add_row(str(row["rank"]), str(row["source"]), str(row["target"]), shown, "; ".join(row["reasons"][:2]))
    return table
