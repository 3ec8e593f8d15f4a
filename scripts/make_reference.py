"""Write the pages of docs/reference that say what the code says: the commands, the protocols and the data sets.

python scripts/make_reference.py            writes the pages
python scripts/make_reference.py --check    leaves with 1 if one of them is not what would be written
"""

from __future__ import annotations

import argparse
import inspect
import sys
import types
import typing
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.models import ArgumentInfo, OptionInfo

from hlgnn.catalog import DATASETS, PREFIX
from hlgnn.cli.main import app
from hlgnn.data import PROTOCOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import typer

    from hlgnn.data import DatasetCard, Protocol

FOLDER = Path(__file__).parent.parent / "docs/reference"
NOTE = "<!-- Written by scripts/make_reference.py: change the code, not this page. -->"
KINDS = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}
MEANINGS = {0: "done", 1: "the job failed, or the audit found a leak", 2: "the request was wrong"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or compare them with what is there; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; leave with 1 if a page is stale")
    if parser.parse_args(arguments).check:
        stale = stale_pages()
        for path in stale:
            print(f"{path.name} is stale: run python scripts/make_reference.py", file=sys.stderr)
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.name}")
    return 0


def stale_pages() -> list[Path]:
    """The pages that are missing or are not what would be written."""
    return [path for path, text in pages().items() if not path.is_file() or path.read_text(encoding="utf-8") != text]


def pages() -> dict[Path, str]:
    """What each page should hold."""
    made = {"command-line": command_line(), "protocols": protocols(), "datasets": datasets()}
    return {FOLDER / f"{name}.md": "\n".join([NOTE, "", *lines]).rstrip() + "\n" for name, lines in made.items()}


def command_line() -> list[str]:
    """Every command with its arguments, options and examples."""
    callback = app.registered_callback
    everywhere = [] if callback is None or callback.callback is None else _options(callback.callback)
    return [
        "# Command line",
        "",
        "Results go to standard output. Progress, notices and errors go to standard error.",
        "",
        *_table(["exit code", "meaning"], [[str(code), meaning] for code, meaning in MEANINGS.items()]),
        "",
        "## Options of every command",
        "",
        str(app.info.epilog),
        "",
        *_table(["option", "meaning"], [[_code(name), text] for name, text in everywhere]),
        *(line for name, function in commands(app) for line in _command(name, function)),
    ]


def commands(group: typer.Typer, path: str = "hlgnn") -> Iterator[tuple[str, Callable[..., Any]]]:
    """The full name of every command, and the function that it calls, in the order of the help."""
    for command in group.registered_commands:
        if command.callback is not None:
            yield f"{path} {command.name or command.callback.__name__}", command.callback
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            yield from commands(inner.typer_instance, f"{path} {inner.name}")


def _command(name: str, function: Callable[..., Any]) -> list[str]:
    text, _, examples = inspect.cleandoc(function.__doc__ or "").partition("Examples:")
    arguments, options = list(_arguments(function)), _options(function)
    usage = [name, *(["[OPTIONS]"] if options else []), *(shown for shown, _ in arguments)]
    lines = ["", f"## {name}", "", text.strip(), "", "```text", " ".join(usage), "```"]
    if arguments:
        lines += ["", *_table(["argument", "meaning"], [[_code(shown), meaning] for shown, meaning in arguments])]
    if options:
        lines += ["", *_table(["option", "meaning"], [[_code(shown), meaning] for shown, meaning in options])]
    shown = [line.strip() for line in examples.splitlines() if line.strip()]
    return [*lines, *(["", "```console", *(f"$ {line}" for line in shown), "```"] if shown else [])]


def _arguments(function: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    for parameter, kind, info in _declared(function):
        if isinstance(info, ArgumentInfo):
            many = typing.get_origin(kind) is list
            yield parameter.name.upper() + (" ..." if many else ""), info.help or ""


def _options(function: Callable[..., Any]) -> list[tuple[str, str]]:
    return [
        (_option_name(parameter, kind, info), (info.help or "") + _default(parameter, kind))
        for parameter, kind, info in _declared(function)
        if isinstance(info, OptionInfo)
    ]


def _declared(function: Callable[..., Any]) -> Iterator[tuple[inspect.Parameter, Any, ArgumentInfo | OptionInfo]]:
    """Each parameter that the command line fills, its type without ``None``, and what is declared about it."""
    hints = typing.get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        for info in getattr(hints[parameter.name], "__metadata__", ()):
            if isinstance(info, ArgumentInfo | OptionInfo):
                yield parameter, _without_none(typing.get_args(hints[parameter.name])[0]), info


def _without_none(kind: Any) -> Any:
    if not isinstance(kind, types.UnionType):
        return kind
    return next(part for part in typing.get_args(kind) if part is not types.NoneType)


def _option_name(parameter: inspect.Parameter, kind: Any, info: OptionInfo) -> str:
    declared = [name for name in (info.default, *(info.param_decls or ())) if isinstance(name, str)]
    name = declared[0] if declared else "--" + parameter.name.replace("_", "-")
    return name if kind is bool else f"{name} {_values(kind)}"


def _values(kind: Any) -> str:
    """What may stand behind an option: one of some words, or a kind of value."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "/".join(str(member.value) for member in kind)
    if typing.get_origin(kind) is tuple:
        return " ".join(KINDS[each] for each in typing.get_args(kind))
    return KINDS[typing.get_args(kind)[0] if typing.get_origin(kind) is list else kind]


def _default(parameter: inspect.Parameter, kind: Any) -> str:
    if parameter.default is inspect.Parameter.empty:
        return " Required."
    default = parameter.default.value if isinstance(parameter.default, Enum) else parameter.default
    return "" if kind is bool or default is None else f" Default: {default}."


def protocols() -> list[str]:
    """Every protocol: what it does, and each of its choices."""
    listed = PROTOCOLS.values()
    headings = ["name", "cut", "train / valid / test", "nodes", "messages at test", "negatives"]
    return [
        "# Protocols",
        "",
        "A protocol says how links are cut into parts, which links may carry messages, and what a link is ranked",
        "among. Every split carries the name of its protocol. [Concepts](../concepts.md) explains the terms.",
        "",
        *_table(["name", "what it does"], [[_code(protocol.name), protocol.description] for protocol in listed]),
        "",
        "## Their choices",
        "",
        *_table(headings, [_choices(protocol) for protocol in listed]),
        "",
        "While training and validating, messages go over training links only, under every protocol.",
        "",
        "Negatives can be exchanged with `--negatives`, or with `Protocol.with_negatives` in Python: `uniform`,",
        "`degree-matched` or `heart`. The name of the protocol then says so, as in `paper+degree-matched`. Those of an",
        "official split are prescribed and cannot be exchanged.",
    ]


def _choices(protocol: Protocol) -> list[str]:
    official = protocol.cut == "official"
    train = 1 - protocol.valid - protocol.test
    shares = " / ".join(f"{100 * share:.0f} %" for share in (train, protocol.valid, protocol.test))
    hard = f"heart, {protocol.per_side} for each end"
    return [
        _code(protocol.name),
        protocol.cut,
        "prescribed" if official else shares,
        "largest component" if protocol.largest_component else "all",
        "train + valid" if protocol.valid_links_at_test else "train",
        "prescribed" if official else hard if protocol.negatives == "heart" else f"{protocol.negatives}, as many",
    ]


def datasets() -> list[str]:
    """Every data set: its card, and where its files may be."""
    cards = DATASETS.values()
    headings = ["name", "nodes", "links", "features", "metric", "protocols", "licence"]
    return [
        "# Data sets",
        "",
        "`hlgnn data info NAME` shows these numbers beside those that are counted from the files. A link counts once.",
        "",
        *_table(headings, [_row(card) for card in cards], right=(1, 2, 3)),
        "",
        "Files are looked for below the folder that `HLGNN_DATA` names, in the folders listed here; if it names none,",
        "below the folder `hlgnn` in the user's cache. `hlgnn data download` puts files into the first folder of a",
        "list, unless another one holds some already. `HLGNN_OFFLINE=1` forbids downloads. The checksums are in",
        "`hlgnn data info NAME --json`.",
        *(line for card in cards for line in _card(card)),
    ]


def _row(card: DatasetCard) -> list[str]:
    numbers = [_grouped(number) for number in (card.num_nodes, card.num_links, card.num_features)]
    return [f"[{card.name}](#{card.name})", *numbers, card.metric, ", ".join(card.protocols), card.licence]


def _card(card: DatasetCard) -> list[str]:
    origin = "counted from the files" if card.counted else "as its publisher states; links count repeats"
    facts = [
        ["source", card.source],
        ["cite", card.citation],
        ["licence", card.licence],
        ["metric", card.metric],
        ["protocols", ", ".join(map(_code, card.protocols))],
        ["numbers", origin],
        *([name, _grouped(number)] for name, number in card.counts.items()),
        ["ships with the package", "yes" if card.embedded else "no"],
        ["folders", ", ".join(map(_code, card.folders))],
        ["files", ", ".join(_code(file.path) for file in card.files)],
    ]
    short = card.name.removeprefix(PREFIX)
    if short != card.name:
        facts.insert(0, ["short name", _code(short)])
    return ["", f"## {card.name}", "", *_table(["fact", card.title], facts)]


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """A table in Markdown; bars within cells are escaped."""
    rule = ["---:" if column in right else "---" for column in range(len(headings))]
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in (headings, rule, *rows)]
    return [f"| {' | '.join(row)} |" for row in escaped]


def _code(text: str) -> str:
    return f"`{text}`"


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


if __name__ == "__main__":
    sys.exit(main())
