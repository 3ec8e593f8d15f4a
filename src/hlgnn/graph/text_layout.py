"""How a text table is laid out: what parts its cells, where it begins, and whether it names its columns."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.graph.file_format import format_of
from hlgnn.graph.text_lines import is_text, is_utf16, numbered_lines, split_line, top_comments

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    HeaderTest = Callable[[list[str], list[list[str]]], bool]

# How many lines are looked at before the file is read.
LINES_LOOKED_AT = 100
DELIMITER_WORDS = {",": "commas", "\t": "tabs", ";": "semicolons"}
OTHER_DELIMITERS = (";", "\t", ",")
INTEGER = re.compile(r"\s*[+-]?\d+\s*")
NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")


@dataclass(frozen=True)
class TextLayout:
    """How to read a text table.

    Attributes:
        path: Where it is.
        compressed: Whether it is compressed by gzip.
        delimiter: What stands between cells.
        squeeze: Whether a run of blanks and tabs counts as one delimiter.
        first_line: The number, from 1, of the first line that is not a comment.
        header: The names in that line, or None if it holds data.
        width: The number of columns.
        comments: The lines at the top that were skipped as comments.
        unexpected: Whether the delimiter is not the one that the ending of the name tells.
    """

    path: Path
    compressed: bool
    delimiter: str
    squeeze: bool
    first_line: int
    header: tuple[str, ...] | None
    width: int
    comments: tuple[str, ...] = ()
    unexpected: bool = False

    def cells(self, line: str) -> list[str]:
        """The cells of one line."""
        return split_line(line, self.delimiter, squeeze=self.squeeze)

    def column_name(self, column: int) -> str:
        """What to call a column in a message."""
        return repr(self.header[column]) if self.header else str(column + 1)


def find_layout(path: Path, *, delimiter: str | None, header: bool | None, is_header: HeaderTest) -> TextLayout:
    """Look at the first lines of a text table.

    Args:
        path: A file that exists.
        delimiter: What stands between cells, if the caller knows.
        header: Whether the first line names columns; None to find out.
        is_header: Whether the first line looks like names, given its cells and those of the lines that follow.

    Raises:
        GraphFormatError: If there are no lines of data, or the first line is not what ``header`` says.
    """
    form = format_of(path)
    if is_utf16(path, compressed=form.compressed):
        hint = "Save it as UTF-8 (for example: iconv -f utf-16 -t utf-8)."
        raise GraphFormatError("The file looks like UTF-16, not UTF-8.", where=str(path), hint=hint)
    lines = list(itertools.islice(numbered_lines(path, compressed=form.compressed), LINES_LOOKED_AT))
    if not lines:
        raise GraphFormatError("The file has no lines of data.", where=str(path), hint="Put one edge on each line.")
    number, first = lines[0]
    check_utf8(path, number, first)
    if first.isspace():
        raise blank_line(path, number)
    told, guess = form.delimiter, delimiter is None
    delimiter, squeeze = _delimiter(first, delimiter or _told_or_found(path, told, lines))
    cells = [split_line(line, delimiter, squeeze=squeeze) for _, line in lines]
    named = is_header(cells[0], cells[1:])
    if header is False and named:
        raise GraphFormatError(
            f"Line {number} looks like a header: {first.strip()!r}.",
            where=f"{path}, line {number}",
            hint="Leave header out, or set it to True (--header).",
        )
    named = named if header is None else header
    if named and len(lines) == 1:
        raise GraphFormatError(
            "The file has a header, and no lines of data.",
            where=f"{path}, line {number}",
            hint="Put one row on each line below it; if this line is data, set header to False (--no-header).",
        )
    names = tuple(cell.strip() for cell in cells[0]) if named else None
    return TextLayout(
        path,
        form.compressed,
        delimiter,
        squeeze,
        number,
        names,
        width=len(cells[0]),
        comments=tuple(top_comments(path, compressed=form.compressed)),
        unexpected=guess and delimiter != told and told is not None,
    )


def _told_or_found(path: Path, told: str | None, lines: list[tuple[int, str]]) -> str | None:
    """The delimiter that the ending tells, or another one if its first lines have that one instead, all of them."""
    number, first = lines[0]
    if told is None or told in first:
        return told
    found = [mark for mark in OTHER_DELIMITERS if mark != told and mark in first]
    if not found:
        return told
    widths = {len(split_line(line, found[0], squeeze=False)) for _, line in lines}
    if len(found) == 1 and len(widths) == 1 and not any(told in line for _, line in lines):
        return found[0]
    words = " and ".join(DELIMITER_WORDS[mark] for mark in found)
    raise GraphFormatError(
        f"There are no {DELIMITER_WORDS[told]} in line {number}, but {words}.",
        where=f"{path}, line {number}",
        hint=f"Say what stands between cells, as in delimiter={found[0]!r} (--delimiter {_quoted(found[0])}).",
    )


def _quoted(mark: str) -> str:
    return "'\\t'" if mark == "\t" else f"'{mark}'"


def check_delimiter(delimiter: str | None) -> str | None:
    r"""The delimiter, where ``\t`` may be written out.

    Raises:
        SettingsError: If it is not one character that may part cells.

    Example:
        >>> check_delimiter(";"), check_delimiter(r"\t")
        (';', '\t')
    """
    if delimiter == r"\t":
        return "\t"
    if delimiter is None or (len(delimiter) == 1 and delimiter.isascii() and delimiter not in '\n\r\0"'):
        return delimiter
    raise SettingsError(
        f"{delimiter!r} cannot stand between cells.",
        where="delimiter (--delimiter)",
        hint="Give one character, such as ',' or ';' or '\\t'.",
    )


def _delimiter(line: str, known: str | None) -> tuple[str, bool]:
    """What parts the cells of a line, and whether runs of it count once."""
    if known is not None:
        return known, known == " "
    if "\t" in line.strip():
        return "\t", False
    return (",", False) if "," in line and " " not in line.strip() else (" ", True)


def blank_line(path: Path, number: int) -> GraphFormatError:
    """The error for a line of white space."""
    return GraphFormatError(
        f"Line {number} is blank, but not empty: it holds white space.",
        where=f"{path}, line {number}",
        hint="Remove the line.",
    )


def check_utf8(path: Path, number: int, line: str) -> None:
    """Raise if the line is not UTF-8."""
    if not is_text(line):
        raise GraphFormatError(
            "This line is not UTF-8 text.",
            where=f"{path}, line {number}",
            hint="Save the file as UTF-8 (for example: iconv -f latin1 -t utf-8).",
        )


def is_number(cell: str) -> bool:
    """Whether a cell spells a number, whole or not."""
    return NUMBER.fullmatch(cell) is not None


def is_integer(cell: str) -> bool:
    """Whether a cell spells an integer, in any way."""
    return INTEGER.fullmatch(cell) is not None
