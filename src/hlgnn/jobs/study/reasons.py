"""Why a link is on the list, in half a line that can be checked by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.graph import Graph
    from hlgnn.interpret import LinkExplanation

NAMED = 3


def counted_reasons(graph: Graph, first: int, second: int) -> list[str]:
    """What anyone can count: common neighbours, or how busy both are if there are none."""
    offset, neighbor, ids = graph.adjacency.offset, graph.adjacency.neighbor, graph.node_ids
    ours, theirs = (neighbor[offset[node] : offset[node + 1]].long() for node in (first, second))
    common = ours[torch.isin(ours, theirs)]
    if len(common) == 0:
        return [f"no common neighbours; {len(ours)} and {len(theirs)} links"]
    rarest = common[graph.degree[common].argsort(stable=True)]
    named = ", ".join(str(ids[int(node)]) for node in rarest[:NAMED])
    more = f" and {len(common) - NAMED} more" if len(common) > NAMED else ""
    noun = "common neighbour" if len(common) == 1 else "common neighbours"
    return [f"{len(common)} {noun}: {named}{more}"]


def learned_reasons(graph: Graph, found: LinkExplanation, feature_names: Sequence[str] | None = None) -> list[str]:
    """Common neighbours, the features that agree most, and the order that carries most of the score."""
    reasons = counted_reasons(graph, found.first, found.second)
    agreeing = [column for column in found.features.columns if column.agreement > 0][:NAMED]
    if agreeing:
        names = ", ".join(_name(column.column, feature_names) for column in agreeing)
        reasons.append(f"both and their surroundings share {names}")
    contributions = found.orders.contributions
    strongest = max(range(len(contributions)), key=lambda order: contributions[order], default=0)
    if contributions and contributions[strongest] > 0:
        steps = "a step" if strongest == 1 else f"up to {strongest} steps"
        reach = "the nodes themselves" if strongest == 0 else f"what lies {steps} away"
        reasons.append(f"most of the score comes from {reach}")
    return reasons


def _name(column: int, names: Sequence[str] | None) -> str:
    return names[column] if names is not None and column < len(names) else f"feature {column}"
