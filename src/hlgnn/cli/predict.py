"""``hlgnn predict``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from hlgnn.cli.launch import on_processes
from hlgnn.cli.options import (
    Delimiter,
    Header,
    Memory,
    Offline,
    ProcessCount,
    SelfLoops,
    SourceColumn,
    StripIds,
    TargetColumn,
    WeightColumn,
)
from hlgnn.cli.terminal import Terminal
from hlgnn.errors import SettingsError, UnknownNameError
from hlgnn.memory_size import memory_bytes

if TYPE_CHECKING:
    from hlgnn.jobs.predict_links import PredictedLinks
    from hlgnn.jobs.predict_run import RunLinks
    from hlgnn.processes import Processes

MODEL, FILTERS, CHANGES = "A trained run", "Which pairs", "Since training"


def predict(
    context: typer.Context,
    edges: Annotated[str, typer.Argument(help="The folder of a finished run, a table of edges, or a data set.")],
    heuristic: Annotated[
        str | None,
        typer.Option(
            help="For tables: such as aa, katz:gamma=0.01, or a file mine.toml; ra by default. See 'hlgnn heuristics'."
        ),
    ] = None,
    top: Annotated[int, typer.Option(help="How many links; with nodes, how many for each.")] = 20,
    node: Annotated[list[str] | None, typer.Option(help="Only links of this node; may be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="CSV, TSV or Parquet, by the name's ending.")] = None,
    nodes: Annotated[
        Path | None, typer.Option(help="A file with one id on each line: links of these.", rich_help_panel=MODEL)
    ] = None,
    pairs: Annotated[Path | None, typer.Option(help="A table of pairs to score.", rich_help_panel=MODEL)] = None,
    approximate: Annotated[
        bool | None,
        typer.Option(
            "--approximate/--exact",
            help="Score proposed pairs only, with a measured recall; by default where all would take too long.",
            rich_help_panel=MODEL,
        ),
    ] = None,
    bipartite: Annotated[
        bool | None,
        typer.Option(
            "--bipartite/--any-sides",
            help="Only pairs across the two sides; by default where the graph has two.",
            rich_help_panel=FILTERS,
        ),
    ] = None,
    kinds: Annotated[
        Path | None,
        typer.Option(help="A table of ids and kinds: only pairs of different kinds.", rich_help_panel=FILTERS),
    ] = None,
    kind_column: Annotated[str | None, typer.Option(help="The column of kinds.", rich_help_panel=FILTERS)] = None,
    between: Annotated[str | None, typer.Option(help="Two kinds, such as drug,gene.", rich_help_panel=FILTERS)] = None,
    exclude: Annotated[
        Path | None, typer.Option(help="A table of pairs to leave out.", rich_help_panel=FILTERS)
    ] = None,
    minimum: Annotated[
        float | None, typer.Option("--minimum-score", help="Leave out lower scores.", rich_help_panel=FILTERS)
    ] = None,
    add: Annotated[
        Path | None, typer.Option(help="A table of new links; nothing is retrained.", rich_help_panel=CHANGES)
    ] = None,
    new_nodes: Annotated[
        Path | None, typer.Option(help="A table of new nodes with their features.", rich_help_panel=CHANGES)
    ] = None,
    graph: Annotated[
        Path | None, typer.Option(help="Another table of edges to rank in.", rich_help_panel=CHANGES)
    ] = None,
    features: Annotated[Path | None, typer.Option(help="The features of its nodes.", rich_help_panel=CHANGES)] = None,
    self_loops: SelfLoops = True,
    memory: Memory = "2GB",
    source: SourceColumn = None,
    target: TargetColumn = None,
    weight: WeightColumn = None,
    header: Header = None,
    delimiter: Delimiter = None,
    strip_ids: StripIds = False,
    processes: ProcessCount = None,
    offline: Offline = False,
) -> None:
    """Rank the links that are missing: the exact best of all pairs, or those of some nodes; or score given pairs.

    Examples:
      hlgnn predict runs/friends --top 1000 --out links.csv

      hlgnn predict friends.csv --heuristic aa --top 100 --out links.csv

      hlgnn predict cora --heuristic ra --node 35 --top 5
    """
    terminal: Terminal = context.obj
    on_processes(terminal, processes)
    budget = memory_bytes(memory)
    for_run: dict[str, Any] = {
        "nodes": nodes,
        "pairs": pairs,
        "approximate": approximate,
        "bipartite": bipartite,
        "kinds": kinds,
        "kind_column": kind_column,
        "between": between,
        "exclude": exclude,
        "minimum": minimum,
        "add": add,
        "new_nodes": new_nodes,
        "graph": graph,
        "features": features,
    }
    for_table: dict[str, Any] = {
        "heuristic": heuristic,
        "source": source,
        "target": target,
        "weight": weight,
        "header": header,
        "delimiter": delimiter,
        "strip_ids": strip_ids or None,
    }
    from hlgnn.processes import joined

    found: PredictedLinks | RunLinks
    with joined() as everyone:
        asked = Asked(terminal, top, budget, offline, everyone)
        if (Path(edges) / "settings.toml").is_file():
            _refuse(for_table, "The columns and the method belong to the run.")
            found = _predict_run(asked, Path(edges), node or [], for_run)
        else:
            _refuse(for_run, "This needs the folder of a trained run.")
            _require_graph(edges)
            if len(node or []) > 1:
                raise SettingsError("A heuristic ranks the links of one node at a time.", where="--node")
            found = _predict_table(asked, edges, node[0] if node else None, for_table, self_loops=self_loops)
    if out is not None:
        if everyone.first:
            found.write(out)
        count = len(found.rows())
        terminal.show(f"{out}: {count} links", {"file": out, "links": count})
        return
    terminal.show(links_table(found), found.rows())


def _refuse(given: dict[str, Any], why: str) -> None:
    named = [f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None]
    if named:
        raise SettingsError(why, where=", ".join(named))


def _require_graph(name: str) -> None:
    from hlgnn.catalog import DATASETS
    from hlgnn.jobs.open_dataset import looks_like_path

    if name not in DATASETS and not looks_like_path(name):
        unknown = DATASETS.unknown(name)
        what = f"There is no run, table or data set called {name!r}."
        hint = f"A run is named by the folder that 'hlgnn train --out' wrote. {unknown.hint}"
        raise UnknownNameError(what, hint=hint)


@dataclass(frozen=True)
class Asked:
    """What holds for runs and tables alike."""

    terminal: Terminal
    top: int
    memory: int
    offline: bool
    processes: Processes


def _predict_table(
    asked: Asked, edges: str, node: str | None, given: dict[str, Any], *, self_loops: bool
) -> PredictedLinks:
    from hlgnn.jobs.heuristic_requests import parse_heuristic
    from hlgnn.jobs.open_dataset import open_dataset
    from hlgnn.jobs.predict_links import predict_links

    options = {name: value for name, value in given.items() if name != "heuristic"}
    options["strip_ids"] = bool(options["strip_ids"])
    chosen = parse_heuristic(given["heuristic"] or "ra", self_loops=self_loops)
    with asked.terminal.progress() as progress:
        dataset = open_dataset(edges, offline=asked.offline, progress=progress, **options)
        asked.terminal.tell(*dataset.notes)
        return predict_links(
            dataset,
            chosen,
            asked.top,
            node=node,
            memory=asked.memory,
            processes=asked.processes,
            progress=progress,
        )


def _predict_run(asked: Asked, run: Path, names: list[str], given: dict[str, Any]) -> RunLinks:
    from hlgnn.jobs.grown_graph import Growth
    from hlgnn.jobs.predict_run import Filters, best_links, given_links, links_of_nodes, open_run

    growth = Growth(given["add"], given["new_nodes"], given["graph"], given["features"])
    filters = Filters(
        given["bipartite"],
        given["kinds"],
        given["kind_column"],
        _two_kinds(given["between"]),
        given["exclude"],
        given["minimum"],
    )
    listed = [*names, *(_lines(given["nodes"]) if given["nodes"] is not None else [])]
    if given["pairs"] is not None and (listed or filters != Filters()):
        raise SettingsError("Given pairs are scored as they are.", where="--pairs", hint="Leave out nodes and filters.")
    top = asked.top
    with asked.terminal.progress() as progress:
        opened = open_run(
            run,
            growth=growth,
            memory=asked.memory,
            offline=asked.offline,
            processes=asked.processes,
            progress=progress,
        )
        if given["pairs"] is not None:
            return given_links(opened, given["pairs"])
        if listed:
            return links_of_nodes(opened, listed, top, filters=filters, progress=progress)
        return best_links(opened, top, filters=filters, approximate=given["approximate"], progress=progress)


def _two_kinds(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise SettingsError(f"{text!r} does not name two kinds.", where="--between", hint="Such as drug,gene.")
    return parts[0], parts[1]


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise SettingsError("There is no such file.", where=str(path))
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def links_table(found: PredictedLinks | RunLinks) -> Table | Group:
    """Rank, both ends with their labels, the score, and the chance if it is known."""
    table = Table(box=box.SIMPLE_HEAD)
    rows = found.rows()
    chances = any("probability" in row for row in rows)
    for heading in ("", "source", "target", "score", *(["chance"] if chances else [])):
        table.add_column(heading, justify="left" if heading in ("source", "target") else "right")
    for rank, row in enumerate(rows, start=1):
        ends = [f"{row[end]}{_label(row, end)}" for end in ("source", "target")]
        chance = [_percent(row["probability"])] if chances else []
        table.add_row(str(rank), *ends, f"{row['score']:.4f}", *chance)
    notes = getattr(found, "notes", ())
    return Group(table, *(Text(note) for note in notes)) if notes else table


def _percent(value: str | float) -> str:
    number = float(value)
    return "–" if math.isnan(number) else f"{100 * number:.1f} %"


def _label(row: dict[str, str | int | float], end: str) -> str:
    label = row.get(f"{end}_label")
    return f" [dim]{str(label).replace('_', ' ')}[/]" if label is not None else ""
