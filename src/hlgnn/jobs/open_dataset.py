"""From what a person types to a data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from hlgnn.catalog import DATASETS, load_dataset
from hlgnn.data import Dataset, load_own
from hlgnn.errors import MissingFileError, SettingsError
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from hlgnn.data import EdgeOptions


def open_dataset(
    name_or_path: str,
    /,
    *,
    features: Path | None = None,
    unknown: Literal["error", "add", "drop"] = "error",
    id_column: str | None = None,
    offline: bool = False,
    progress: Progress = silent,
    **options: Unpack[EdgeOptions],
) -> Dataset:
    """The data set of that name, or the table of edges at that path, read as ``load_own`` reads it.

    Raises:
        SettingsError: If ``name_or_path`` is a split, or is a data set and something is said about tables.
        UnknownNameError: If it is neither a data set nor looks like a path.
        MissingFileError: If there is no such file.
        GraphFormatError: If anything in a file is wrong; the message names the line.
    """
    if name_or_path in DATASETS:
        told = {"features": features, "id_column": id_column, **options}
        given = [name for name, value in told.items() if value is not None and value is not False]
        given += ["header"] if options.get("header") is False else []
        _refuse(name_or_path, given + (["unknown"] if unknown != "error" else []))
        return load_dataset(name_or_path, offline=offline, progress=progress)
    path = Path(name_or_path)
    if path.is_file():
        return load_own(path, features=features, unknown=unknown, id_column=id_column, progress=progress, **options)
    if is_split_folder(name_or_path):
        raise SettingsError(
            "The folder is a split already.",
            where=name_or_path,
            hint="Look at it with 'hlgnn audit', or name the table or data set that it was made from.",
        )
    if path.is_dir():
        raise MissingFileError(
            "The folder holds no split.", where=name_or_path, hint="Save one with 'hlgnn data split NAME --out FOLDER'."
        )
    if looks_like_path(name_or_path):
        raise MissingFileError(
            "There is no such file.", where=name_or_path, hint="Check the path, or see 'hlgnn data list'."
        )
    raise DATASETS.unknown(name_or_path)


def looks_like_path(name: str) -> bool:
    """Whether a word that is no data set is meant as a file: it is there, has an ending, or names a folder."""
    return Path(name).exists() or bool(Path(name).suffix) or "/" in name


def is_split_folder(target: str) -> bool:
    """Whether a path holds a saved split."""
    return target not in DATASETS and (Path(target) / "split.json").is_file()


def _refuse(target: str, given: list[str]) -> None:
    if given:
        raise SettingsError(
            f"{target!r} is a data set: its features, weights and times come with it.",
            where=", ".join(f"--{name.replace('_', '-')}" for name in given),
            hint="Use such options with a table of your own.",
        )
