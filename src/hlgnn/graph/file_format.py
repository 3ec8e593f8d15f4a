"""Which format the name of a table promises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import GraphFormatError, MissingFileError

if TYPE_CHECKING:
    from pathlib import Path

# None: white space, a tab or a comma, whichever the first line of data has.
DELIMITERS: dict[str, str | None] = {".csv": ",", ".tsv": "\t", ".txt": None, ".edges": None, ".edgelist": None}


@dataclass(frozen=True)
class FileFormat:
    """How a table is stored.

    Attributes:
        parquet: Whether it is Parquet; it is text otherwise.
        delimiter: What stands between the cells of a text; None if its first line must tell.
        compressed: Whether a text is compressed by gzip.
    """

    parquet: bool
    delimiter: str | None
    compressed: bool


def format_of(path: Path) -> FileFormat:
    r"""The format that the ending of ``path`` stands for.

    Raises:
        GraphFormatError: If it stands for none.

    Example:
        >>> from pathlib import Path
        >>> format_of(Path("links.tsv.gz"))
        FileFormat(parquet=False, delimiter='\t', compressed=True)
    """
    endings = [suffix.lower() for suffix in path.suffixes]
    compressed = endings[-1:] == [".gz"]
    ending = "".join(endings[-2:-1] if compressed else endings[-1:])
    if ending == ".parquet" and not compressed:
        return FileFormat(parquet=True, delimiter=None, compressed=False)
    if ending in DELIMITERS:
        return FileFormat(parquet=False, delimiter=DELIMITERS[ending], compressed=compressed)
    raise GraphFormatError(
        f"The ending {''.join(path.suffixes[-2:]) or '(none)'} stands for no format that can be read or written.",
        where=str(path),
        hint=f"Name the file {', '.join(DELIMITERS)} (each also with .gz), or .parquet.",
    )


def check_file(path: Path) -> None:
    """Raise if there is no file at ``path``."""
    if not path.exists():
        raise MissingFileError("There is no such file.", where=str(path), hint="Check the path.")
    if not path.is_file():
        raise MissingFileError("This is a folder, not a table.", where=str(path), hint="Name a file inside it.")
