"""What a command shows: results on standard output, everything else on standard error."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import shlex
import sys
import time
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from hlgnn.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from hlgnn.progress import Progress as Follower

SECONDS_BETWEEN_LINES = 10.0
MOST_BARS = 4


def place(name: str, path: Path) -> Text:
    """A path behind its name, on one line however narrow the screen is, so that it can be copied."""
    return Text.assemble((f"{name}: ", "bold"), str(path.resolve()), no_wrap=True, overflow="ignore")


@dataclasses.dataclass(frozen=True)
class Terminal:
    """The choices that hold for every command.

    Attributes:
        as_json: Print one JSON document instead of tables.
        quiet: Show no progress and no notices.
        debug: Show the traceback of an error.
        silent: Show nothing at all: another process of the run does.
        line: The arguments of the command.
    """

    as_json: bool = False
    quiet: bool = False
    debug: bool = False
    silent: bool = False
    line: tuple[str, ...] = ()

    def show(self, picture: RenderableType, document: Any) -> None:
        """Print a result: the picture for people, or the document with ``--json``."""
        if self.silent:
            return
        if self.as_json:
            sys.stdout.write(json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False) + "\n")
        else:
            Console(highlight=False).print(Text(picture) if isinstance(picture, str) else picture, crop=False)

    def write(self, text: str, document: Any) -> None:
        """Print text for another program, whose lines stay as they are, or the document with ``--json``."""
        if self.as_json:
            self.show("", document)
        elif not self.silent:
            sys.stdout.write(text)

    def tell(self, *sentences: str) -> None:
        """Say something on the way, on standard error."""
        for sentence in () if self.quiet else sentences:
            Console(stderr=True, highlight=False).print(Text(sentence))

    @contextlib.contextmanager
    def progress(self) -> Iterator[Follower]:
        """Something to hand to long work; a bar with the time left, or a line now and then where there is no screen."""
        if self.quiet:
            yield silent
        elif not sys.stderr.isatty():
            yield _Lines()
        else:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
                yield _Bars(bar)


class _Bars:
    """A bar for each kind of work; when there are many, finished ones make room."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar
        self.tasks: dict[str, TaskID] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        if what not in self.tasks:
            self.tasks[what] = self.bar.add_task(what, total=total)
        self.bar.update(self.tasks[what], completed=done, total=total)
        if done >= total and len(self.tasks) > MOST_BARS:
            self.bar.remove_task(self.tasks.pop(what))


class _Lines:
    """A line every ten seconds for each kind of work that takes so long, with the time left."""

    def __init__(self) -> None:
        self.started: dict[str, float] = {}
        self.last: dict[str, float] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        start = self.started.setdefault(what, now)
        if now - self.last.setdefault(what, now) < SECONDS_BETWEEN_LINES or not 0 < done < total:
            return
        self.last[what] = now
        from hlgnn.report.numbers import duration

        left = duration((now - start) * (total - done) / done)
        sys.stderr.write(f"{what}: {done} of {total}, about {left} left\n")


def typed_line() -> str:
    """The command as it was typed, without the path of the program."""
    return shlex.join(["hlgnn", *sys.argv[1:]])


def plain(value: Any) -> Any:
    """What JSON can hold: dataclasses become objects, numbers that are not finite become null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    match value:
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case Enum():
            return value.value
        case Path():
            return str(value)
        case float() if not math.isfinite(value):
            return None
    return value
