"""The command line: parses, calls a job, shows the result. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import os
import sys
import traceback
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from hlgnn.cli.audit import audit
from hlgnn.cli.compare import compare
from hlgnn.cli.data import data
from hlgnn.cli.demo import demo
from hlgnn.cli.doctor import doctor
from hlgnn.cli.estimate import estimate
from hlgnn.cli.evaluate import evaluate
from hlgnn.cli.experiment import experiment
from hlgnn.cli.explain import explain
from hlgnn.cli.heuristics import heuristics
from hlgnn.cli.launch import INTERRUPTED
from hlgnn.cli.models import models
from hlgnn.cli.predict import predict
from hlgnn.cli.preset import preset
from hlgnn.cli.report import report
from hlgnn.cli.score import score
from hlgnn.cli.search import search
from hlgnn.cli.terminal import Terminal
from hlgnn.cli.train import train
from hlgnn.errors import HlgnnError, SaidElsewhere
from hlgnn.log import show_log
from hlgnn.place import find_place

EVERYWHERE = ("--json", "--quiet", "--debug")
"""Options that may stand anywhere on the line."""
TOGETHER = ("train", "evaluate", "predict", "score")
"""Commands that several processes do together."""

app = typer.Typer(
    name="hlgnn",
    help="Link prediction by learned heuristics: ranked missing links, honest protocols, exact scores.",
    epilog="The options --json, --quiet and --debug may stand anywhere on the line.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.command()(demo)
app.command()(predict)
app.command()(score)
app.command()(heuristics)
app.command()(train)
app.command()(evaluate)
app.command()(compare)
app.command()(explain)
app.command()(report)
app.command()(search)
app.command()(estimate)
app.add_typer(experiment, name="experiment")
app.add_typer(models, name="models")
app.add_typer(preset, name="preset")
app.add_typer(data, name="data")
app.command()(audit)
app.command()(doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"hlgnn {importlib.metadata.version('hlgnn')}\n")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress and no notices.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Link prediction by learned heuristics: ranked missing links, honest protocols, exact scores."""
    first = find_place().first
    if not first and context.invoked_subcommand not in TOGETHER:
        raise typer.Exit  # what one process does alone, the first one does
    line, quiet = tuple(context.obj or ()), quiet or not first
    context.obj = Terminal(as_json=as_json, quiet=quiet, debug=debug, silent=not first, line=line)
    show_log(quiet=quiet, debug=debug)


def main(arguments: list[str] | None = None) -> None:
    """Run a command and leave with 0 (done), 1 (the job failed) or 2 (the request was wrong)."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run a command; the exit code."""
    line = _hoisted(arguments)
    if find_place().size > 1:
        os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # that another process has left is said in a sentence
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a sign must not lose the result
    try:
        return _run(line)
    except SaidElsewhere as error:
        return error.exit_code
    except HlgnnError as error:
        return _complain(error, debug="--debug" in line)
    except OSError as error:
        wrong = HlgnnError(f"{error.strerror or error}.", where=str(error.filename or ""))
        return _complain(wrong, debug="--debug" in line)
    except MemoryError:
        hint = "Use a smaller graph, fewer pairs, or a smaller --memory where a command has it."
        return _complain(HlgnnError("There is not enough memory for this.", hint=hint), debug="--debug" in line)
    except (KeyboardInterrupt, SystemError) as error:
        if not _holds_interrupt(error):  # compiled code passes on so what was raised inside it
            raise
        return _interrupted()


def _interrupted() -> int:
    """Say so, once: of several processes the one that watches over them, or the first; the exit code."""
    place = find_place()
    if place.first and not place.watched:
        hint = "A run of 'hlgnn train' goes on with --resume FOLDER."
        _complain(HlgnnError("Interrupted; nothing was half-written.", hint=hint), debug=False)
    return INTERRUPTED


def _holds_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl-C is among the causes."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _run(line: list[str]) -> int:
    """Run a command; what typer says about the line itself, the first of several processes says."""
    with contextlib.ExitStack() as stack:
        if not find_place().first:
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        try:
            app(args=line, obj=line)
        except SystemExit as done:  # typer leaves so in the end, with 2 when the line is wrong
            if done.code == INTERRUPTED:
                raise KeyboardInterrupt from None
            return done.code if isinstance(done.code, int) else 0
        return 0


def _hoisted(arguments: list[str]) -> list[str]:
    """The options that may stand anywhere, moved to the front."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    moved = [word for word in arguments[:end] if word in EVERYWHERE]
    return moved + [word for word in arguments[:end] if word not in EVERYWHERE] + arguments[end:]


def _complain(error: HlgnnError, *, debug: bool) -> int:
    """Say what is wrong; the exit code."""
    if debug:
        traceback.print_exc(file=sys.stderr)
    console = Console(stderr=True, highlight=False)
    place = (f"{error.where}: " if error.where else "", "bold")
    console.print(Text.assemble(("Error: ", "bold red"), place, error.what), soft_wrap=True)
    if error.hint:
        console.print(Text(error.hint), soft_wrap=True)
    return error.exit_code
