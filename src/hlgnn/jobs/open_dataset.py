"""From what a person types to a data set."""

from __future__ import annotations

from pathlib import Path

from hlgnn.catalog import DATASETS, load_dataset
from hlgnn.data import Dataset, load_own
from hlgnn.errors import MissingFileError, SettingsError
from hlgnn.progress import Progress, silent


def open_dataset(
    target: str,
    *,
    features: Path | None = None,
    time: str | None = None,
    offline: bool = False,
    progress: Progress = silent,
) -> Dataset:
    """The data set of that name, or the table of edges at that path."""
    if target in DATASETS:
        if features or time:
            raise SettingsError(
                f"{target!r} is a data set: its features and times come with it.",
                where="--features, --time",
                hint="Use these options with a table of your own.",
            )
        return load_dataset(target, offline=offline, progress=progress)
    path = Path(target)
    if path.is_file():
        return load_own(path, features=features, time=time)
    if path.is_dir():
        raise MissingFileError(
            "The folder holds no split.", where=target, hint="Save one with 'hlgnn data split NAME --out FOLDER'."
        )
    if path.suffix or "/" in target:
        raise MissingFileError("There is no such file.", where=target, hint="Check the path, or see 'hlgnn data list'.")
    raise DATASETS.unknown(target)


def is_split_folder(target: str) -> bool:
    """Whether a path holds a saved split."""
    return target not in DATASETS and (Path(target) / "split.json").is_file()
