"""Everything that has a name: the one place that knows all data sets and all methods."""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from hlgnn.baselines import buddy, matrix_factorization
from hlgnn.baselines.deepwalk import CARD as DEEPWALK_CARD
from hlgnn.baselines.gat import CARD as GAT_CARD
from hlgnn.baselines.gcn import CARD as GCN_CARD
from hlgnn.baselines.heuristic import CARDS as HEURISTIC_CARDS
from hlgnn.baselines.mlp import CARD as MLP_CARD
from hlgnn.baselines.nbfnet.model import CARD as NBFNET_CARD
from hlgnn.baselines.ncn import NCN_CARD, NCNC_CARD
from hlgnn.baselines.neo_gnn import CARD as NEO_GNN_CARD
from hlgnn.baselines.node2vec import CARD as NODE2VEC_CARD
from hlgnn.baselines.sage import CARD as SAGE_CARD
from hlgnn.baselines.seal.model import CARD as SEAL_CARD
from hlgnn.data import CARDS, data_home, download_dataset, missing_files
from hlgnn.errors import PluginError
from hlgnn.models import ModelCard
from hlgnn.models.closed_form import CARD as CLOSED_FORM_CARD
from hlgnn.models.ensemble import CARD as ENSEMBLE_CARD
from hlgnn.models.frozen_encoder import CARD as FROZEN_CARD
from hlgnn.models.hlgnn import CARD as HLGNN_CARD
from hlgnn.models.zero import CARD as ZERO_CARD
from hlgnn.progress import silent
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hlgnn.data import Dataset, DatasetCard
    from hlgnn.progress import Progress

PREFIX = "ogbl-"
ENTRY_POINTS = "hlgnn.models"


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


class ModelRegistry(Registry["ModelCard"]):
    """Cards by name: those of the package, and those of installed packages that have an entry point ``hlgnn.models``.

    Other packages are looked for when a name is first asked for; their cards do not take the place of ours.
    """

    def __init__(self, cards: Iterable[ModelCard]) -> None:
        super().__init__("model", {})
        self._own = {card.name: card for card in cards}
        del self._entries  # they are found below when they are first asked for

    @cached_property
    def _entries(self) -> dict[str, ModelCard]:  # type: ignore[override]
        return {**_plugged_in(), **self._own}


def _plugged_in() -> dict[str, ModelCard]:
    cards = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            card = point.load()
        except Exception as error:  # whatever a package of others does when it is imported
            raise PluginError(
                f"The method {point.name!r} of another package cannot be loaded: {error!r}.",
                where=point.value,
                hint="Mend or uninstall that package.",
            ) from error
        if not isinstance(card, ModelCard):
            raise PluginError(f"The entry point {point.name!r} is no ModelCard.", where=point.value)
        cards[card.name] = card
    return cards


MODELS = ModelRegistry(
    (
        HLGNN_CARD,
        ENSEMBLE_CARD,
        ZERO_CARD,
        CLOSED_FORM_CARD,
        FROZEN_CARD,
        *HEURISTIC_CARDS,
        matrix_factorization.CARD,
        NODE2VEC_CARD,
        DEEPWALK_CARD,
        MLP_CARD,
        GCN_CARD,
        GAT_CARD,
        SAGE_CARD,
        SEAL_CARD,
        NBFNET_CARD,
        NEO_GNN_CARD,
        buddy.CARD,
        NCN_CARD,
        NCNC_CARD,
    )
)
"""Every method that can be trained or measured, by name."""
