"""The official files of a data set: where they are, and that they are what they should be."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from hlgnn.errors import DatasetError
from hlgnn.progress import silent

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data.dataset import DatasetCard, RemoteFile
    from hlgnn.progress import Progress

CHUNK = 1 << 20

logger = logging.getLogger(__name__)


def locate(card: DatasetCard, home: Path) -> Path:
    """The folder of a data set below ``home``: the one that holds most of its files, and ours when none holds any."""
    folders = [home / folder for folder in card.folders]
    return max(folders, key=lambda folder: sum((folder / file.path).is_file() for file in card.files))


def missing_files(card: DatasetCard, home: Path) -> tuple[RemoteFile, ...]:
    """The files of a data set that are not there."""
    folder = locate(card, home)
    return tuple(file for file in card.files if not (folder / file.path).is_file())


def require_files(card: DatasetCard, home: Path, progress: Progress = silent) -> dict[str, Path]:
    """The path of every file of a data set, each one checked, by its name within the folder.

    Raises:
        DatasetError: If a file is missing, or is not what was published.
    """
    folder = locate(card, home)
    paths = {}
    for number, file in enumerate(card.files):
        progress(f"Checking {card.title}", number, len(card.files))
        paths[file.path] = require_file(card, file, folder)
    progress(f"Checking {card.title}", len(card.files), len(card.files))
    return paths


def require_file(card: DatasetCard, file: RemoteFile, folder: Path) -> Path:
    """The path of one file, whose content was compared with its official checksum.

    Raises:
        DatasetError: If it is missing, or is not what was published.
    """
    path = folder / file.path
    if not path.is_file():
        raise DatasetError(
            f"The file of {card.title} is missing.",
            where=str(path),
            hint=f"Run 'hlgnn data download {card.name}', or get {file.url} and {_place(file, folder)}.",
        )
    if not file.sha256:
        logger.info("No official checksum is known for %s; it is read with the restricted reader only.", path)
        return path
    check_content(path, file.sha256, hint=f"Delete it and run 'hlgnn data download {card.name}'.")
    return path


def check_content(path: Path, accepted: tuple[str, ...], *, hint: str) -> None:
    """Compare a file with the checksums that are accepted.

    Raises:
        DatasetError: If it has none of them.
    """
    found = sha256_of(path)
    if found not in accepted:
        expected = " or ".join(accepted)
        raise DatasetError(
            f"It is not the official file: its SHA-256 is {found}, not {expected}.", where=str(path), hint=hint
        )


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _place(file: RemoteFile, folder: Path) -> str:
    if not file.archive_folder:
        return f"put it into {(folder / file.path).parent}"
    return f"unpack its folder '{file.archive_folder}' as {folder}"
