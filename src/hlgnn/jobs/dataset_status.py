"""Which data sets are at hand, and whether their files hold what their cards say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hlgnn.data import locate, missing_files

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data import Dataset, DatasetCard

State = Literal["present", "embedded", "missing"]


@dataclass(frozen=True)
class Statistic:
    """One number of a card beside the one counted from the files.

    Attributes:
        name: What is counted.
        card: What the card says.
        counted: What the files hold, if they are there.
        comparable: Whether both count the same thing; a publisher may count repeats that a graph has not.
    """

    name: str
    card: int
    counted: int | None = None
    comparable: bool = True

    @property
    def agrees(self) -> bool:
        """Whether both are the same, or there is nothing to compare."""
        return self.counted is None or not self.comparable or self.counted == self.card


def state(card: DatasetCard, home: Path) -> State:
    """Whether the official files are there, a copy ships with the package, or neither."""
    if not missing_files(card, home):
        return "present"
    return "embedded" if card.embedded else "missing"


def folder_of(card: DatasetCard, home: Path) -> Path:
    """Where the official files are, or belong."""
    return locate(card, home)


def statistics(card: DatasetCard, dataset: Dataset | None = None) -> list[Statistic]:
    """The numbers of a card, each beside what ``dataset`` really holds."""
    stated = {"nodes": card.num_nodes, "links": card.num_links, "features": card.num_features, **card.counts}
    counted = {} if dataset is None else count(dataset)
    return [
        Statistic(name, number, counted.get(name), comparable=card.counted or name != "links")
        for name, number in stated.items()
    ]


def count(dataset: Dataset) -> dict[str, int]:
    """What a data set holds, by the names that cards use."""
    graph, official = dataset.graph, dataset.official
    counts = {
        "nodes": graph.num_nodes,
        "links": graph.num_links,
        "features": graph.num_features,
        "isolated nodes": int((graph.degree == 0).sum()),
    }
    if dataset.labels is not None:
        counts["classes"] = len(set(dataset.labels) - {"unknown"})
    if official is not None:
        counts |= {
            "train links": len(official.train),
            "valid links": len(official.valid.positive),
            "test links": len(official.test.positive),
            "valid negatives": official.valid.negative_shape.numel(),
            "test negatives": official.test.negative_shape.numel(),
        }
    return counts
