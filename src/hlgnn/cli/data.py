"""``hlgnn data``: what there is, what it holds, and whether your own tables are fine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
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

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hlgnn.data import Dataset, DatasetCard
    from hlgnn.jobs.dataset_status import Statistic
    from hlgnn.jobs.graph_summary import GraphSummary

data = typer.Typer(help="Data sets and your own tables.", no_args_is_help=True, rich_markup_mode="rich")
MARKS = {"present": "[green]present[/]", "embedded": "[cyan]embedded[/]", "missing": "[dim]to download[/]"}
Name = Annotated[str, typer.Argument(help="A data set; see 'hlgnn data list'.")]


@data.command(name="list")
def list_(context: typer.Context) -> None:
    """List the data sets and whether their files are at hand.

    Examples:
      hlgnn data list

      hlgnn data list --json
    """
    from hlgnn.catalog import DATASETS
    from hlgnn.data import data_home
    from hlgnn.jobs.dataset_status import state

    terminal: Terminal = context.obj
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "nodes", "links", "features", "metric", "files"):
        numeric = heading in ("nodes", "links", "features")
        table.add_column(heading, justify="right" if numeric else "left", no_wrap=True)
    rows = []
    for card in DATASETS.values():
        found = state(card, data_home())
        rows.append({**_facts(card), "files": found})
        numbers = map(_grouped, (card.num_nodes, card.num_links, card.num_features))
        table.add_row(card.name, *numbers, card.metric, MARKS[found])
    terminal.show(table, rows)


@data.command()
def info(context: typer.Context, name: Name) -> None:
    """Show what is known about a data set, beside what its files really hold.

    Examples:
      hlgnn data info cora

      hlgnn data info ogbl-ddi --json
    """
    from hlgnn.catalog import find_dataset, load_dataset
    from hlgnn.data import data_home
    from hlgnn.jobs.dataset_status import folder_of, state, statistics
    from hlgnn.jobs.graph_summary import summarize

    terminal: Terminal = context.obj
    card, home = find_dataset(name), data_home()
    found = state(card, home)
    dataset: Dataset | None = None
    if found != "missing":
        with terminal.progress() as progress:
            dataset = load_dataset(name, offline=True, progress=progress)
    numbers = statistics(card, dataset)
    folder = folder_of(card, home)
    document: dict[str, Any] = {**_facts(card), "files": found, "folder": folder, "statistics": numbers}
    if dataset is not None:
        document["graph"] = summarize(dataset.graph)
    terminal.show(_info_picture(card, found, folder, numbers), document)
    if not all(number.agrees for number in numbers):
        raise typer.Exit(1)


@data.command()
def download(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(help="Data sets; see 'hlgnn data list'.")],
    offline: Offline = False,
) -> None:
    """Fetch the official files, resuming what was interrupted, and check them.

    Examples:
      hlgnn data download citeseer pubmed

      hlgnn data download ogbl-ddi
    """
    from hlgnn.catalog import find_dataset
    from hlgnn.data import data_home, download_dataset

    terminal: Terminal = context.obj
    cards = [find_dataset(name) for name in names]
    fetched = []
    for card in cards:
        with terminal.progress() as progress:
            folder = download_dataset(card, data_home(), progress=progress, offline=offline)
        fetched.append({"name": card.name, "folder": folder})
    terminal.show(Text("\n".join(f"{row['name']}: {row['folder']}" for row in fetched)), fetched)


@data.command()
def check(
    context: typer.Context,
    edges: Annotated[Path, typer.Argument(help="A table of edges: CSV, TSV, Parquet; text also gzipped.")],
    features: FeaturesFile = None,
    pairs: Annotated[Path | None, typer.Option(help="A table with pairs of nodes to score.")] = None,
    unknown: UnknownNodes = Unknown.ERROR,
    id_column: IdColumn = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    weight: WeightColumn = None,
    time: TimeColumn = None,
    header: Header = None,
    delimiter: Delimiter = None,
    strip_ids: StripIds = False,
) -> None:
    """Read your own tables and say what was found in them.

    Examples:
      hlgnn data check friends.csv

      hlgnn data check friends.csv --features people.parquet --time since
    """
    from hlgnn.jobs.check_tables import check_tables

    terminal: Terminal = context.obj
    checked = check_tables(
        edges,
        features=features,
        pairs=pairs,
        source=source,
        target=target,
        weight=weight,
        time=time,
        header=header,
        delimiter=delimiter,
        strip_ids=strip_ids,
        unknown=unknown.value,
        id_column=id_column,
    )
    terminal.show(Group(summary_table(checked.graph), *(Text(f"• {note}") for note in checked.notes)), checked)


@data.command()
def split(
    context: typer.Context,
    target: Annotated[str, typer.Argument(help="A data set or a table of edges.")],
    out: Annotated[Path, typer.Option(help="The folder to write to.")],
    protocol: ProtocolName = None,
    negatives: NegativesName = None,
    seed: Seed = 0,
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
    """Cut a graph under a protocol and write all parts as Parquet tables, for any other tool.

    Examples:
      hlgnn data split cora --protocol ncn --seed 3 --out cora-ncn-3

      hlgnn audit cora-ncn-3
    """
    from hlgnn.data import make_split, save_split
    from hlgnn.data.split_files import check_target
    from hlgnn.jobs.audit_dataset import choose_protocol
    from hlgnn.jobs.open_dataset import open_dataset

    terminal: Terminal = context.obj
    check_target(out)
    with terminal.progress() as progress:
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
        made = make_split(dataset, chosen, seed, progress=progress)
    save_split(made, out, name=dataset.name, metric=chosen.metric_for(dataset.metric))
    sizes = {"train": len(made.train), "valid": len(made.valid.positive), "test": len(made.test.positive)}
    listed = ", ".join(f"{size} {name} links" for name, size in sizes.items())
    terminal.show(
        Text(f"{out}: {listed}, protocol {made.protocol}"),
        {"folder": out, "protocol": made.protocol, "links": sizes},
    )


def summary_table(summary: GraphSummary) -> Table:
    """The size and shape of a graph, two numbers in a row."""
    table = Table(box=None, show_header=False, padding=(0, 2))
    shown = f"{100 * summary.largest_component / max(1, summary.nodes):.1f} % of the nodes"
    rows: list[tuple[str, str, str, str]] = [
        ("nodes", _grouped(summary.nodes), "mean degree", f"{summary.mean_degree:.2f}"),
        ("links", _grouped(summary.links), "median degree", f"{summary.median_degree:.0f}"),
        ("features", _grouped(summary.features), "largest degree", _grouped(summary.max_degree)),
        ("components", _grouped(summary.components), "largest component", shown),
        ("isolated nodes", _grouped(summary.isolated), "weighted", "yes" if summary.weighted else "no"),
    ]
    for left, number, right, other in rows:
        table.add_row(f"[dim]{left}[/]", f"[bold]{number}[/]", f"[dim]{right}[/]", f"[bold]{other}[/]")
    return table


def _info_picture(card: DatasetCard, found: str, folder: Path, numbers: list[Statistic]) -> RenderableType:
    facts = Table(box=None, show_header=False, padding=(0, 2))
    for key, value in [
        ("metric", card.metric),
        ("protocols", ", ".join(card.protocols)),
        ("source", card.source),
        ("licence", card.licence),
        ("cite", card.citation),
    ]:
        facts.add_row(f"[dim]{key}[/]", Text(value))
    place = " in the package" if found == "embedded" else f", {folder}"
    facts.add_row("[dim]files[/]", Text.from_markup(MARKS[found]) + Text(place))
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("", "card", "counted from the files"):
        table.add_column(heading, justify="left" if not heading else "right")
    for number in numbers:
        counted = "[dim]–[/]" if number.counted is None else _grouped(number.counted)
        table.add_row(number.name, _grouped(number.card), counted if number.agrees else f"[bold red]{counted}[/]")
    return Group(Text(card.title, "bold"), facts, table)


def _facts(card: DatasetCard) -> dict[str, Any]:
    return {
        "name": card.name,
        "title": card.title,
        "nodes": card.num_nodes,
        "links": card.num_links,
        "features": card.num_features,
        "metric": card.metric,
        "protocols": card.protocols,
        "citation": card.citation,
        "licence": card.licence,
        "source": card.source,
        "sha256": {file.path: file.sha256 for file in card.files},
    }


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")
