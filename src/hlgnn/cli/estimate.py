"""``hlgnn estimate``."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from hlgnn.cli.terminal import Terminal
from hlgnn.memory_size import memory_bytes

if TYPE_CHECKING:
    from hlgnn.jobs.growth.answer import Answer
    from hlgnn.jobs.growth.needs import Needs


class Operators(Enum):
    """What is propagated with."""

    SYM = "sym"
    MIXTURE = "mixture"


def estimate(
    context: typer.Context,
    nodes: Annotated[int, typer.Option(help="Nodes of the graph.", min=2)],
    links: Annotated[int, typer.Option(help="Its links.", min=1)],
    width: Annotated[int, typer.Option(help="Columns of a vector.", min=1)] = 256,
    depth: Annotated[int, typer.Option(help="Layers.", min=0)] = 15,
    batch: Annotated[int, typer.Option(help="Links of a step.", min=1)] = 65_536,
    hidden: Annotated[int, typer.Option(help="The width of the head.", min=1)] = 256,
    operators: Annotated[Operators, typer.Option(help="One fixed operator, or a learned mixture.")] = Operators.SYM,
    processes: Annotated[int, typer.Option(help="Up to how many processes to look at.", min=1)] = 8,
    memory: Annotated[
        str | None, typer.Option(help="What each process may take, such as 64GB: how many are needed then?")
    ] = None,
    network: Annotated[
        str | None, typer.Option(help="What a process can send in a second, such as 1.25GB for 10 Gbit/s.")
    ] = None,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Measure a few short steps, and scale the answer to this machine.")
    ] = False,
) -> None:
    """Say what training on a graph of any size would take: time, memory, and what processes tell each other.

    The answer comes from a model that was fitted on measurements of graphs with up to ten million links; it is about
    right, not exact, and says nothing of evaluation and of reading files.

    Examples:
      hlgnn estimate --nodes 576289 --links 30326273 --width 256 --depth 15

      hlgnn estimate --nodes 100000000 --links 1000000000 --width 128 --depth 3 --processes 64 --memory 256GB
    """
    from hlgnn.jobs.growth.answer import answer
    from hlgnn.jobs.growth.step_size import StepSize

    terminal: Terminal = context.obj
    size = StepSize(nodes, links, width, depth, operators.value, batch, hidden)
    with terminal.progress() as progress:
        found = answer(
            size,
            processes=processes,
            memory=None if memory is None else memory_bytes(memory),
            network=0.0 if network is None else float(memory_bytes(network)),
            calibrate=calibrate,
            progress=progress,
        )
    terminal.show(_picture(found), found)


def _picture(found: Answer) -> Group:
    from hlgnn.jobs.growth.answer import sentences

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("processes", "shared", "memory each", "sent each, a step", "a step", "an epoch"):
        table.add_column(heading, justify="right" if heading != "shared" else "left")
    for row in found.rows:
        table.add_row(*_cells(row))
    return Group(table, Text("\n".join(sentences(found))))


def _cells(row: Needs) -> list[str]:
    from hlgnn.formulation import readable
    from hlgnn.jobs.growth.answer import duration

    shared = "–" if row.processes == 1 else row.shared
    files = f" + {readable(row.mapped)} in files" if row.mapped else ""
    sent = readable(row.sent) if row.sent else "–"
    times = [duration(each) for each in (row.step_seconds, row.epoch_seconds)]
    return [str(row.processes), shared, f"{readable(row.bytes)}{files}", sent, *times]
