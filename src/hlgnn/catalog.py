"""Everything that has a name: the one place that knows all data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.data import CARDS, data_home, download_dataset, missing_files
from hlgnn.models.frozen_encoder import CARD as FROZEN_CARD
from hlgnn.models.hlgnn import CARD as HLGNN_CARD
from hlgnn.progress import silent
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data import Dataset, DatasetCard
    from hlgnn.models import ModelCard
    from hlgnn.progress import Progress

PREFIX = "ogbl-"


class DatasetRegistry(Registry["DatasetCard"]):
    """Cards by name; those of OGB also without the prefix ``ogbl-``, under which they are not listed twice.

    Example:
        >>> DATASETS["Collab"].name
        'ogbl-collab'
    """

    def __getitem__(self, name: str) -> DatasetCard:
        return super().__getitem__(f"{PREFIX}{name}" if self._is_short(name) else name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or self._is_short(name)

    def _is_short(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(PREFIX + name)


DATASETS = DatasetRegistry("data set", {card.name: card for card in CARDS})


def find_dataset(name: str) -> DatasetCard:
    """The card of a data set, by its name or its short name.

    Raises:
        UnknownNameError: If there is no such data set.
    """
    return DATASETS[name]


def load_dataset(name: str, *, home: Path | None = None, offline: bool = False, progress: Progress = silent) -> Dataset:
    """Read a data set, fetching it first if its files are missing.

    Args:
        name: Its name, such as ``cora`` or ``ogbl-ddi`` (``ddi`` for short).
        home: The folder of all data sets; without it that of ``HLGNN_DATA``, or the cache folder of the user.
        offline: Whether nothing may be fetched; ``HLGNN_OFFLINE=1`` says the same.
        progress: Called while files are fetched, checked and read.

    Raises:
        UnknownNameError: If there is no such data set.
        DatasetError: If its files cannot be had, or are not the official ones.
    """
    card, folder = find_dataset(name), data_home(home)
    if not card.embedded and missing_files(card, folder):
        download_dataset(card, folder, progress=progress, offline=offline)
    return card.load(card, folder, progress)


MODELS: Registry[ModelCard] = Registry("model", {card.name: card for card in (HLGNN_CARD, FROZEN_CARD)})
"""Every method that can be trained, by name."""
