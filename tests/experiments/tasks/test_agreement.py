"""Heuristics and operators equal their formulas with sets, and one that is broken does not."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings

from dense_matrices import dense_adjacency
from hlgnn.experiments.agreement_entries import ROUNDING
from hlgnn.experiments.entries import published
from hlgnn.experiments.tasks.agreement import AGREEMENT, differences, heuristics, operators, products
from hlgnn.experiments.tasks.neighborhoods import Neighborhoods
from hlgnn.experiments.tasks.random_graph import random_graph
from hlgnn.experiments.tasks.set_formulas import (
    ALPHA,
    HEURISTIC_FORMULAS,
    OPERATOR_FORMULAS,
)
from hlgnn.formulation import ADJ, COL, ROW, SYM, Formulation, parse
from hlgnn.graph import Graph, star
from hlgnn.progress import silent
from strategies import graphs

GRAPH = random_graph(25, 60, 0, torch.Generator().manual_seed(1))
GAMMA = Neighborhoods.of(GRAPH).gamma
TWO_STEPS = (0.0, 0.0, 1.0)


def agrees(found: dict[str, float]) -> bool:
    return found["difference"] <= ROUNDING * found["largest"]


@settings(max_examples=25)
@given(graph=graphs(max_nodes=9, weighted=False))
def test_every_heuristic_is_its_formula(graph: Graph) -> None:
    assume(graph.num_links)
    ours = heuristics(Neighborhoods.of(graph).gamma)
    found = differences(graph, torch.arange(graph.num_nodes), ours, HEURISTIC_FORMULAS)
    assert found.keys() == HEURISTIC_FORMULAS.keys()
    assert [name for name, each in found.items() if not agrees(each)] == []


@settings(max_examples=25)
@given(graph=graphs(max_nodes=9, weighted=False))
def test_every_operator_is_its_expression(graph: Graph) -> None:
    assume(graph.num_nodes)
    x = torch.randn(graph.num_nodes, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    entries = differences(graph, torch.arange(graph.num_nodes), operators(), OPERATOR_FORMULAS)
    applied = products(graph, operators(), x)
    assert entries.keys() == applied.keys() == OPERATOR_FORMULAS.keys()
    assert [name for name in entries if not (agrees(entries[name]) and agrees(applied[name]))] == []


BROKEN: dict[str, Any] = {
    "cn": Formulation("cn", (ADJ, ADJ), (0.0, 1e-9, 1.0)),
    "llhn": Formulation("llhn", (COL, ROW), TWO_STEPS),
    "ra": Formulation("ra", (COL, ADJ), TWO_STEPS, "recurrence"),
    "ra-rows": Formulation("ra-rows", (ADJ, COL), TWO_STEPS),
    "inverse-square": Formulation("inverse-square", (ROW, COL), TWO_STEPS),
    "normalized-ra": Formulation("normalized-ra", (SYM, ROW), TWO_STEPS),
    "ki": parse(f"ki:gamma={GAMMA!r},order=20"),
    "glhn": parse(f"glhn:phi={GAMMA * (1 + 1e-9)!r},order=none,tolerance=1e-15"),
    "rwr": parse(f"fp:alpha={ALPHA},tolerance=1e-15"),
    "fp": parse(f"rwr:alpha={ALPHA},tolerance=1e-15"),
    "lpi": parse(f"lpi:gamma={GAMMA!r},order=4"),
    "lrw": parse(f"rwr:alpha={ALPHA},order=3"),
}
"""A slip for each: another operator, another order, a sum that is cut, a weight that is hardly changed."""


@pytest.mark.parametrize("name", HEURISTIC_FORMULAS)
def test_a_broken_heuristic_is_detected(name: str) -> None:
    [found] = differences(GRAPH, torch.arange(25), {name: BROKEN[name]}, HEURISTIC_FORMULAS).values()
    assert not agrees(found)


@pytest.mark.parametrize("name", HEURISTIC_FORMULAS)
def test_missing_self_loops_are_detected(name: str) -> None:
    without: Any = dataclasses.replace(heuristics(GAMMA)[name], self_loops=False)  # type: ignore[type-var]
    [found] = differences(GRAPH, torch.arange(25), {name: without}, HEURISTIC_FORMULAS).values()
    assert not agrees(found)


def test_two_operators_that_are_exchanged_are_detected() -> None:
    ours = operators()
    exchanged = {"row": ours["col"], "col": ours["row"], "sym": ours["mixture"]}
    x = torch.eye(25, dtype=torch.float64)
    entries = differences(GRAPH, torch.arange(25), exchanged, OPERATOR_FORMULAS)
    for found in (*entries.values(), *products(GRAPH, exchanged, x).values()):
        assert not agrees(found)


def test_formulas_on_a_star() -> None:
    hoods = Neighborhoods.of(star(4))
    scores = {name: formula(hoods, 1)[2] for name, formula in HEURISTIC_FORMULAS.items()}
    assert scores["cn"] == 1
    assert scores["llhn"] == pytest.approx(1 / 4)
    assert scores["ra"] == pytest.approx(1 / 5)
    assert scores["inverse-square"] == pytest.approx(1 / 25)
    assert scores["normalized-ra"] == pytest.approx(1 / 10)


def test_endless_sums_are_inverses() -> None:
    a = dense_adjacency(GRAPH, self_loops=True)
    identity, hoods = np.eye(25), Neighborhoods.of(GRAPH)
    katz = np.linalg.inv(identity - GAMMA * a) - identity
    walk = (1 - ALPHA) * np.linalg.inv(identity - ALPHA * a / a.sum(axis=1)[:, None])
    for node in range(25):
        np.testing.assert_allclose(HEURISTIC_FORMULAS["ki"](hoods, node), katz[node], rtol=1e-10)
        np.testing.assert_allclose(HEURISTIC_FORMULAS["rwr"](hoods, node), walk[node], rtol=1e-10)


def test_the_formulas_are_the_rows_of_the_printed_tables() -> None:
    assert list(published("table1")) == list(OPERATOR_FORMULAS)
    assert list(published("table2")) == list(HEURISTIC_FORMULAS)


def test_the_same_seed_draws_the_same_graphs() -> None:
    values = {"graphs": "drawn", "count": 2, "nodes": 8, "sources": 4}
    one, again, other = (AGREEMENT.run(values, seed, silent) for seed in (0, 0, 1))
    assert one == again != other
    assert one["graphs"] == 2
    assert json.loads(json.dumps(one, allow_nan=False)) == one


def test_data_are_named_only_where_they_are_read() -> None:
    assert AGREEMENT.data({"graphs": "drawn"}) is None
    assert AGREEMENT.data({"graphs": "cora"}) is not None
