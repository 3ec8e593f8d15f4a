"""Claims: judged by what the store holds, and by nothing else."""

from typing import Any

import pytest

from hlgnn.experiments import Cell, CellOutcome, Outcomes, Scale
from hlgnn.experiments.claims import CLAIMS, best_method, by, depth_does_no_harm, formulas_hold, rings_are_found
from hlgnn.experiments.experiments import EXPERIMENTS
from hlgnn.experiments.methods import title_of


def outcome(row: str, column: str, results: list[dict[str, Any]], part: str = "") -> CellOutcome:
    cell = Cell(row, column, "train", {}, tuple(range(len(results))), part)
    return CellOutcome(cell, dict(enumerate(results)), {})


def scored(*values: float) -> list[dict[str, Any]]:
    return [{"metric": "hits@100", "test": {"hits@100": value}} for value in values]


def of(*cells: CellOutcome) -> Outcomes:
    return Outcomes(Scale.FULL, cells)


def test_every_claim_names_an_experiment_and_says_nothing_about_an_empty_store() -> None:
    for claim in CLAIMS:
        cells = EXPERIMENTS[claim.experiment].cells(Scale.FULL)
        empty = Outcomes(Scale.FULL, tuple(CellOutcome(cell, {}, {}) for cell in cells))
        assert claim.judge(empty).kind == "not measured"


@pytest.mark.parametrize(
    ("ours", "kind"),
    [
        ((0.95, 0.96, 0.95), "reproduced"),
        ((0.80, 0.81, 0.80), "not reproduced"),
        ((0.84, 0.98, 0.91), "not reproduced"),
    ],
)
def test_the_best_method_is_above_the_others_by_more_than_noise(ours: tuple[float, ...], kind: str) -> None:
    found = by(best_method, "ncn")(of(
        outcome("HL-GNN", "Cora", scored(*ours), "ncn"),
        outcome("GCN", "Cora", scored(0.90, 0.91), "ncn"),
        outcome("CN", "Cora", scored(0.30, 0.31), "ncn"),
        outcome("BUDDY", "Cora", scored(0.99, 0.99), "buddy"),  # another protocol does not count
    ))  # fmt: skip
    assert found.kind == kind
    assert "(GCN)" in found.figure


def test_a_claim_that_holds_on_some_data_sets_is_different() -> None:
    found = by(best_method, "ncn")(of(
        outcome("HL-GNN", "Cora", scored(0.95, 0.95, 0.95), "ncn"),
        outcome("GCN", "Cora", scored(0.90, 0.90), "ncn"),
        outcome("HL-GNN", "Citeseer", scored(0.80, 0.80, 0.80), "ncn"),
        outcome("GCN", "Citeseer", scored(0.90, 0.90), "ncn"),
    ))  # fmt: skip
    assert found.kind == "different"


def test_depth_is_compared_with_the_best_of_few_layers() -> None:
    shallow = [outcome("Cora", depth, scored(0.90, 0.91, 0.90)) for depth in ("1", "5")]
    assert by(depth_does_no_harm)(of(*shallow, outcome("Cora", "20", scored(0.92, 0.92, 0.92)))).kind == "reproduced"
    assert (
        by(depth_does_no_harm)(of(*shallow, outcome("Cora", "20", scored(0.82, 0.82, 0.82)))).kind == "not reproduced"
    )


def test_one_wrong_formula_is_enough() -> None:
    exact, wrong = ({"difference": value, "largest": 1.0} for value in (1e-15, 1e-3))
    judge = by(formulas_hold, "heuristics")
    assert judge(of(outcome("all", "Cora", [{"heuristics": {"cn": exact}}]))).kind == "reproduced"
    assert judge(of(outcome("all", "Cora", [{"heuristics": {"cn": exact, "ra": wrong}}]))).kind == "different"


@pytest.mark.parametrize("method", ["hlgnn-zero", "ra", "regression"])
def test_to_be_above_what_does_not_learn_is_not_to_be_the_best(method: str) -> None:
    ours = outcome("HL-GNN", "Cora", scored(0.95, 0.95, 0.95), "ncn")
    simple = outcome(title_of(method), "Cora", scored(0.90, 0.90, 0.90), "ncn")
    assert by(best_method, "ncn")(of(ours, simple)).kind == "not measured"
    learned = outcome("GCN", "Cora", scored(0.50, 0.50), "ncn")
    assert by(best_method, "ncn")(of(ours, simple, learned)).kind == "reproduced"


def test_rings_count_seeds() -> None:
    results = [{"largest": 2, "expected": 2}] * 3 + [{"largest": 1, "expected": 2}]
    found = by(rings_are_found, "walks")(of(outcome("walks", "triangular", results)))
    assert (found.kind, found.figure) == ("reproduced", "triangular 3 of 4 seeds")


def test_one_seed_says_nothing() -> None:
    cells = [outcome("HL-GNN", "Cora", scored(0.95), "ncn"), outcome("GCN", "Cora", scored(0.90), "ncn")]
    assert by(best_method, "ncn")(of(*cells)).kind == "not measured"
