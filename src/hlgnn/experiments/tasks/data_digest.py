"""What a result says about the data that it was made from."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from hlgnn.catalog import DATASETS
from hlgnn.data.official_files import sha256_of
from hlgnn.errors import MissingFileError

DIGITS = 16


def data_digest(dataset: str) -> str:
    """Of a data set the checksums of its official files, of a table of one's own its content.

    Files of a data set are read only if they have these checksums, so the files need not be there to be known.

    Raises:
        MissingFileError: If it is neither a data set nor a file.
    """
    if dataset in DATASETS:
        stated = "".join(f"{each.path}:{sorted(each.sha256)}" for each in DATASETS[dataset].files)
        return hashlib.sha256(stated.encode()).hexdigest()[:DIGITS]
    path = Path(dataset)
    if not path.is_file():
        raise MissingFileError("There is no such data set, and no such table.", where=dataset)
    return _content(path, path.stat().st_mtime_ns, path.stat().st_size)


@lru_cache(maxsize=64)
def _content(path: Path, _changed: int, _size: int) -> str:
    return sha256_of(path)[:DIGITS]
