"""``hlgnn audit``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from hlgnn.cli.options import (
    Delimiter,
    FeaturesFile,
    Header,
    IdColumn,
    NegativesName,
    Offline,
    ProtocolName,
    Seed,
    SourceColumn,
    StripIds,
    TargetColumn,
    TimeColumn,
    Unknown,
    UnknownNodes,
    WeightColumn,
)
from hlgnn.cli.terminal import Terminal
from hlgnn.errors import SettingsError

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
    unknown: UnknownNodes = Unknown.ERROR,
    id_column: IdColumn = None,
    source: SourceColumn = None,
    target_column: TargetColumn = None,
    weight: WeightColumn = None,
    time: TimeColumn = None,
    header: Header = None,
    delimiter: Delimiter = None,
    strip_ids: StripIds = False,
    offline: Offline = False,
) -> None:
    """Look for leaks and shortcuts in a split; 1 if something leaks.

    Examples:
      hlgnn audit cora --protocol paper

      hlgnn audit cora --protocol heart --metric mrr --json
    """
    from hlgnn.jobs.audit_dataset import audit_dataset, audit_folder, choose_protocol
    from hlgnn.jobs.open_dataset import is_split_folder, open_dataset

    terminal: Terminal = context.obj
    with terminal.progress() as progress:
        if is_split_folder(target):
            _refuse_all_but(context, "target", "metric", "offline")
            report = audit_folder(Path(target), metric=metric, progress=progress)
        else:
            dataset = open_dataset(
                target,
                features=features,
                unknown=unknown.value,
                id_column=id_column,
                source=source,
                target=target_column,
                weight=weight,
                time=time,
                header=header,
                delimiter=delimiter,
                strip_ids=strip_ids,
                offline=offline,
                progress=progress,
            )
            terminal.tell(*dataset.notes)
            chosen = choose_protocol(dataset, protocol, negatives)
            report = audit_dataset(dataset, chosen, seed=seed, metric=metric, progress=progress)
    terminal.show(picture(report), {"verdict": report.verdict, **_document(report)})
    if report.leaks:
        raise typer.Exit(1)


def _refuse_all_but(context: typer.Context, *allowed: str) -> None:
    """Raise if the line has an option that says nothing about a saved split."""
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name not in allowed and _is_given(context, str(option.name))
    ]
    if given:
        raise SettingsError(
            "The folder holds a split, which is audited as it is.",
            where=", ".join(given),
            hint="Use such options with a data set or a table of your own.",
        )


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def picture(report: AuditReport) -> RenderableType:
    """The report for people."""
    title = Text(f"Audit of {report.subject}", "bold")
    if report.protocol:
        title = Text.assemble(title, ", protocol ", (report.protocol, "bold"))
    return Group(
        title,
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
            Text(mark, style), Text(finding.check), Text(finding.message + (f" For example {shown}." if shown else ""))
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
