"""The lines of a text table, one by one: slow, for its first lines and for finding out what is wrong."""

from __future__ import annotations

import csv
import gzip
import itertools
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from hlgnn.errors import GraphFormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COMMENT_MARKS = ("#", "%")
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def open_lines(path: Path, *, compressed: bool) -> TextIO:
    """The text of a table, without the byte order mark; bytes that are not UTF-8 become lone surrogates."""
    if compressed:
        return gzip.open(path, "rt", encoding="utf-8-sig", errors="surrogateescape")
    return path.open(encoding="utf-8-sig", errors="surrogateescape")


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what goes wrong while bytes are read into an error about ``path``."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _damaged(path) from error
    except OSError as error:
        if error.errno is None and path.suffix.lower() == ".gz":  # pyarrow's own words for a bad stream
            raise _damaged(path) from error
        raise GraphFormatError(
            f"It cannot be read ({error.strerror or error}).", where=str(path), hint="Check that you may read it."
        ) from error


def _damaged(path: Path) -> GraphFormatError:
    return GraphFormatError(
        "The file is no gzip file, or is cut off.",
        where=str(path),
        hint="Fetch it again, or drop .gz from its name if it is plain text.",
    )


def numbered_lines(path: Path, *, compressed: bool) -> Iterator[tuple[int, str]]:
    """Every line that is not empty, with its number from 1, behind the comments at the top of the file."""
    with _filled_lines(path, compressed=compressed) as filled:
        yield from itertools.dropwhile(lambda numbered: is_comment(numbered[1]), filled)


def top_comments(path: Path, *, compressed: bool) -> list[str]:
    """The comments at the top of the file."""
    with _filled_lines(path, compressed=compressed) as filled:
        return [line for _, line in itertools.takewhile(lambda numbered: is_comment(numbered[1]), filled)]


def is_comment(line: str) -> bool:
    """Whether a line begins with a mark that makes it a comment at the top of a file."""
    return line.startswith(COMMENT_MARKS)


def is_utf16(path: Path, *, compressed: bool) -> bool:
    """Whether the file begins with the byte order mark of UTF-16."""
    with readable(path), gzip.open(path) if compressed else path.open("rb") as file:
        return file.read(2) in UTF16_MARKS


@contextmanager
def _filled_lines(path: Path, *, compressed: bool) -> Iterator[Iterator[tuple[int, str]]]:
    with readable(path), open_lines(path, compressed=compressed) as file:
        lines = ((number, line.rstrip("\n")) for number, line in enumerate(file, start=1))
        yield ((number, line) for number, line in lines if line)


def split_line(line: str, delimiter: str, *, squeeze: bool) -> list[str]:
    """The cells of a line; with ``squeeze``, any run of blanks and tabs parts two cells."""
    if squeeze:
        return line.split()
    return next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.split(delimiter)


def is_text(line: str) -> bool:
    """Whether the line was UTF-8."""
    return not any("\udc80" <= character <= "\udcff" for character in line)
