"""How far operators and heuristics are from their formulas with sets (Tables 1 and 2), on drawn graphs and on Cora."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.catalog import load_dataset
from hlgnn.experiments.tasks.data_digest import data_digest
from hlgnn.experiments.tasks.neighborhoods import Neighborhoods
from hlgnn.experiments.tasks.random_graph import random_graph
from hlgnn.experiments.tasks.set_formulas import (
    ALPHA,
    HEURISTIC_FORMULAS,
    MIXTURE,
    OPERATOR_FORMULAS,
    PATHS,
    STEPS,
)
from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.formulation import ADJ, COL, ROW, SYM, Formulation, Operator, parse
from hlgnn.seeds import Seeds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlgnn.experiments.tasks.set_formulas import Formula
    from hlgnn.formulation import Heuristic
    from hlgnn.graph import Graph
    from hlgnn.progress import Progress

DRAWN = "drawn"
TOLERANCE = 1e-15
COLUMNS = 4
"""Columns of the features that an operator is applied to."""

OPERATORS = {"adj": ADJ, "sym": SYM, "row": ROW, "col": COL, "mixture": Operator(*MIXTURE)}


def operators() -> dict[str, Formulation]:
    """Every operator of Table 1 as a formulation of one step, and one mixture (Eq. 3)."""
    return {name: Formulation(name, (each,), (0.0, 1.0)) for name, each in OPERATORS.items()}


def heuristics(gamma: float) -> dict[str, Heuristic]:
    """Every heuristic that has a formula, with the parameters of the formula; endless sums are not cut."""
    endless = f"order=none,tolerance={TOLERANCE}"
    told = {
        "ki": f"gamma={gamma!r},{endless}",
        "glhn": f"phi={gamma!r},{endless}",
        "rwr": f"alpha={ALPHA},{endless}",
        "fp": f"alpha={ALPHA},{endless}",
        "lpi": f"gamma={gamma!r},order={PATHS}",
        "lrw": f"alpha={ALPHA},order={STEPS}",
    }
    return {name: parse(f"{name}:{told[name]}" if name in told else name) for name in HEURISTIC_FORMULAS}


def differences(
    graph: Graph, sources: torch.Tensor, ours: Mapping[str, Heuristic], formulas: Mapping[str, Formula]
) -> dict[str, dict[str, float]]:
    """The largest difference of scores from their formula, and the largest score, over all pairs of some sources.

    Args:
        graph: On which graph.
        sources: Whose pairs with all nodes are compared.  (S,)
        ours: What is judged, by name.
        formulas: What it is judged by.
    """
    hoods = Neighborhoods.of(graph)
    pairs = torch.cartesian_prod(sources, torch.arange(graph.num_nodes))  # (S N, 2)
    found = {}
    for name, each in ours.items():
        expected = np.concatenate([formulas[name](hoods, i) for i in sources.tolist()])
        scores = each.scores(graph, pairs).numpy()
        found[name] = _compared(scores, expected)
    return found


def products(graph: Graph, ours: Mapping[str, Formulation], x: torch.Tensor) -> dict[str, dict[str, float]]:
    """The same for H X, the way in which HL-GNN uses an operator.  (N, F)"""
    hoods, found = Neighborhoods.of(graph), {}
    for name, each in ours.items():
        expected = np.stack([OPERATOR_FORMULAS[name](hoods, i) @ x.numpy() for i in range(graph.num_nodes)])
        found[name] = _compared(each.apply(graph, x).numpy(), expected)
    return found


def _compared(ours: np.ndarray, expected: np.ndarray) -> dict[str, float]:
    return {"difference": float(np.abs(ours - expected).max()), "largest": float(np.abs(expected).max())}


def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    generator = Seeds(seed).generator("agreement")
    graphs = _drawn(values, generator) if values["graphs"] == DRAWN else [load_dataset(values["graphs"]).graph]
    found: dict[str, dict[str, Any]] = {"operators": {}, "products": {}, "heuristics": {}}
    pairs = 0
    for number, graph in enumerate(graphs):
        progress("Graphs", number, len(graphs))
        sources = torch.randperm(graph.num_nodes, generator=generator)[: values["sources"]]
        pairs += len(sources) * graph.num_nodes
        x = torch.randn(graph.num_nodes, COLUMNS, generator=generator, dtype=torch.float64)
        single, several = operators(), heuristics(Neighborhoods.of(graph).gamma)
        _worst(found["operators"], differences(graph, sources, single, OPERATOR_FORMULAS))
        _worst(found["products"], products(graph, single, x))
        _worst(found["heuristics"], differences(graph, sources, several, HEURISTIC_FORMULAS))
    return {**found, "graphs": len(graphs), "pairs": pairs}


def _drawn(values: Values, generator: torch.Generator) -> list[Graph]:
    """Graphs of different sizes, from hardly any links to four for each node."""
    graphs = []
    for _ in range(values["count"]):
        nodes = int(torch.randint(5, values["nodes"] + 1, (1,), generator=generator))
        links = int(torch.randint(1, min(4 * nodes, nodes * (nodes - 1) // 2) + 1, (1,), generator=generator))
        graphs.append(random_graph(nodes, links, 0, generator))
    return graphs


def _worst(known: dict[str, Any], found: dict[str, dict[str, float]]) -> None:
    """Keep, for each name, the graph with the largest difference in proportion to its scores."""
    for name, each in found.items():
        if name not in known or _share(each) > _share(known[name]):
            known[name] = each


def _share(found: Mapping[str, float]) -> float:
    return found["difference"] / found["largest"] if found["largest"] else found["difference"]


def _data(values: Values) -> str | None:
    return None if values["graphs"] == DRAWN else data_digest(values["graphs"])


AGREEMENT = Task("agreement", revision=1, run=_run, label=lambda values: f"agreement-{values['graphs']}", data=_data)
