"""All files of a data set, fetched and unpacked into the folder that the reader looks in."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import zipfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hlgnn.atomic import atomic_path
from hlgnn.data.download import download
from hlgnn.data.official_files import check_content, locate, missing_files, require_files
from hlgnn.errors import AbsentDataError, DatasetError
from hlgnn.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.data.dataset import DatasetCard, RemoteFile
    from hlgnn.progress import Progress


def download_dataset(card: DatasetCard, home: Path, *, progress: Progress = silent, offline: bool = False) -> Path:
    """Fetch what is missing of a data set below ``home``, check all of it, and return its folder.

    Files that are there already are checked but never replaced. Of several processes that miss something, one fetches
    it, and the others wait.

    Raises:
        DatasetError: If something is missing and may not (``offline``, or ``HLGNN_OFFLINE=1``) or cannot be fetched,
            or if a file is not what was published.
    """
    missing = missing_files(card, home)
    folder = locate(card, home)
    if missing and (offline or is_offline()):
        raise _offline_error(card, missing, folder)
    if missing:
        with _one_at_a_time(folder):
            for file in missing:
                if not (folder / file.path).is_file():  # another process, or the archive of another file, brought it
                    _get(file, folder, progress)
    require_files(card, home, progress)
    return folder


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process fetches into the same folder; a lock goes with the process that holds it."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder.parent, os.O_RDONLY)
    except OSError:  # what is wrong with the folder is said when something is stored there
        yield
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def is_offline() -> bool:
    """Whether ``HLGNN_OFFLINE`` forbids to fetch anything."""
    return os.environ.get("HLGNN_OFFLINE", "").lower() not in ("", "0", "no", "false")


def unpack(archive: Path, top: str, folder: Path, progress: Progress = silent) -> None:
    """Unpack the folder ``top`` of a zip archive as ``folder``; files that are there already stay as they are.

    Raises:
        DatasetError: If the archive is damaged, or if a member would land outside ``folder``.
    """
    try:
        with zipfile.ZipFile(archive) as content:
            inside = [member for member in content.infolist() if not member.is_dir()]
            targets = [folder / _path_below(top, member.filename, archive) for member in inside]
            for number, (member, target) in enumerate(zip(inside, targets, strict=True)):
                progress(f"Unpacking {archive.name}", number, len(inside))
                if not target.exists():
                    _unpack_member(content, member, target)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise DatasetError(
            f"The archive is damaged ({error}).", where=str(archive), hint="Delete it and download it again."
        ) from error


def _get(file: RemoteFile, folder: Path, progress: Progress) -> None:
    if not file.archive_folder:
        download(file.url, folder / file.path, sha256=file.sha256, size=file.size, progress=progress)
        return
    archive = folder.parent / PurePosixPath(urlsplit(file.url).path).name
    brought = archive.exists()  # put there by hand: checked, and left where it is
    if brought and file.archive_sha256:
        check_content(archive, file.archive_sha256, hint="Delete it and download it again.")
    if not brought:
        download(file.url, archive, sha256=file.archive_sha256, size=file.size, progress=progress)
    unpack(archive, file.archive_folder, folder, progress)
    if not brought:
        archive.unlink()


def _path_below(top: str, name: str, archive: Path) -> Path:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or path.parts[0] != top:
        raise DatasetError(
            f"Its member {name!r} is not below {top!r}; nothing was unpacked.",
            where=str(archive),
            hint="Delete the archive: it is not the official one.",
        )
    return Path(*path.parts[1:])


def _unpack_member(content: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(target) as temporary, content.open(member) as source, temporary.open("wb") as file:
        shutil.copyfileobj(source, file)


def _offline_error(card: DatasetCard, missing: tuple[RemoteFile, ...], folder: Path) -> AbsentDataError:
    names = ", ".join(file.path for file in missing)
    addresses = ", ".join(dict.fromkeys(file.url for file in missing))
    return AbsentDataError(
        f"Files of {card.title} are missing ({names}), and nothing may be fetched offline.",
        where=str(folder),
        hint=f"Run 'hlgnn data download {card.name}' on a computer that is online and copy the folder, "
        f"or put the files there by hand from {addresses}.",
    )
