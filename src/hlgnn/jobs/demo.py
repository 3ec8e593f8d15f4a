"""The five-minute tour: a real graph, split, audited, scored by heuristics, and its best missing links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.audit import audit_split
from hlgnn.data import PROTOCOLS, load_embedded_cora, make_split
from hlgnn.evaluation import false_positive_rate
from hlgnn.formulation import parse
from hlgnn.jobs.graph_summary import GraphSummary, summarize
from hlgnn.jobs.predict_links import predict_links
from hlgnn.jobs.untrained_table import UntrainedCell, untrained_table
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from hlgnn.audit import AuditReport

HEURISTICS = ("cn", "aa", "ra", "ki")
BEST_BY = "ra"
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
    best_by: str
    best: tuple[dict[str, str | int | float], ...]


def run_demo(*, progress: Progress = silent) -> Demo:
    """Load the embedded Cora, cut it under three protocols, audit one, score heuristics, and rank missing links."""
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
    best = predict_links(dataset, parse(BEST_BY, self_loops=False), 10).rows()
    return Demo("Cora", summarize(dataset.graph), sizes, report, tuple(scores), BEST_BY, tuple(best))
