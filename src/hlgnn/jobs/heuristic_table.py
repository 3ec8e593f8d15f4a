"""What every heuristic reaches on a data set under a protocol, seed by seed, with all that is needed to repeat it."""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.data import PROTOCOLS, make_split
from hlgnn.evaluation import metric as find_metric
from hlgnn.formulation import DEFAULT_MEMORY, normalize, parse, score_table
from hlgnn.jobs.seed_values import SeedValues
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.data import Dataset, Split

WALK, FLOW = "rwr:order=20", "fp:order=20"
WITH_SELF_LOOPS = (
    *("cn", "llhn", "ra", "inverse-square", "normalized-ra", "aa", "jaccard", "salton", "sorensen", "hpi", "hdi", "pa"),
    *("ki:order=6", "glhn:order=6", "lpi", "lrw", WALK, "shortest-path"),
)
WITHOUT_SELF_LOOPS = ("cn", "llhn", "ra", "aa", "jaccard", "salton", "sorensen", "hpi", "hdi", "pa")
PACKAGES = ("hlgnn", "torch", "numba", "numpy", "scipy")


@dataclass(frozen=True)
class HeuristicRow:
    """One heuristic on one data set under one protocol.

    Attributes:
        heuristic: The request that gives it, parameters included.
        self_loops: Whether a node is its own neighbour.
        metric: What it is measured in.
        values: The value of each seed, from 0 to 1.
    """

    heuristic: str
    self_loops: bool
    metric: str
    values: SeedValues


def heuristic_table(
    dataset: Dataset,
    protocol: str,
    seeds: Sequence[int],
    *,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> list[HeuristicRow]:
    """Score the test links of a fresh split for each seed by every heuristic; an official split is scored once."""
    names = list(dict.fromkeys([dataset.metric, "hits@20", "hits@50", "hits@100", "auc", "mrr"]))
    official = PROTOCOLS[protocol].cut == "official"
    used = seeds[:1] if official else seeds
    values: dict[tuple[str, bool, str], list[float]] = {}
    for number, seed in enumerate(used):
        progress(f"{dataset.name} under {protocol}", number, len(used))
        split = make_split(dataset, PROTOCOLS[protocol], seed)
        for self_loops, requests in ((True, WITH_SELF_LOOPS), (False, WITHOUT_SELF_LOOPS)):
            for request, positive, negative in _scores(split, requests, self_loops=self_loops, memory=memory):
                for name in names:
                    value = find_metric(name)(positive, negative)
                    values.setdefault((request, self_loops, name), []).append(value)
    progress(f"{dataset.name} under {protocol}", len(used), len(used))
    return [HeuristicRow(*key, SeedValues(found)) for key, found in values.items()]


def result_document(dataset: Dataset, protocol: str, seeds: Sequence[int], rows: list[HeuristicRow]) -> dict[str, Any]:
    """What is stored: every value, the protocol, the settings and the versions."""
    official = PROTOCOLS[protocol].cut == "official"
    return {
        "experiment": "heuristics",
        "dataset": dataset.name,
        "protocol": protocol,
        "protocol_description": PROTOCOLS[protocol].description,
        "seeds": None if official else list(seeds),
        "part": "test",
        "versions": {name: importlib.metadata.version(name) for name in PACKAGES}
        | {"python": platform.python_version()},
        "rows": [
            {
                "heuristic": row.heuristic,
                "self_loops": row.self_loops,
                "metric": row.metric,
                "mean": row.values.mean,
                "std": row.values.deviation,
                "values": list(row.values),
            }
            for row in rows
        ],
    }


def _scores(
    split: Split, requests: Sequence[str], *, self_loops: bool, memory: int
) -> list[tuple[str, torch.Tensor, torch.Tensor]]:
    pairs = torch.cat([split.test.positive, split.test.negative.reshape(-1, 2)])
    heuristics = {request: parse(request, self_loops=self_loops) for request in requests}
    scores = score_table(split.test_graph, pairs, heuristics, memory=memory)
    if WALK in scores:
        # Ã_sym = D^½ Ã_rs D^-½: flow propagation is the walk with restart, scaled by degrees.
        root = normalize(split.test_graph.adjacency, self_loops=self_loops).root
        scores[FLOW] = scores[WALK] * root[pairs[:, 1]] / root[pairs[:, 0]]
    count, shape = len(split.test.positive), split.test.negative.shape[:-1]
    return [(request, found[:count], found[count:].view(shape)) for request, found in scores.items()]
