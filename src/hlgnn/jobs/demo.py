"""The five-minute tour: a real graph, split and audited, then a model that is trained, questioned and explained."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlgnn.audit import audit_split
from hlgnn.data import PROTOCOLS, load_embedded_cora, make_split
from hlgnn.evaluation import false_positive_rate
from hlgnn.jobs.graph_summary import GraphSummary, summarize
from hlgnn.jobs.own_run import open_own, train_and_study
from hlgnn.jobs.untrained_table import UntrainedCell, untrained_table
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from hlgnn.audit import AuditReport

HEURISTICS = ("cn", "aa", "ra", "ki")
COMPARED = ("paper", "ncn", "buddy")
SEEDS = tuple(range(5))


@dataclass(frozen=True)
class SplitSizes:
    """How a protocol cuts the demo's graph.

    Attributes:
        protocol: Its name.
        description: What it does.
        train: Training links.
        valid: Validation links.
        test: Test links.
        negatives: Negatives that a test link is ranked among.
        false_positive_rate: What Hits@100 stands for among so many.
    """

    protocol: str
    description: str
    train: int
    valid: int
    test: int
    negatives: int
    false_positive_rate: float


@dataclass(frozen=True)
class Demo:
    """Everything that the demo shows."""

    title: str
    graph: GraphSummary
    splits: tuple[SplitSizes, ...]
    audit: AuditReport
    scores: tuple[UntrainedCell, ...]
    study: dict[str, Any]
    folder: Path


def run_demo(folder: Path | None = None, *, progress: Progress = silent) -> Demo:
    """Load the embedded Cora, cut it under three protocols, audit one, score heuristics; then train and study.

    Args:
        folder: Where the run goes; by default the first of runs/demo, runs/demo-2, … that is free.
        progress: Told how much is done.
    """
    dataset = load_embedded_cora()
    splits = {name: make_split(dataset, PROTOCOLS[name], seed=0) for name in COMPARED}
    report = audit_split(splits["paper"], name="cora", dataset=dataset)
    sizes = tuple(
        SplitSizes(
            protocol=name,
            description=PROTOCOLS[name].description,
            train=len(split.train),
            valid=len(split.valid.positive),
            test=len(split.test.positive),
            negatives=split.test.negatives_per_ranking,
            false_positive_rate=false_positive_rate(100, split.test.negatives_per_ranking),
        )
        for name, split in splits.items()
    )
    scores = untrained_table(dataset, HEURISTICS, COMPARED, SEEDS, progress=progress)
    place = folder or _free(Path("runs"))
    own = open_own("cora", as_own=True, progress=progress)
    study = train_and_study(own, place, command="hlgnn demo", progress=progress)
    labels = dataset.labels
    if labels is not None:
        for row in study["links"]:
            ends = dataset.graph.node_ids.index([row["source"], row["target"]]).tolist()
            row["labels"] = [labels[end] for end in ends]
    return Demo("Cora", summarize(dataset.graph), sizes, report, tuple(scores), study, place)


def _free(parent: Path) -> Path:
    names = itertools.chain(["demo"], (f"demo-{number}" for number in itertools.count(2)))
    return next(parent / name for name in names if not (parent / name).exists())
