"""Proposed pairs in the order of a model, with a measured recall: for models that cannot score all pairs in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.ranked import RankedLinks
from hlgnn.progress import Progress, silent
from hlgnn.ranking.candidates import check_nodes
from hlgnn.ranking.exact_scores import ExactScores, evaluating, settled
from hlgnn.ranking.proposals import pair_keys
from hlgnn.ranking.top_links import check_count
from hlgnn.ranking.top_of_nodes import top_links_of_nodes

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.models import LinkModel
    from hlgnn.ranking.candidates import Candidates

SAMPLE, DEPTH = 100, 10


@dataclass(frozen=True, eq=False)
class RerankedLinks:
    """The best of the proposed pairs, and how much the proposals missed.

    Attributes:
        links: The best pairs among the proposals, by the model.
        recall: The share of the exact best pairs of some nodes that were proposed; one if there are no such pairs.
        sample_size: How many nodes it was measured on.
        depth: How many best pairs of each of them count.
        num_proposals: How many pairs were scored.
    """

    links: RankedLinks
    recall: float
    sample_size: int
    depth: int
    num_proposals: int


def reranked_links(
    model: LinkModel[Any, Any],
    state: Any,
    candidates: Candidates,
    proposals: Tensor,
    k: int,
    *,
    generator: torch.Generator,
    sample_size: int = SAMPLE,
    depth: int = DEPTH,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> RerankedLinks:
    """The best k of the proposed pairs that are allowed, by the model.

    An exact best pair of a node is among the best proposed ones of this node if it is proposed at all, since the scores
    are the same. The recall is therefore the share of the exact lists that is proposed.

    Args:
        model: What scores.
        state: What ``model.encode`` gave, in evaluation mode.
        candidates: Which pairs.
        proposals: Such as those of ``propose_by_cosine``; repeats and pairs that are not allowed are dropped.  (P, 2)
        k: How many.
        generator: Where the nodes of the sample come from.
        sample_size: On how many nodes the recall is measured; on all if there are fewer.
        depth: How many best pairs of each of them count.
        memory: About how many bytes a block of rows may take.
        progress: Told how many nodes of the sample are done.

    Raises:
        SettingsError: If ``k`` is negative, or a proposed node is none.
        NumericalError: If a score is infinite or no number.
    """
    check_count(k)
    count = candidates.graph.num_nodes
    check_nodes(proposals, count, "proposals")
    keys = pair_keys(proposals.long(), count).unique()
    pairs = torch.stack([keys // max(1, count), keys % max(1, count)], dim=1)
    pairs = pairs[candidates.allowed(pairs)]
    with evaluating(model):
        state = settled(state)
        scores = ExactScores(model, state)(pairs)
    enough = scores >= (-torch.inf if candidates.minimum is None else candidates.minimum)
    links = RankedLinks.best(pairs[enough], scores[enough], k)
    nodes = torch.randperm(count, generator=generator)[:sample_size]
    lists = top_links_of_nodes(model, state, candidates, nodes, depth, memory=memory, progress=progress)
    wanted = torch.cat([torch.empty(0, 2, dtype=torch.int64), *(each.pairs for each in lists)])
    found = torch.isin(pair_keys(wanted, count), pair_keys(pairs, count))
    recall = float(found.double().mean()) if len(found) else 1.0
    return RerankedLinks(links, recall, len(nodes), depth, len(pairs))
