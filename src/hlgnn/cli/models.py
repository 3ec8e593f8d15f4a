"""``hlgnn models list|info``."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.console import Group
from rich.table import Table

from hlgnn.cli.terminal import Terminal

models = typer.Typer(help="Every method that can be trained or measured.", no_args_is_help=True)


@models.command("list")
def list_all(context: typer.Context) -> None:
    """List all methods, those of other installed packages included.

    Example:
      hlgnn models list
    """
    from hlgnn.jobs.models import describe_models

    terminal: Terminal = context.obj
    found = describe_models()
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("name", no_wrap=True, min_width=max(len(each.name) for each in found))
    table.add_column("method")
    table.add_column("learns", min_width=len("learns"))
    table.add_column("data sets with presets")
    for each in found:
        known = str(len({preset["dataset"] for preset in each.presets}) or "–")
        table.add_row(f"[bold]{each.name}[/]", each.title, "yes" if each.learns else "no", known)
    terminal.show(table, [each.document() for each in found])


@models.command()
def info(context: typer.Context, name: Annotated[str, typer.Argument(help="The method.")]) -> None:
    """Say all that is known about a method: its settings, its presets, and what was published.

    Example:
      hlgnn models info buddy
    """
    from hlgnn.jobs.models import describe_model

    terminal: Terminal = context.obj
    found = describe_model(name)
    facts = Table(box=None, show_header=False)
    for key, value in (
        ("method", f"[bold]{found.title}[/] ({found.name})"),
        ("from", found.citation),
        ("s(i, j) = s(j, i)", "yes" if found.symmetric else "no"),
        ("hides a link while it is predicted", "itself" if found.hides_target else "by train.hide"),
        ("learns a vector for each node", "yes: it knows no new nodes" if found.by_place else "no"),
    ):
        facts.add_row(f"[dim]{key}[/]", value)
    settings = Table(box=box.SIMPLE_HEAD, title="Settings, for --set model.NAME=VALUE")
    settings.add_column("name")
    settings.add_column("at first")
    for key, value in found.settings.items():
        settings.add_row(key, str(value))
    presets = Table(box=box.SIMPLE_HEAD, title="Presets")
    for heading in ("data set", "preset", "protocol", "published", "source"):
        presets.add_column(heading)
    for each in found.presets:
        published = each["published"]
        number = f"{published['metric']} {published['mean']}" if published.get("mean") is not None else "–"
        presets.add_row(each["dataset"], each["preset"], each["protocol"] or "–", number, published.get("source", "–"))
    terminal.show(Group(facts, settings, presets), found.document())
