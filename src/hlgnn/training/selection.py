"""What epochs are compared by: validation links, more negatives if wanted, and a metric."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.data import LinkSet
from hlgnn.errors import SplitError
from hlgnn.evaluation import auc, hits_at, metric
from hlgnn.processes import SINGLE, Processes
from hlgnn.training.evaluate import measure
from hlgnn.training.samplers import ROUNDS

if TYPE_CHECKING:
    from hlgnn.data import Split
    from hlgnn.evaluation import NamedMetric
    from hlgnn.models import LinkModel
    from hlgnn.training.train_settings import TrainSettings


@dataclass(frozen=True, eq=False)
class Selection:
    """How good an epoch is.

    Attributes:
        links: Validation links and negatives, the drawn ones included.
        metric: What is computed of their scores.
    """

    links: LinkSet
    metric: NamedMetric

    def value(self, model: LinkModel[Any, Any], prepared: Any, processes: Processes = SINGLE) -> tuple[float, float]:
        """The metric of the model as it is, and its AUC: of epochs with the same metric the one with more is better."""
        values = measure(model, prepared, self.links, (self.metric, auc), processes)
        return values[self.metric.name], values[auc.name]


def make_selection(split: Split, settings: TrainSettings, default: str, generator: torch.Generator) -> Selection:
    """The validation links with ``selection_negatives`` more shared negatives for each given one.

    The drawn ones are no links of the message graph and no validation links; nothing of the test is looked at but how
    many negatives there are, which Hits@K needs to mean the same share of them.
    """
    name = default if settings.select == "protocol" else settings.select
    links = split.valid
    if settings.selection_negatives and not links.own_negatives:
        wanted = settings.selection_negatives * len(links.negative)
        links = LinkSet(links.positive, torch.cat([links.negative, _draw(split, wanted, generator)]))
    hits = re.fullmatch(r"hits@([0-9]+)", name.strip().lower())
    if hits and settings.select_at_rate and not links.own_negatives:
        share = int(hits[1]) / split.test.negatives_per_ranking
        return Selection(links, hits_at(max(1, round(share * links.negatives_per_ranking))))
    return Selection(links, metric(name))


def _draw(split: Split, wanted: int, generator: torch.Generator) -> torch.Tensor:
    """Uniform pairs that are no link of training or validation.  (wanted, 2)

    Raises:
        SplitError: If nearly everything is linked.
    """
    known = split.graph.with_links(torch.cat([split.graph.links, split.train, split.valid.positive]))
    drawn = torch.empty(0, 2, dtype=torch.int64)
    for _ in range(ROUNDS):
        if len(drawn) >= wanted:
            return drawn[:wanted]
        pairs = torch.randint(known.num_nodes, (2 * wanted, 2), generator=generator)
        pairs = pairs[(pairs[:, 0] != pairs[:, 1]) & ~known.has_links(pairs)]
        drawn = torch.cat([drawn, pairs])
    raise SplitError(
        "No negatives were found to select by: nearly everything is linked.", hint="Set train.selection_negatives = 0."
    )
