"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Unknown(StrEnum):
    """What to do with features of nodes that no edge names."""

    ERROR = "error"
    ADD = "add"
    DROP = "drop"


PROTOCOL_HELP = "paper, ncn, buddy, heart, ogb, ogb-valid-input or time."

Offline = Annotated[bool, typer.Option("--offline", help="Never download.")]
ProtocolName = Annotated[str | None, typer.Option("--protocol", help=PROTOCOL_HELP)]
NegativesName = Annotated[
    str | None, typer.Option("--negatives", help="uniform, degree-matched or heart, instead of the protocol's.")
]
Seed = Annotated[int, typer.Option(help="What the split is drawn from.")]
FeaturesFile = Annotated[Path | None, typer.Option("--features", help="A table with the features of each node.")]
IdColumn = Annotated[str | None, typer.Option("--id-column", help="The column of ids in the table of features.")]
UnknownNodes = Annotated[Unknown, typer.Option("--unknown", help="Features of nodes that no edge names.")]
SourceColumn = Annotated[str | None, typer.Option("--source", help="The column with one end of each edge.")]
TargetColumn = Annotated[str | None, typer.Option("--target", help="The column with the other end.")]
WeightColumn = Annotated[str | None, typer.Option("--weight", help="The column with weights.")]
TimeColumn = Annotated[str | None, typer.Option("--time", help="The column with the time of each edge.")]
Header = Annotated[bool | None, typer.Option("--header/--no-header", help="Whether line 1 names the columns.")]
Delimiter = Annotated[str | None, typer.Option("--delimiter", help="What stands between cells.")]
StripIds = Annotated[bool, typer.Option("--strip-ids", help="Trim white space around ids.")]
HeuristicNames = Annotated[
    str,
    typer.Option("--heuristic", help="One or several, such as cn,katz:gamma=0.01,mine.toml; see 'hlgnn heuristics'."),
]
SelfLoops = Annotated[
    bool, typer.Option("--self-loops/--no-self-loops", help="Whether a node is its own neighbour, as in the paper.")
]


class Shard(StrEnum):
    """What processes share."""

    PAIRS = "pairs"
    COLUMNS = "columns"
    MESH = "mesh"


ProcessCount = Annotated[
    int | None, typer.Option("--processes", help="How many processes share the work on this machine.", min=1)
]
Memory = Annotated[str, typer.Option(help="How much may be used, such as 500MB or 6GB.")]
