"""Several processes of one command on this machine, watched over and started again when one is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import typer

from hlgnn.errors import ProcessError, SettingsError
from hlgnn.place import LAUNCHED, find_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hlgnn.cli.terminal import Terminal

LOOK_EVERY = 0.1
SECONDS_TO_LEAVE = 5.0
"""How long processes have after another one has gone, before they are ended."""
INTERRUPTED = 130
Copies = list["subprocess.Popen[bytes]"]


def on_processes(terminal: Terminal, count: int | None, restarts: int = 3) -> None:
    """Go on as one of ``count`` processes: start them, wait, and leave with their exit code, unless they are running.

    Raises:
        SettingsError: If torchrun has started another number of them.
        typer.Exit: When those that were started have ended.
    """
    place = find_place()
    if place.size > 1 and count not in {None, place.size}:
        raise SettingsError(
            f"{place.size} processes are running already.", where="--processes", hint="Leave it out under torchrun."
        )
    if place.size == 1 and count is not None and count > 1:
        raise typer.Exit(launch(terminal, count, restarts))


def launch(terminal: Terminal, count: int, restarts: int) -> int:
    """Start the command that was typed ``count`` times, and again after a process was killed; the exit code.

    An error that a process tells of ends all of them: starting again would not help.
    """
    with _ending_when_asked():
        return _attempts(terminal, count, restarts)


def _attempts(terminal: Terminal, count: int, restarts: int) -> int:
    for attempt in range(restarts + 1):
        copies = _start(terminal.line, count, attempt)
        try:
            code = _watch(copies)
        except KeyboardInterrupt:
            _end(copies)
            return INTERRUPTED  # said where the command ends
        except BaseException:
            _end(copies, at_once=True)
            raise
        if code >= 0 and code != ProcessError.exit_code:
            return code
        lost = f"was killed (signal {-code})" if code < 0 else "lost the others"
        again = f"All start again from the last checkpoint ({attempt + 1} of {restarts})." if attempt < restarts else ""
        terminal.tell(f"A process {lost}. {again}".strip())
    return 1


def _start(line: Sequence[str], count: int, attempt: int) -> Copies:
    environment = os.environ | {
        "WORLD_SIZE": str(count),
        "LOCAL_WORLD_SIZE": str(count),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(_free_port()),
        LAUNCHED: str(attempt),
    }
    environment.setdefault("OMP_NUM_THREADS", str(max(1, _processors() // count)))
    command = [sys.executable, "-m", "hlgnn", *line]
    return [
        subprocess.Popen(command, env=environment | {"RANK": str(rank), "LOCAL_RANK": str(rank)})  # noqa: S603 - itself
        for rank in range(count)
    ]


def _watch(copies: Copies) -> int:
    """Wait for all; when one goes wrong, end the others. The code of the first that did, or nought."""
    while True:
        codes = [copy.poll() for copy in copies]
        wrong = [code for code in codes if code]
        if wrong:
            _end(copies)
            # Those that lost another process say so; what happened to that one tells more.
            return next((code for code in wrong if code != ProcessError.exit_code), wrong[0])
        if None not in codes:
            return 0
        time.sleep(LOOK_EVERY)


def _end(copies: Copies, *, at_once: bool = False) -> None:
    """Let the processes leave by themselves, then ask them to, then end them."""
    last = time.monotonic() + (0.0 if at_once else SECONDS_TO_LEAVE)
    while any(copy.poll() is None for copy in copies) and time.monotonic() < last:
        time.sleep(LOOK_EVERY)
    for send in (subprocess.Popen.terminate, subprocess.Popen.kill):
        for copy in copies:
            if copy.poll() is None:
                send(copy)
        for copy in copies:
            with contextlib.suppress(subprocess.TimeoutExpired):
                copy.wait(SECONDS_TO_LEAVE / 2)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def _ending_when_asked() -> Iterator[None]:
    """A signal that ends this process ends those that it has started."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
