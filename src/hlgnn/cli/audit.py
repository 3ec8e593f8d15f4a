"""``hlgnn audit``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from hlgnn.cli.options import FeaturesFile, NegativesName, Offline, ProtocolName, Seed, TimeColumn
from hlgnn.cli.terminal import Terminal

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hlgnn.audit import AuditReport

STYLES = {"clean": ("✓", "green"), "notice": ("!", "yellow"), "leak": ("✗", "bold red")}


def audit(
    context: typer.Context,
    target: Annotated[str, typer.Argument(help="A data set, a table of edges, or a folder with a saved split.")],
    protocol: ProtocolName = None,
    negatives: NegativesName = None,
    seed: Seed = 0,
    metric: Annotated[str | None, typer.Option(help="Such as hits@50, mrr, auc or ap.")] = None,
    features: FeaturesFile = None,
    time: TimeColumn = None,
    offline: Offline = False,
) -> None:
    """Look for leaks and shortcuts in a split; 1 if something leaks.

    Examples:
      hlgnn audit cora --protocol paper

      hlgnn audit cora --protocol heart --metric mrr --json
    """
    from hlgnn.jobs.audit_dataset import audit_dataset, choose_protocol
    from hlgnn.jobs.open_dataset import is_split_folder, open_dataset

    terminal: Terminal = context.obj
    with terminal.progress() as progress:
        if is_split_folder(target):
            from hlgnn.audit import audit_split
            from hlgnn.data import load_split

            report = audit_split(load_split(Path(target)), name=target, metric=metric)
        else:
            dataset = open_dataset(target, features=features, time=time, offline=offline, progress=progress)
            chosen = choose_protocol(dataset, protocol, negatives)
            report = audit_dataset(dataset, chosen, seed=seed, metric=metric, progress=progress)
    terminal.show(picture(report), {"verdict": report.verdict, **_document(report)})
    if report.leaks:
        raise typer.Exit(1)


def picture(report: AuditReport) -> RenderableType:
    """The report for people."""
    protocol = f", protocol [bold]{report.protocol}[/]" if report.protocol else ""
    return Group(
        Text.from_markup(f"[bold]Audit of {report.subject}[/]{protocol}"),
        "",
        findings(report),
        "",
        trivial(report),
        verdict(report),
    )


def findings(report: AuditReport) -> Table:
    """One row for each check."""
    table = Table(box=None, show_header=False, padding=(0, 1))
    for finding in report.findings:
        mark, style = STYLES[finding.verdict]
        shown = ", ".join(f"{a}–{b}" for a, b in finding.examples)
        table.add_row(
            Text(mark, style), finding.check, Text(finding.message + (f" For example {shown}." if shown else ""))
        )
    return table


def trivial(report: AuditReport) -> RenderableType:
    """A bar for each predictor that learns nothing."""
    if not report.trivial:
        return ""
    table = Table(box=None, show_header=False, padding=(0, 1))
    for score in report.trivial:
        filled = round(16 * score.value)
        bar = Text("█" * filled, "cyan") + Text("░" * (16 - filled), "dim")
        interval = f"[dim]95 % from {100 * score.low:.1f} to {100 * score.high:.1f}[/]"
        table.add_row(score.predictor, bar, f"[bold]{100 * score.value:.1f}[/] {score.metric}", interval)
    return Group("[dim]Predictors that learn nothing:[/]", table, "")


def verdict(report: AuditReport) -> Text:
    """The last line."""
    if report.leaks:
        return Text(f"✗ {len(report.leaks)} checks found a leak: numbers made with this split are wrong.", "bold red")
    count = len(report.notices)
    notices = f"; {count} thing{'s' if count > 1 else ''} to know" if count else ""
    return Text(f"✓ No leak in {len(report.findings)} checks{notices}.", "bold green")


def _document(report: AuditReport) -> dict[str, object]:
    from hlgnn.cli.terminal import plain

    document: dict[str, object] = plain(report)
    return document
