"""What is installed, what the machine offers, and where data lives."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numba import get_num_threads, njit

from hlgnn.catalog import DATASETS
from hlgnn.data import data_home, is_offline
from hlgnn.jobs.dataset_status import state

if TYPE_CHECKING:
    from pathlib import Path

CORE = ("torch", "numba", "numpy", "scipy", "pyarrow", "scikit-learn", "typer", "rich")
OPTIONAL = ("networkx", "pandas", "polars", "torch_geometric", "fastapi", "uvicorn", "optuna")


@dataclass(frozen=True)
class Diagnosis:
    """One fact about this installation.

    Attributes:
        topic: What it is about.
        value: What was found.
        fine: Whether everything works.
        hint: What to do if not.
    """

    topic: str
    value: str
    fine: bool = True
    hint: str = ""


def diagnose(home: Path | None = None) -> list[Diagnosis]:
    """Look at the packages, the processor, the kernels and the data folder."""
    return [
        Diagnosis("hlgnn", importlib.metadata.version("hlgnn")),
        Diagnosis("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        *(_package(name, required=True) for name in CORE),
        *(_package(name, required=False) for name in OPTIONAL),
        Diagnosis("threads", f"{torch.get_num_threads()} (torch), {get_num_threads()} (numba)"),
        Diagnosis("memory", _memory()),
        Diagnosis("devices", _devices()),
        _kernels(),
        *_data(data_home(home)),
    ]


def _package(name: str, *, required: bool) -> Diagnosis:
    try:
        return Diagnosis(name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        if required:
            return Diagnosis(name, "missing", fine=False, hint="Install hlgnn again.")
        return Diagnosis(name, "not installed (optional)")


def _memory() -> str:
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return f"{pages * size / 2**30:.1f} GiB"


def _devices() -> str:
    found = ["cpu"]
    if torch.cuda.is_available():
        found += [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
    if torch.backends.mps.is_available():
        found.append("mps")
    return ", ".join(found)


def _kernels() -> Diagnosis:
    """Compile and run a small kernel, as everything fast here does."""
    try:
        total = njit(lambda values: values.sum())(np.arange(5))
    except Exception as error:
        return Diagnosis("compiled kernels", f"fail: {error}", fine=False, hint="Install numba again.")
    return Diagnosis("compiled kernels", "work" if total == 10 else "give wrong results", fine=total == 10)


def _data_folder(home: Path) -> Diagnosis:
    origin = "HLGNN_DATA" if os.environ.get("HLGNN_DATA") else "default"
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    if not there.is_dir():
        hint = "Set HLGNN_DATA to a folder." if origin == "HLGNN_DATA" else "Move the file away."
        return Diagnosis("data folder", f"{home} ({origin}): {there} is a file.", fine=False, hint=hint)
    free = shutil.disk_usage(there).free
    return Diagnosis("data folder", f"{home} ({origin}), {free / 2**30:.1f} GiB free")


def _data(home: Path) -> list[Diagnosis]:
    states = {card.name: state(card, home) for card in DATASETS.values()}
    listed = {
        word: [name for name, found in states.items() if found == word] for word in ("present", "embedded", "missing")
    }
    return [
        _data_folder(home),
        Diagnosis("downloads", "forbidden by HLGNN_OFFLINE" if is_offline() else "allowed"),
        *(Diagnosis(f"data sets {word}", ", ".join(names) or "none") for word, names in listed.items()),
    ]
