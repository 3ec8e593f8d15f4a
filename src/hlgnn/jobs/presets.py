"""Settings that come with the package: those of the paper, a small one, ours, and that of ablations."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import atomic_path
from hlgnn.catalog import DATASETS, MODELS
from hlgnn.data import PROTOCOLS
from hlgnn.errors import OutputError, SettingsError
from hlgnn.jobs.open_dataset import looks_like_path
from hlgnn.jobs.run_settings import RunSettings, default_protocol, make_run_settings
from hlgnn.registry import Registry
from hlgnn.settings import merged, override, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEFAULT = "default"
OWN = "own"
"""The folder of presets for graphs that are no data set of the package."""


@dataclass(frozen=True)
class Preset:
    """Settings with what was published for them.

    Attributes:
        model_name: The method.
        dataset: The data set, or ``own``.
        name: ``default``, ``paper``, ``small``, ``plain`` or ``orders``.
        values: The settings as plain values, by section.
        under: What of them is different under a protocol, by its name: ``[under.heart.train]`` in the file.
        published: The published number and its source, and on which settings the source is silent.
        text: The file as it is.
    """

    model_name: str
    dataset: str
    name: str
    values: dict[str, Any]
    under: dict[str, dict[str, Any]]
    published: dict[str, Any]
    text: str

    def values_under(self, protocol: str) -> dict[str, Any]:
        """The settings as they are under a protocol."""
        return merged(self.values, self.under.get(protocol, {}))


def list_presets() -> list[Preset]:
    """All of them, by method, data set and name."""
    return list(_packaged())


@lru_cache(maxsize=1)
def _packaged() -> tuple[Preset, ...]:
    root = resources.files("hlgnn") / "presets"
    files = sorted(str(path.relative_to(str(root))) for path in Path(str(root)).rglob("*.toml"))
    return tuple(_read(Path(str(root)) / file) for file in files)


def find_preset(dataset: str, name: str = "default", model_name: str = "hlgnn") -> Preset:
    """The preset of a data set; that of ``own`` for any other graph, and where a method has none for the data set.

    The default preset of a method that comes with none says nothing: its settings are as they are at first.

    Raises:
        UnknownNameError: If there is no such preset, or the name is neither a data set nor looks like a path.
    """
    if dataset not in DATASETS and dataset != OWN and not looks_like_path(dataset):
        raise DATASETS.unknown(dataset)
    folder = DATASETS[dataset].name.removeprefix("ogbl-") if dataset in DATASETS else OWN
    owner = MODELS[model_name].presets_of or model_name
    presets = [preset for preset in list_presets() if preset.model_name == owner]
    known = {preset.name: preset for preset in presets if preset.dataset == folder}
    if not known:
        folder, known = OWN, {preset.name: preset for preset in presets if preset.dataset == OWN}
    if not known and name == DEFAULT:
        return Preset(MODELS[model_name].name, OWN, name, {}, {}, {}, "")
    return Registry(f"preset of {model_name} for {folder}", known)[name]


def settings_for(
    dataset: str,
    *,
    model_name: str = "hlgnn",
    preset: str = "default",
    protocol: str | None = None,
    seed: int = 0,
    changes: Sequence[str] = (),
    columns: Mapping[str, Any] | None = None,
) -> RunSettings:
    """The settings of a run: a preset, or a TOML file, with what is said otherwise.

    Args:
        dataset: A data set by name, or the path of a table of edges.
        model_name: The method.
        preset: The name of a preset, or a file that ends with ``.toml``.
        protocol: How to split, instead of what the preset says; with a column of times, ``time`` instead.
        seed: What everything is drawn from.
        changes: Such as ``"train.epochs=50"``.
        columns: How a table of one's own is read.

    Example:
        >>> settings_for("cora", changes=["train.epochs=5"]).train.epochs
        5
    """
    found = _from_file(Path(preset)) if preset.endswith(".toml") else find_preset(dataset, preset, model_name)
    told: dict[str, Any] = {"dataset": _place(dataset), "model_name": model_name, "seed": seed, "preset": found.name}
    if columns:
        told["columns"] = {key: _place(value) if key == "features" else value for key, value in columns.items()}
    by_time = "time" if columns and columns.get("time") else None
    chosen = protocol or by_time or found.values.get("protocol") or default_protocol(dataset)
    values = {**found.values_under(chosen), **told, "protocol": chosen}
    return override(make_run_settings(values, where=preset), list(changes))


def _place(name: str) -> str:
    """The whole path of a file, so that a run can be read from any working folder; a data set's name as it is."""
    return name if name in DATASETS or not Path(name).exists() else str(Path(name).resolve())


def _read(path: Path) -> Preset:
    text = path.read_text(encoding="utf-8")
    values = tomllib.loads(text)
    under, published = values.pop("under", {}), values.pop("published", {})
    return Preset(path.parent.parent.name, path.parent.name, path.stem, values, under, published, text)


def _from_file(file: Path) -> Preset:
    """A preset of one's own.

    Raises:
        MissingFileError: If there is no such file.
        SettingsError: If it is no TOML, or speaks of a protocol that is none.
    """
    values = read_toml(file)
    under, published = values.pop("under", {}), values.pop("published", {})
    if not isinstance(under, dict) or not all(isinstance(each, dict) for each in under.values()):
        raise SettingsError("It holds no sections.", where=f"{file} under", hint="Write [under.heart.train], say.")
    for name in under:
        if name not in PROTOCOLS:
            raise SettingsError(str(PROTOCOLS.unknown(name)), where=f"{file} under")
    return Preset("", OWN, file.stem, values, under, published, "")


def copy_preset(dataset: str, file: Path, name: str = "default", model_name: str = "hlgnn") -> None:
    """Write a preset to a file that is not there yet.

    Raises:
        OutputError: If there is one, or it cannot be written.
    """
    if file.exists():
        raise OutputError("There is such a file already.", where=str(file), hint="Choose another name.")
    with atomic_path(file) as temporary:
        temporary.write_text(find_preset(dataset, name, model_name).text, encoding="utf-8")
