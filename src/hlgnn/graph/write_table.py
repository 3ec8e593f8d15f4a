"""Columns as a file that is either complete or not there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from hlgnn.atomic import atomic_path
from hlgnn.errors import GraphFormatError, OutputError
from hlgnn.graph.file_format import format_of

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from hlgnn.graph.file_format import FileFormat


def write_links(path: str | os.PathLike[str], columns: Mapping[str, Any]) -> None:
    """Write columns of equal length, with their names, in the format that the ending of ``path`` stands for.

    Args:
        path: A .csv, .tsv or .txt file (tabs), each also with .gz, or a .parquet file.
        columns: Arrow arrays, numpy arrays or lists, by name.

    Raises:
        OutputError: If the ending is unknown or the file cannot be written; what was there before then stays.
    """
    destination = Path(path)
    try:
        form = format_of(destination)
    except GraphFormatError as error:
        raise OutputError(error.what, where=error.where, hint=error.hint) from error
    table = pa.table(
        {name: values if isinstance(values, pa.Array) else pa.array(values) for name, values in columns.items()}
    )
    with atomic_path(destination) as temporary:
        if form.parquet:
            pyarrow.parquet.write_table(table, temporary)
        else:
            _write_text(table, temporary, form)


def _write_text(table: pa.Table, path: Path, form: FileFormat) -> None:
    delimiter = form.delimiter or "\t"
    style = "needed" if _needs_quotes(table, delimiter) else "none"
    options = pyarrow.csv.WriteOptions(delimiter=delimiter, quoting_style=style)
    with pa.output_stream(path, compression="gzip" if form.compressed else None) as stream:
        pyarrow.csv.write_csv(table, stream, write_options=options)


def _needs_quotes(table: pa.Table, delimiter: str) -> bool:
    """Whether some text holds what would end a cell, or what reading would skip or strip."""
    special = f'["\\r\\n{delimiter}]|^[#%]|^\\s|\\s$|^$'
    texts = [pa.array(table.column_names), *(column for column in table.columns if pa.types.is_string(column.type))]
    return any(pc.any(pc.match_substring_regex(text, special)).as_py() for text in texts)
