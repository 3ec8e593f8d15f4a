"""Cora, from the official files when they are there and from the copy that ships with the package when they are not."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from hlgnn.data.embedded import load_embedded_cora
from hlgnn.data.official_files import locate, missing_files
from hlgnn.data.planetoid import load_planetoid
from hlgnn.progress import silent

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data.dataset import Dataset, DatasetCard
    from hlgnn.progress import Progress


logger = logging.getLogger(__name__)


def load_cora(card: DatasetCard, home: Path, progress: Progress = silent) -> Dataset:
    """Read Cora; both sources give the same graph, node by node, with the papers' numbers as ids and their subjects.

    Raises:
        DatasetError: If all official files are there, and one of them is damaged.
    """
    embedded = load_embedded_cora()
    missing = missing_files(card, home)
    if missing:
        if len(missing) < len(card.files):
            logger.warning(
                "%d of %d official files of %s are missing in %s; the copy that ships with the package is used.",
                *(len(missing), len(card.files), card.title, locate(card, home)),
            )
        return embedded
    official = load_planetoid(card, home, progress)
    graph = replace(official.graph, node_ids=embedded.graph.node_ids)
    return replace(official, graph=graph, labels=embedded.labels)
