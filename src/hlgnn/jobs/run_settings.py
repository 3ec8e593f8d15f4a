"""Everything that a run depends on, as one value that a file can hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SerializeAsAny, model_validator

from hlgnn.catalog import DATASETS, MODELS
from hlgnn.data import PROTOCOLS
from hlgnn.errors import SettingsError
from hlgnn.models import HLGNNSettings
from hlgnn.settings import Settings, parse_settings, read_toml
from hlgnn.training.train_settings import TrainSettings


class OwnColumns(Settings):
    """How a table of one's own is read.

    Attributes:
        features: The table of features, if there is one.
        source: The column with one end of each edge.
        target: The column with the other end.
        weight: The column with weights.
        time: The column with times.
        header: Whether the first line names the columns, if that does not show.
        delimiter: What stands between cells, if the ending does not tell.
        strip_ids: Whether white space around ids is trimmed.
        id_column: The column of ids in the table of features.
        unknown: What to do with features of nodes without links.
    """

    features: str | None = None
    source: str | None = None
    target: str | None = None
    weight: str | None = None
    time: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    strip_ids: bool = False
    id_column: str | None = None
    unknown: Literal["error", "add", "drop"] = "error"


class RunSettings(Settings):
    """One run.

    Attributes:
        dataset: A data set by name, or the path of a table of edges.
        protocol: How it is split, by name.
        seed: What the split, the first weights and the batches are drawn from.
        model_name: The method, by name.
        preset: The preset that the settings come from.
        columns: How a table of one's own is read.
        model: The settings of the method.
        train: The settings of training.
        memory: Bytes that the process may take while it trains; without them it works as the settings say.
        automatic: Whether the best heuristic is used where the model does not earn its keep.
    """

    dataset: str
    protocol: str
    seed: Annotated[int, Field(ge=0)] = 0
    model_name: str = "hlgnn"
    preset: str = "default"
    columns: OwnColumns = OwnColumns()
    model: SerializeAsAny[Settings] = HLGNNSettings()
    train: TrainSettings = TrainSettings()
    memory: Annotated[int, Field(ge=1)] | None = None
    automatic: bool = False

    @model_validator(mode="before")
    @classmethod
    def _own_kind(cls, values: dict[str, Any]) -> dict[str, Any]:
        """The settings of the model have the type that its card names."""
        kind = MODELS[values.get("model_name", "hlgnn")].settings
        chosen = values.get("model", {})
        return values | {"model": chosen if isinstance(chosen, kind) else parse_settings(kind, chosen, where="model.")}

    @property
    def run_name(self) -> str:
        """A name for a folder of runs that differ in their seed only."""
        return "-".join((Path(self.dataset).stem, self.protocol, self.model_name, self.preset))


def default_protocol(dataset: str) -> str:
    """``ogb`` for data sets with an official split, else ``paper``."""
    return "ogb" if dataset in DATASETS and DATASETS[dataset].name.startswith("ogbl-") else "paper"


def make_run_settings(values: dict[str, Any], *, where: str = "") -> RunSettings:
    """Settings of a run from plain values.

    Raises:
        UnknownNameError: If the protocol or the model has no such name.
        SettingsError: If a name is unknown or a value illegal.
    """
    if values.get("protocol") is not None:
        PROTOCOLS[values["protocol"]]
    return parse_settings(RunSettings, values, where=where)


def read_run_settings(path: Path) -> RunSettings:
    """The settings that a run folder keeps.

    Raises:
        SettingsError: If the file is not what ``hlgnn train`` writes.
    """
    values = read_toml(path)
    if "dataset" not in values or "protocol" not in values:
        raise SettingsError("It says neither data set nor protocol.", where=str(path))
    return make_run_settings(values, where=str(path))
