"""The best missing links by what a run recommends, within a bounded time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.formulation import DEFAULT_MEMORY, RankedLinks, top_links
from hlgnn.jobs.study.methods import parse_method
from hlgnn.processes import SINGLE, Group
from hlgnn.progress import Progress, silent
from hlgnn.ranking import (
    Candidates,
    propose_by_cosine,
    propose_by_neighbors,
    representations,
    reranked_links,
    top_model_links,
)

if TYPE_CHECKING:
    from hlgnn.models import LinkModel

MOST_STREAMED = 20_000_000
PROPOSALS = 100
MOST_COMPARED = 50_000


@dataclass(frozen=True, eq=False)
class Ranking:
    """Links, best first, and how they were found.

    Attributes:
        links: Pairs and scores.
        exact: Whether nothing better was left out.
        note: How they were found, in a sentence; empty if there is nothing to say.
    """

    links: RankedLinks
    exact: bool = True
    note: str = ""


def rank_by_model(
    model: LinkModel[Any, Any],
    candidates: Candidates,
    count: int,
    *,
    approximate: bool | None = None,
    generator: torch.Generator,
    memory: int = DEFAULT_MEMORY,
    group: Group = SINGLE.everyone,
    progress: Progress = silent,
) -> Ranking:
    """The best ``count`` candidates of the model, encoded on the graph of the candidates.

    Args:
        model: A trained one.
        candidates: Which pairs, of which graph.
        count: How many.
        approximate: Whether only proposed pairs are scored; ``None`` for that if all would take too long.
        generator: Draws the nodes on which the recall of proposals is measured.
        memory: About how many bytes may be used.
        group: The processes that share the work, except on proposed pairs.
        progress: Told how much is done.
    """
    model.eval()
    with torch.no_grad():
        state = model.encode(model.prepare(candidates.graph))
        product = model.product_form(state) is not None
    if approximate is None:
        approximate = not product and candidates.count() > MOST_STREAMED
    if not approximate:
        best = top_model_links(model, state, candidates, count, memory=memory, progress=progress, group=group)
        return Ranking(best)
    proposals = propose_by_neighbors(candidates, PROPOSALS, memory=memory, progress=progress)
    how = "by common neighbours"
    if proposals_by_cosine(candidates.graph.num_nodes):
        alike = propose_by_cosine(representations(state), candidates, PROPOSALS, memory=memory, progress=progress)
        proposals, how = torch.cat([proposals, alike]), "by common neighbours and by cosine"
    found = reranked_links(
        model,
        state,
        candidates,
        proposals,
        count,
        generator=generator,
        memory=memory,
        progress=progress,
    )
    note = (
        f"Not all pairs were scored: {found.num_proposals} were proposed {how}. Of the exact best {found.depth} of "
        f"{found.sample_size} random nodes {found.recall:.0%} were among them."
    )
    return Ranking(found.links, exact=False, note=note)


def proposals_by_cosine(num_nodes: int) -> bool:
    """Whether cosines of all pairs can be computed in some minutes."""
    return num_nodes <= MOST_COMPARED


def rank_by_heuristic(
    request: str,
    candidates: Candidates,
    count: int,
    *,
    memory: int = DEFAULT_MEMORY,
    group: Group = SINGLE.everyone,
    progress: Progress = silent,
) -> Ranking:
    """The best ``count`` candidates of a heuristic: more and more of the best pairs, until enough are allowed."""
    heuristic, graph = parse_method(request), candidates.graph
    node = int(candidates.nodes[0]) if candidates.nodes is not None and len(candidates.nodes) == 1 else None
    wanted, everything = max(1, count), graph.num_nodes * (graph.num_nodes - 1)
    while True:
        best = top_links(graph, heuristic, wanted, node=node, memory=memory, progress=progress, group=group)
        allowed = candidates.allowed(best.pairs)
        if candidates.minimum is not None:
            allowed &= best.scores >= candidates.minimum
        if int(allowed.sum()) >= count or wanted >= everything or len(best) < wanted:
            return Ranking(RankedLinks.best(best.pairs[allowed], best.scores[allowed], count))
        wanted = min(4 * wanted, everything)
