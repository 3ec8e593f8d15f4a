"""Scores and rankings that one process and several of them find."""

from __future__ import annotations

from typing import Any

import torch

from hlgnn.formulation import RankedLinks, score_table, top_links
from hlgnn.heuristics import parse
from hlgnn.processes import SINGLE, Group
from hlgnn.ranking import Candidates, top_links_of_nodes, top_model_links
from toy_models import build, communities

HEURISTICS = ("cn", "ra", "jaccard", "pa", "ki", "rwr", "lrw", "shortest-path")
HEADS = {"product": {"kind": "dot"}, "one by one": {"kind": "mlp", "hidden": 4}}


def ranked(group: Group = SINGLE.everyone) -> dict[str, Any]:
    """Everything that processes share when nothing is learned, by name."""
    graph = communities()
    pairs = torch.randint(graph.num_nodes, (101, 2), generator=torch.Generator().manual_seed(1))
    chosen = {name: parse(name) for name in HEURISTICS}
    found: dict[str, Any] = {
        f"scores by {name}": scores.tolist() for name, scores in score_table(graph, pairs, chosen, group=group).items()
    }
    for name, heuristic in chosen.items():
        found[f"best by {name}"] = _plain(top_links(graph, heuristic, 60, group=group))
        found[f"best of node 7 by {name}"] = _plain(top_links(graph, heuristic, 9, node=7, group=group))
    for name, head in HEADS.items():
        model = build(graph, input={"hidden": 6}, propagation={"depth": 2}, head=head)
        state = model.eval().encode(model.prepare(graph))
        best = top_model_links(model, state, Candidates(graph), 50, memory=1 << 16, group=group)
        lists = top_links_of_nodes(model, state, Candidates(graph), torch.tensor([5, 0, 17]), 4, group=group)
        found |= {f"best by {name}": _plain(best), f"best of nodes by {name}": [_plain(each) for each in lists]}
    return found


def _plain(found: RankedLinks) -> list[Any]:
    return [found.pairs.tolist(), found.scores.tolist()]
