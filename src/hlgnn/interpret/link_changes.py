"""Which known links a predicted one hangs on: the score without each of them, computed again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.interpret.link_encoder import link_ends
from hlgnn.interpret.link_estimates import estimated_changes
from hlgnn.interpret.link_head import head_logit
from hlgnn.interpret.link_numbers import read_numbers
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

    from hlgnn.graph import Graph
    from hlgnn.interpret.link_encoder import LinkEncoder, LinkEnds


@dataclass(frozen=True)
class LinkChange:
    """What the logit of a link becomes without a known link.

    Attributes:
        first: The smaller end of the known link.
        second: Its larger end.
        before: The logit with it.
        after: The logit of the same model on the graph without it, computed again.
        difference: after − before: negative if the known link speaks for the predicted one.
        estimate: The difference to first order, by which it was chosen to be computed.
    """

    first: int
    second: int
    before: float
    after: float
    difference: float
    estimate: float

    def to_dict(self) -> dict[str, Any]:
        """For a program."""
        return asdict(self)


def link_logit(encoder: LinkEncoder, first: int, second: int) -> float:
    """The logit of one link from its two rows of H alone; that of the model up to rounding (Eq. 1)."""
    z = link_ends(encoder, first, second).z
    return float(head_logit(encoder, z, read_numbers(encoder, first, second)).detach())


def link_changes(
    encoder: LinkEncoder,
    ends: LinkEnds,
    first: int,
    second: int,
    nodes: Iterable[int],
    *,
    count: int = 50,
    progress: Progress = silent,
) -> tuple[LinkChange, ...]:
    """The links whose removal changes the logit most, by the size of the change.

    Candidates are the links of both ends and of ``nodes``. The ``count`` of them with the largest changes to first
    order are removed one by one, and the logit is computed again on each graph.

    Args:
        encoder: The model on the message graph.
        ends: z_i and z_j.
        first: i.
        second: j.
        nodes: Whose links are candidates too: witnesses, and nodes on paths.
        count: How many links are removed.
        progress: Told about each removal.
    """
    links = candidates(encoder.graph, {first, second, *nodes})  # (C, 2)
    estimates = estimated_changes(encoder, ends, first, second, links)  # (C,)
    chosen = estimates.abs().sort(descending=True, stable=True).indices[:count].tolist()
    before, changes = link_logit(encoder, first, second), []
    for done, place in enumerate(chosen):
        progress("removing links", done, len(chosen))
        low, high = links[place].tolist()
        after = link_logit(encoder.without(low, high), first, second)
        changes.append(LinkChange(low, high, before, after, after - before, float(estimates[place])))
    progress("removing links", len(chosen), len(chosen))
    return tuple(sorted(changes, key=lambda change: (-abs(change.difference), change.first, change.second)))


def candidates(graph: Graph, nodes: set[int]) -> Tensor:
    """The links of some nodes, each once, smaller node first.  (C, 2)"""
    adjacency = graph.adjacency
    found: list[Tensor] = []
    for node in sorted(nodes):
        others = adjacency.neighbor[adjacency.offset[node] : adjacency.offset[node + 1]].long()
        found.append(torch.stack([others.clamp(max=node), others.clamp(min=node)], dim=1))
    links: Tensor = torch.cat(found).unique(dim=0)
    return links
