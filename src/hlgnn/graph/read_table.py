"""Columns of a text or Parquet table, and the place of any of its rows for an error message."""

from __future__ import annotations

import gzip
import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from hlgnn.errors import GraphFormatError
from hlgnn.graph.file_format import check_file, format_of
from hlgnn.graph.text_layout import TextLayout, blank_line, check_delimiter, check_utf8, find_layout
from hlgnn.graph.text_lines import is_comment, numbered_lines, readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from hlgnn.graph.text_layout import HeaderTest

# A block must hold a line, and lines of many columns are long.
BLOCK_BYTES = 1 << 22
WIDE_BLOCK_BYTES = 1 << 26
MANY_COLUMNS = 64

IRREGULAR_BLANKS = (b"  ", b"\t", b" \n", b"\n ", b" \r", b"\r ")


@dataclass(frozen=True)
class RawTable:
    """A table that was looked at, and not read yet.

    Attributes:
        path: Where it is.
        layout: How its text is laid out; None for Parquet.
        names: The names of its columns, if it has any.
        width: The number of its columns.
    """

    path: Path
    layout: TextLayout | None
    names: tuple[str, ...] | None
    width: int

    @property
    def top(self) -> str:
        """Where to say that the columns are wrong."""
        return str(self.path) if self.layout is None else f"{self.path}, line {self.layout.first_line}"

    def column_name(self, column: int) -> str:
        """What to call a column in a message."""
        return repr(self.names[column]) if self.names else str(column + 1)

    def read(self, types: Mapping[int, pa.DataType]) -> dict[int, pa.ChunkedArray]:
        """The columns at the positions in ``types``, as those types (Parquet: as they are).

        Raises:
            GraphFormatError: If a line is not UTF-8, has too few or too many cells, or a cell is not of its type.
        """
        if self.layout is None:
            chosen = [(self.names or ())[column] for column in types]
            table = _read_parquet(self.path, chosen)
            return {column: table.column(name) for column, name in zip(types, chosen, strict=True)}
        try:
            with readable(self.path):
                table = _read_text(self.layout, types)
        except pa.ArrowInvalid as error:
            raise self.diagnose(types, str(error)) from error
        return {column: table.column(str(column)) for column in types}

    def place(self, row: int) -> str:
        """Where row number ``row``, from 0, stands in the file."""
        if self.layout is None:
            return f"{self.path}, row {row + 1}"
        return f"{self.path}, {self.short_place(row)}"

    def short_place(self, row: int) -> str:
        """``line 7``, or ``row 7`` in Parquet."""
        if self.layout is None:
            return f"row {row + 1}"
        number, _ = next(itertools.islice(data_lines(self.layout), row, None))
        return f"line {number}"

    def diagnose(self, types: Mapping[int, pa.DataType], reason: str) -> GraphFormatError:
        """The first thing that is wrong with the text, line by line; ``reason`` if nothing else is found."""
        try:
            if self.layout is not None:
                for number, line in data_lines(self.layout):
                    self._check_line(self.layout, number, line, types)
        except GraphFormatError as error:
            return error
        return GraphFormatError(f"The table cannot be read ({reason}).", where=str(self.path), hint="Check its lines.")

    def _check_line(self, layout: TextLayout, number: int, line: str, types: Mapping[int, pa.DataType]) -> None:
        """Raise if a line is not UTF-8, has too few or too many cells, or text where numbers belong."""
        check_utf8(self.path, number, line)
        cells, where = layout.cells(line), f"{self.path}, line {number}"
        if len(cells) != self.width and line.isspace():
            raise blank_line(self.path, number)
        if len(cells) != self.width and is_comment(line):
            raise GraphFormatError(
                f"This line looks like a comment: {line!r}.",
                where=where,
                hint="Comments are skipped at the top of a file only: remove this line.",
            )
        if len(cells) != self.width:
            raise GraphFormatError(
                f"This line has {len(cells)} columns, but the first one has {self.width}.",
                where=where,
                hint='Put text that holds the delimiter between quotes ("), or set delimiter (--delimiter).',
            )
        for column in (column for column, kind in types.items() if pa.types.is_floating(kind)):
            if not is_number(cells[column]):
                raise GraphFormatError(
                    f"{cells[column]!r} in column {self.column_name(column)} is not a number.",
                    where=where,
                    hint="Every cell of this column must be a number.",
                )


def open_table(path: Path, *, delimiter: str | None, header: bool | None, is_header: HeaderTest) -> RawTable:
    """Look at the table at ``path``.

    Raises:
        MissingFileError: If there is no such file.
        GraphFormatError: If its ending is unknown, or its first lines make no table.
        SettingsError: If ``delimiter`` is not one character.
    """
    delimiter = check_delimiter(delimiter)
    check_file(path)
    if format_of(path).parquet:
        names = tuple(_schema(path).names)
        return RawTable(path, None, names, len(names))
    layout = find_layout(path, delimiter=delimiter, header=header, is_header=is_header)
    return RawTable(path, layout, layout.header, layout.width)


def data_lines(layout: TextLayout) -> Iterator[tuple[int, str]]:
    """The lines of data, with their numbers; what pyarrow calls rows."""
    lines = numbered_lines(layout.path, compressed=layout.compressed)
    if layout.squeeze:
        lines = ((number, line) for number, line in lines if not line.isspace())
    return itertools.islice(lines, int(layout.header is not None), None)


def is_number(cell: str) -> bool:
    """Whether a cell spells a number, among them nan and inf."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def _read_text(layout: TextLayout, types: Mapping[int, pa.DataType]) -> pa.Table:
    source = _squeezed(layout) if layout.squeeze else str(layout.path)
    if layout.compressed and not layout.squeeze:
        source = pa.input_stream(source, compression="gzip")
    return pyarrow.csv.read_csv(
        source,
        read_options=pyarrow.csv.ReadOptions(
            column_names=[str(column) for column in range(layout.width)],
            skip_rows=layout.first_line - 1 + (layout.header is not None),
            block_size=BLOCK_BYTES if layout.width <= MANY_COLUMNS else WIDE_BLOCK_BYTES,
        ),
        parse_options=pyarrow.csv.ParseOptions(delimiter=layout.delimiter, quote_char=False if layout.squeeze else '"'),
        convert_options=pyarrow.csv.ConvertOptions(
            include_columns=[str(column) for column in types],
            column_types={str(column): kind for column, kind in types.items()},
            null_values=[],  # an empty cell is an empty id, or no number
            check_utf8=False,  # whoever turns bytes into text checks what is left of them then
        ),
    )


def _squeezed(layout: TextLayout) -> pa.BufferReader:
    """The whole text, with every run of blanks and tabs turned into one blank, and none at the ends of lines."""
    data = gzip.decompress(layout.path.read_bytes()) if layout.compressed else layout.path.read_bytes()
    if data.startswith(b" ") or data.endswith(b" ") or any(blanks in data for blanks in IRREGULAR_BLANKS):
        data = re.sub(rb"[ \t]+", b" ", data)
        data = re.sub(rb"(?<=[\r\n]) | (?=[\r\n])|\A | \Z", b"", data)
    return pa.BufferReader(data)


def _schema(path: Path) -> pa.Schema:
    try:
        return pyarrow.parquet.read_schema(path)
    except (pa.ArrowException, OSError) as error:
        raise _no_parquet(path, error) from error


def _read_parquet(path: Path, names: list[str]) -> pa.Table:
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            return file.read(columns=names)
    except (pa.ArrowException, OSError) as error:
        raise _no_parquet(path, error) from error


def _no_parquet(path: Path, error: Exception) -> GraphFormatError:
    if isinstance(error, OSError) and error.errno is not None:
        return GraphFormatError(f"It cannot be read ({error}).", where=str(path), hint="Check that you may read it.")
    return GraphFormatError(
        "The file is no Parquet file, or is damaged.",
        where=str(path),
        hint="Write it again, or give it the ending of its format.",
    )
