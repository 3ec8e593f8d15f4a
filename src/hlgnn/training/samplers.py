"""Negatives to learn from: pairs that are no links of the message graph.

A sampler may know the message graph only. To filter against validation or test links would tell the model which
pairs are held out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from hlgnn.errors import SplitError
from hlgnn.graph import Graph
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from torch import Tensor

Sampler = Callable[[Graph, torch.Tensor, int, torch.Generator], torch.Tensor]
"""``sampler(graph, positive, count, generator)``: ``count`` negatives per positive.  (B, 2) -> (B, count, 2)"""

ROUNDS = 1000
ADVICE = "Use the sampler 'uniform', larger batches, or a sparser graph."


def uniform(graph: Graph, positive: Tensor, count: int, generator: torch.Generator) -> Tensor:
    """``count`` non-links per positive, both ends drawn uniformly (Sect. 4.1).  (B, 2) -> (B, count, 2)"""

    def draw(which: Tensor) -> Tensor:
        return torch.randint(graph.num_nodes, (len(which), 2), generator=generator)

    return _without_links(graph, draw, len(positive), count, hint="Use a sparser graph.")


def per_source(graph: Graph, positive: Tensor, count: int, generator: torch.Generator) -> Tensor:
    """``count`` non-links (i, k) per positive (i, j), as Eq. 4 pairs them.  (B, 2) -> (B, count, 2)"""
    _require_room(graph, positive[:, 0])

    def draw(which: Tensor) -> Tensor:
        target = torch.randint(graph.num_nodes, (len(which),), generator=generator)
        return torch.stack([positive[which, 0], target], dim=1)

    return _without_links(graph, draw, len(positive), count)


def permuted(graph: Graph, positive: Tensor, count: int, generator: torch.Generator) -> Tensor:
    """``count`` non-links (i, j') per positive (i, j), the targets j' of the batch shuffled.  (B, 2) -> (B, count, 2)

    Sources and targets then have exactly the degrees of the positives, up to the few that have to be drawn again.
    """
    _require_room(graph, positive[:, 0])
    targets = positive[:, 1].repeat(count)  # (B · count,)

    def draw(which: Tensor) -> Tensor:
        first = len(which) == len(targets)
        order = (
            torch.randperm(len(targets), generator=generator)
            if first
            else torch.randint(len(targets), (len(which),), generator=generator)
        )
        return torch.stack([positive[which, 0], targets[order]], dim=1)

    return _without_links(graph, draw, len(positive), count)


SAMPLERS: Registry[Sampler] = Registry("sampler", {"uniform": uniform, "per-source": per_source, "permuted": permuted})


def _without_links(
    graph: Graph, draw: Callable[[Tensor], Tensor], rows: int, count: int, *, hint: str = ADVICE
) -> Tensor:
    """Draw again whatever is a link or a self-loop; ``draw`` is told the row that each pair is for."""
    row = torch.arange(rows).repeat_interleave(count)  # (rows · count,)
    pairs = torch.empty(len(row), 2, dtype=torch.int64)
    wrong = torch.arange(len(row))
    for _ in range(ROUNDS):
        if len(wrong) == 0:
            return pairs.view(rows, count, 2)
        drawn = draw(row[wrong])
        pairs[wrong] = drawn
        wrong = wrong[(drawn[:, 0] == drawn[:, 1]) | graph.has_links(drawn)]
    raise SplitError(
        f"No negatives were found for {len(wrong)} pairs: nearly everything is linked.",
        hint=hint,
    )


def _require_room(graph: Graph, sources: Tensor) -> None:
    full = graph.degree[sources] >= graph.num_nodes - 1
    if bool(full.any()):
        node = graph.node_ids[int(sources[full][0])]
        raise SplitError(f"Node {node!r} is linked to every other node and has no negatives.", hint="Use 'uniform'.")
