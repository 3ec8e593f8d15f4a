"""A fitted estimator in a folder: the run, the graph, and the checksum of every file."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.catalog import DATASETS
from hlgnn.errors import OutputError, RunError
from hlgnn.estimators.fitted_run import INPUT, Workspace
from hlgnn.estimators.train_input import plain_value
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.settings import write_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlgnn.jobs.run_settings import RunSettings

MANIFEST, FORMAT = "predictor.json", 1
RUN_FILES = (
    "settings.toml", "versions.json", "result.json", "curve.jsonl", "weights.safetensors", "formulation.toml",
    "card.md", "study.json", "tail.safetensors", "report.html",
)  # fmt: skip
NEEDED = ("settings.toml", "result.json", "weights.safetensors")
PLAIN_NAME = re.compile(r"[^/\\\0]+")


def save_run(workspace: Workspace, folder: Path, parameters: Mapping[str, Any]) -> None:
    """Write everything into a folder that is free; all or nothing.

    Raises:
        RunError: If something is there already.
        OutputError: If it cannot be written.
    """
    RunFolder.require_free(folder)
    target = folder.resolve()
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    make_folder(partial / INPUT)
    try:
        for path in sorted(workspace.input.iterdir()):
            shutil.copyfile(path, partial / INPUT / path.name)
        for name in RUN_FILES:
            if (workspace.run / name).is_file():
                shutil.copyfile(workspace.run / name, partial / name)
        _move_paths(partial, target / INPUT)
        files = {
            path.relative_to(partial).as_posix(): _digest(path) for path in sorted(partial.rglob("*")) if path.is_file()
        }
        document = {"format": FORMAT, "parameters": dict(parameters), "files": files}
        with atomic_path(partial / MANIFEST) as temporary:
            temporary.write_text(json.dumps(document, indent=2, default=plain_value) + "\n", encoding="utf-8")
        partial.replace(target)
    except OSError as error:
        raise OutputError(f"It could not be written ({error.strerror or error}).", where=str(folder)) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def load_run_folder(folder: Path) -> tuple[Workspace, dict[str, Any] | None]:
    """A copy of a saved estimator, or of a finished run of ``hlgnn train``, and the parameters if they are known.

    Raises:
        RunError: If it is neither, or a file is not what was written.
    """
    workspace = Workspace()
    workspace.run.mkdir()
    manifest = folder / MANIFEST
    document = _read_manifest(manifest) if manifest.is_file() else None
    for name in RUN_FILES if document is None else document["files"]:
        source = folder / name
        if document is None and not source.is_file():
            if name in NEEDED:
                RunFolder.open(folder).result()  # says what is missing
                raise RunError("There is no such file.", where=str(source), hint="Train again.")
            continue
        target = workspace.input / Path(name).name if name.startswith(f"{INPUT}/") else workspace.run / name
        _copy(source, target, None if document is None else document["files"][name])
    if document is None:
        _adopt_tables(workspace)
        return workspace, None
    _move_paths(workspace.run, workspace.input)
    return workspace, document["parameters"]


def _copy(source: Path, target: Path, digest: str | None) -> None:
    if source.is_symlink() or not source.is_file():
        raise RunError("A file of the saved predictor is missing.", where=str(source), hint="Save it again.")
    shutil.copyfile(source, target)
    if digest is not None and _digest(target) != digest:
        raise RunError(
            "The file is not what was saved there: its checksum differs.",
            where=str(source),
            hint="Restore the folder from a copy, or save the predictor again.",
        )


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        complete = document["format"] == FORMAT and set(NEEDED) <= set(document["files"])
        named = all(_is_ours(name) and isinstance(value, str) for name, value in document["files"].items())
        if not (complete and named and isinstance(document["parameters"], dict)):
            raise RunError("It does not list the files of a predictor.", where=str(path))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunError(f"It cannot be read ({error}).", where=str(path)) from None
    return document


def _is_ours(name: str) -> bool:
    inside = name.removeprefix(f"{INPUT}/")
    return name in RUN_FILES or (name != inside and inside not in (".", "..") and bool(PLAIN_NAME.fullmatch(inside)))


def _adopt_tables(workspace: Workspace) -> None:
    """Copy the tables that a run of ``hlgnn train`` was made from, so that it stands alone; a data set has none."""
    settings = RunFolder.open(workspace.run).settings
    if settings.dataset in DATASETS or not Path(settings.dataset).is_file():
        return  # what is missing is told by the reader
    columns = settings.columns
    if columns.features is not None and Path(columns.features).is_file():
        features = workspace.input / f"nodes-{Path(columns.features).name}"
        columns = columns.model_copy(update={"features": str(shutil.copyfile(columns.features, features))})
    dataset = str(shutil.copyfile(settings.dataset, workspace.input / Path(settings.dataset).name))
    _write_settings(workspace.run, settings.model_copy(update={"dataset": dataset, "columns": columns}))


def _move_paths(run: Path, tables: Path) -> None:
    """Let the settings of a run name its own tables where they are now; a data set by name stays as it is."""
    settings = RunFolder.open(run).settings
    columns = settings.columns
    if columns.features is not None:
        columns = columns.model_copy(update={"features": str(tables / Path(columns.features).name)})
    dataset = settings.dataset
    if Path(dataset).is_absolute():
        dataset = str(tables / Path(dataset).name)
    _write_settings(run, settings.model_copy(update={"dataset": dataset, "columns": columns}))


def _write_settings(run: Path, settings: RunSettings) -> None:
    with atomic_path(run / "settings.toml") as temporary:
        temporary.write_text(write_toml(settings), encoding="utf-8")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
