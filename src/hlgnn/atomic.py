"""Files that are either complete or not there."""

from __future__ import annotations

import contextlib
import os
import uuid
from typing import TYPE_CHECKING

from hlgnn.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def atomic_path(path: Path, *, sync: bool = True) -> Iterator[Path]:
    """A temporary path beside ``path`` that takes its place when the block ends well, and vanishes when it does not.

    Args:
        path: Where the file belongs.
        sync: Whether to wait until it is on the disk, so that it survives a loss of power too.

    Raises:
        OutputError: If the folder is not there, is not writable, or the disk is full.
    """
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        temporary.touch(exist_ok=False)
        yield temporary
        if sync:
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise _not_written(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, unless it is there.

    Raises:
        OutputError: If that is not possible.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_written(path, error) from error


def _not_written(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"It could not be written ({error.strerror or error}); nothing was left behind.",
        where=str(path),
        hint="Choose a folder that exists, that you may write to, and that has room.",
    )
