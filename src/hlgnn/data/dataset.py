"""A data set, and the card that says what it must be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from torch import Tensor

    from hlgnn.data.split import LinkSet
    from hlgnn.graph import Graph
    from hlgnn.progress import Progress


@dataclass(frozen=True, eq=False)
class OfficialSplit:
    """The split that a benchmark prescribes.

    Attributes:
        train: Training links.  (T, 2)
        weight: The weight of each training link, if there is one.  (T,)
        valid: Validation links with their prescribed negatives.
        test: Test links with their prescribed negatives.
        valid_weight: The weight of each validation link, if there is one.
    """

    train: Tensor
    valid: LinkSet
    test: LinkSet
    weight: Tensor | None = None
    valid_weight: Tensor | None = None


@dataclass(frozen=True, eq=False)
class Dataset:
    """A graph with all that is known about it.

    Attributes:
        name: What it is called.
        graph: Every known link (for an official split: the training links).
        metric: The metric it is reported in, such as ``hits@100``.
        labels: A word about each node, such as the subject of a paper, or ``None``.
        time: When each of ``graph.links`` first appeared, or ``None``.  (M,)
        official: The prescribed split, or ``None``.
        feature_names: What the columns of the features are called, where a table says so.  (F,)
        notes: What was dropped, merged or guessed when tables were read, as sentences.
    """

    name: str
    graph: Graph
    metric: str
    labels: tuple[str, ...] | None = None
    time: Tensor | None = None
    official: OfficialSplit | None = None
    feature_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class RemoteFile:
    """One official file.

    Attributes:
        path: Where it belongs, relative to the folder of its data set.
        url: Where it is published; an archive's address for files that come in one.
        sha256: Every content that is accepted as official (a recompressed copy has its own); empty if none is known.
        size: The size in bytes of what is published, if known.
        archive_folder: For a file that comes in an archive: the folder in there that stands for that of the data set.
        archive_sha256: Every content of that archive that is accepted; empty if none is known.
    """

    path: str
    url: str
    sha256: tuple[str, ...] = ()
    size: int | None = None
    archive_folder: str = ""
    archive_sha256: tuple[str, ...] = ()


@dataclass(frozen=True)
class DatasetCard:
    """What is known about a data set without reading it.

    Attributes:
        name: How it is asked for.
        title: How people call it.
        metric: The metric it is reported in.
        num_nodes: N.
        num_links: Undirected links, each once; for an official split those of the message graph.
        num_features: F.
        citation: Whom to cite.
        licence: Under which terms it is published.
        source: Where it comes from, in a sentence.
        folders: Where its folder may be below the data folder, as other libraries lay it out; the first one is ours.
        files: The official files.
        load: Reads the files below a data folder.
        counts: Further statistics that the files must have, such as the number of test negatives.
        protocols: Names of the protocols that apply; the first one is the default.
        embedded: Whether a copy ships with the package.
        counted: Whether the statistics were counted from the files. If not, they are those that the publisher states,
            and ``num_links`` is the number of training links with repeats.
    """

    name: str
    title: str
    metric: str
    num_nodes: int
    num_links: int
    num_features: int
    citation: str
    licence: str
    source: str
    folders: tuple[str, ...]
    files: tuple[RemoteFile, ...]
    load: Callable[[DatasetCard, Path, Progress], Dataset]
    protocols: tuple[str, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    embedded: bool = False
    counted: bool = True
