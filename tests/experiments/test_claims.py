"""Claims: judged by what the store holds, and by nothing else."""

from typing import Any

import pytest

from hlgnn.experiments import Cell, CellOutcome, Outcomes, Scale
from hlgnn.experiments.claims import CLAIMS
from hlgnn.experiments.claims.costs import WIDE, epochs_like, faster_by_orders, fewest_parameters, grows_as_stated
from hlgnn.experiments.claims.exactness import eigenvalues_stay_below_one, formulas_hold, sizes_are_printed
from hlgnn.experiments.claims.learned_weights import (
    features_weigh_most,
    late_weights_are_negative,
    order_weighs_most,
    rings_are_found,
    weights_fall,
)
from hlgnn.experiments.claims.methods import GLOBAL, LOCAL, above_heuristics, best_method, better_kind, gain
from hlgnn.experiments.claims.settings import (
    all_ranges_are_best,
    depth_does_no_harm,
    more_layers_do_harm,
    one_layer_is_poor,
    predictor_alone_ends_sooner,
    predictor_alone_suffices,
    shallow_is_better,
    some_rows_are_best,
)
from hlgnn.experiments.claims.verdict import by
from hlgnn.experiments.experiments import EXPERIMENTS
from hlgnn.experiments.methods import title_of
from hlgnn.experiments.runner import holds
from hlgnn.report.numbers import count


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
    found = by(best_method, "ncn", "HL-GNN")(of(
        outcome("HL-GNN", "Cora", scored(*ours), "ncn"),
        outcome("GCN", "Cora", scored(0.90, 0.91), "ncn"),
        outcome("CN", "Cora", scored(0.30, 0.31), "ncn"),
        outcome("BUDDY", "Cora", scored(0.99, 0.99), "buddy"),  # another protocol does not count
    ))  # fmt: skip
    assert found.kind == kind
    assert "(GCN, best of 2)" in found.figure


def test_a_claim_that_holds_on_some_data_sets_is_different() -> None:
    found = by(best_method, "ncn", "HL-GNN")(of(
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


@pytest.mark.parametrize(("method", "value"), [("hlgnn-zero", 0.99), ("regression", 0.99), ("ra", 0.90)])
def test_to_be_above_what_does_not_learn_is_not_to_be_the_best(method: str, value: float) -> None:
    """And methods of the same family are no rivals, however good they are."""
    ours = outcome("HL-GNN", "Cora", scored(0.95, 0.95, 0.95), "ncn")
    simple = outcome(title_of(method), "Cora", scored(value, value, value), "ncn")
    assert by(best_method, "ncn", "HL-GNN")(of(ours, simple)).kind == "not measured"
    learned = outcome("GCN", "Cora", scored(0.50, 0.50), "ncn")
    assert by(best_method, "ncn", "HL-GNN")(of(ours, simple, learned)).kind == "reproduced"


def test_rings_count_seeds() -> None:
    results = [{"largest": 2, "expected": 2}] * 3 + [{"largest": 1, "expected": 2}]
    found = by(rings_are_found, "walks")(of(outcome("walks", "triangular", results)))
    assert (found.kind, found.figure) == ("reproduced", "triangular 3 of 4 seeds")


def test_one_seed_says_nothing() -> None:
    cells = [outcome("HL-GNN", "Cora", scored(0.95), "ncn"), outcome("GCN", "Cora", scored(0.90), "ncn")]
    assert by(best_method, "ncn", "HL-GNN")(of(*cells)).kind == "not measured"


def heuristics_on_cora(**values: float) -> list[CellOutcome]:
    return [outcome(title_of(name), "Cora", scored(value, value, value), "paper") for name, value in values.items()]


def test_global_heuristics_are_compared_with_local_ones_if_all_are_there() -> None:
    all_four = heuristics_on_cora(cn=0.4, ra=0.41, ki=0.7, rwr=0.6)
    assert by(better_kind, "paper", GLOBAL, LOCAL)(of(*all_four)).kind == "reproduced"
    assert by(better_kind, "paper", LOCAL, GLOBAL)(of(*all_four)).kind == "not reproduced"
    mixed = heuristics_on_cora(cn=0.4, ra=0.41, ki=0.7, rwr=0.3)  # the best is better, the other is not
    assert by(better_kind, "paper", GLOBAL, LOCAL)(of(*mixed)).kind == "not reproduced"
    assert by(better_kind, "paper", GLOBAL, LOCAL)(of(*all_four[:3])).kind == "not measured"


def test_ours_is_compared_with_the_best_heuristic() -> None:
    simple = heuristics_on_cora(cn=0.4, ki=0.7, ra=0.4, rwr=0.5)
    for value, kind in ((0.9, "reproduced"), (0.6, "not reproduced")):
        ours = outcome("HL-GNN", "Cora", scored(value, value, value), "paper")
        assert by(above_heuristics, "paper", "HL-GNN")(of(ours, *simple)).kind == kind
        assert by(above_heuristics, "paper", "HL-GNN")(of(ours, *simple[:3])).kind == "not measured"


def test_a_gain_is_a_share_of_the_second_best() -> None:
    cells = of(
        outcome("HL-GNN", "Cora", scored(0.90, 0.90, 0.90), "paper"),
        outcome("GCN", "Cora", scored(0.75, 0.75, 0.75), "paper"),
        outcome("GAT", "Cora", scored(0.50, 0.50, 0.50), "paper"),
        outcome("NCN", "Cora", scored(0.89, 0.89, 0.89), "paper"),  # not in the paper's table
    )
    assert by(gain, "paper", "HL-GNN", "cora", 19.9)(cells).kind == "reproduced"
    assert by(gain, "paper", "HL-GNN", "cora", 20.1)(cells).kind == "not reproduced"
    assert by(gain, "paper", "HL-GNN", "cora", 20.0)(cells).figure == "Cora +20.0 % beside GCN, best of 2"


def test_depth_may_help_or_harm() -> None:
    low, high = scored(0.80, 0.81, 0.80), scored(0.90, 0.91, 0.90)
    rising = of(*(outcome("Cora", depth, low if depth == "1" else high) for depth in ("1", "15", "20", "30")))
    assert by(one_layer_is_poor, ("Cora",))(rising).kind == "reproduced"
    assert by(more_layers_do_harm, "Cora")(rising).kind == "not reproduced"
    falling = of(*(outcome("Cora", depth, high if depth in {"1", "15"} else low) for depth in ("1", "15", "20", "30")))
    assert by(one_layer_is_poor, ("Cora",))(falling).kind == "not reproduced"
    assert by(more_layers_do_harm, "Cora")(falling).kind == "reproduced"


def test_the_best_of_some_rows_has_to_be_above_all_others() -> None:
    rows = {"KI": 0.9, "RWR": 0.8, "random": 0.85}
    cells = of(*(outcome(row, "Cora", scored(value, value, value)) for row, value in rows.items()))
    assert by(some_rows_are_best, ("KI", "RWR"))(cells).kind == "reproduced"
    assert by(some_rows_are_best, ("RWR",))(cells).kind == "not reproduced"
    assert by(shallow_is_better, "KI", "RWR")(cells).kind == "reproduced"
    assert by(shallow_is_better, "RWR", "KI")(cells).kind == "not reproduced"


def timed(row: str, seconds: float) -> CellOutcome:
    return outcome(row, "Cora", [{"processor_seconds_per_epoch": seconds}])


def test_epochs_are_compared_as_multiples() -> None:
    """Three times GCN's epoch is printed for Cora; a hundred times is several orders of magnitude."""
    cells = of(timed(WIDE, 2.0), timed("GCN", 1.0), timed("SEAL", 200.0), timed("NBFNet", 199.0))
    assert by(epochs_like, ("gcn",))(cells).kind == "reproduced"
    assert by(epochs_like, ("gcn",))(of(timed(WIDE, 3.1), timed("GCN", 1.0))).kind == "not reproduced"
    assert by(faster_by_orders, ("seal",))(cells).kind == "reproduced"
    assert by(faster_by_orders, ("nbfnet",))(cells).kind == "not reproduced"


def test_the_fewest_parameters_are_fewer_than_those_of_each_other_method() -> None:
    ours, gcn, buddy = ((row, [{"parameters": size}]) for row, size in (("HL-GNN", 10), ("GCN", 20), ("BUDDY", 9)))
    judge = by(fewest_parameters, "table6")
    assert judge(of(*(outcome(row, "Cora", found, "table6") for row, found in (ours, gcn)))).kind == "reproduced"
    found = judge(of(*(outcome(row, "Cora", found, "table6") for row, found in (ours, gcn, buddy))))
    assert (found.kind, found.figure) == ("not reproduced", "Cora 10 beside 9 (BUDDY, least of 2)")


def grown(symbol: str, power: float) -> CellOutcome:
    points = [{"size": size, "seconds": [float(size) ** power]} for size in (1, 2, 4, 8)]
    return outcome("HL-GNN", symbol, [{"points": points}])


def test_growth_may_not_be_above_what_is_stated() -> None:
    assert by(grows_as_stated)(of(grown("M", 0.9), grown("L", 1.0))).kind == "reproduced"
    assert by(grows_as_stated)(of(grown("M", 1.5), grown("L", 1.0))).kind == "different"


def learned(*betas: list[float]) -> Outcomes:
    return of(outcome("z", "Cora", [{"beta": beta} for beta in betas]))


def test_weights_are_judged_by_most_seeds() -> None:
    falling, rising, dipping = [3.0, 2.0, 1.0], [1.0, 2.0, 3.0], [1.0, 2.0, -3.0]
    cells = learned(falling, falling, rising)
    assert by(weights_fall, "z", ("Cora",))(cells).kind == "reproduced"
    assert by(features_weigh_most, "z", ("Cora",))(cells).kind == "reproduced"
    assert by(order_weighs_most, "z", ("Cora",), 2.0)(cells).kind == "not reproduced"
    assert by(late_weights_are_negative, "z", ("Cora",))(cells).kind == "not reproduced"
    cells = learned(rising, dipping, dipping)
    assert by(weights_fall, "z", ("Cora",))(cells).kind == "not reproduced"
    assert by(order_weighs_most, "z", ("Cora",), 2.0)(cells).kind == "reproduced"
    assert by(late_weights_are_negative, "z", ("Cora",))(cells).kind == "reproduced"


@pytest.mark.parametrize(("radius", "kind"), [(1.0, "reproduced"), (1.48, "not reproduced")])
def test_the_mixture_is_judged_by_its_radius(radius: float, kind: str) -> None:
    results = [{"start": {"radius": [radius, radius**2]}}]
    assert by(eigenvalues_stay_below_one)(of(outcome("literal-mixture", "Cora", results))).kind == kind


def test_sizes_that_differ_are_named() -> None:
    counted = [{"nodes": 2708, "all_links": 5278, "features": 1433}]
    assert by(sizes_are_printed)(of(outcome("counts", "Cora", counted))).kind == "reproduced"
    counted = [{"nodes": 3327, "all_links": 4552, "features": 3703}]
    found = by(sizes_are_printed)(of(outcome("counts", "Citeseer", counted)))
    assert (found.kind, found.figure) == ("different", f"Citeseer has {count(4552)} links (printed {count(4676)})")


def ranged(values: dict[str, float], depth: str) -> list[CellOutcome]:
    return [outcome(row, depth, scored(value, value, value), "Cora") for row, value in values.items()]


def test_all_ranges_are_compared_with_both_others_at_every_depth() -> None:
    rows = ("orders 0 … 3", "the last order, L ≥ 5", "orders 0 … L")
    better, worse = dict(zip(rows, (0.8, 0.7, 0.9), strict=True)), dict(zip(rows, (0.8, 0.95, 0.9), strict=True))
    judge = by(all_ranges_are_best)
    assert judge(of(*ranged(better, "20"))).kind == "reproduced"
    assert judge(of(*ranged(better, "20")[1:], outcome(rows[0], "20", scored(0.8), "Cora"))).kind == "not measured"
    found = judge(of(*ranged(better, "20"), *ranged(worse, "25")))
    assert (found.kind, found.figure) == ("different", "Cora at 1 of 2 depths")


def test_the_predictor_alone_may_lose_what_is_printed() -> None:
    """1.88 points are printed for Cora."""
    for alone, kind in ((0.885, "reproduced"), (0.875, "not reproduced")):
        parts = {
            "scratch": {"metric": "hits@100", "test": {"hits@100": 0.90}, "best_epoch": 40},
            "predictor": {"metric": "hits@100", "test": {"hits@100": alone}, "best_epoch": 30},
        }
        cells = of(outcome("both runs", "Cora", [parts] * 3))
        assert by(predictor_alone_suffices)(cells).kind == kind
        assert by(predictor_alone_ends_sooner)(cells).kind == "reproduced"


def test_a_claim_names_the_cells_that_it_needs() -> None:
    for claim in CLAIMS:
        words = claim.command.split("--only ")
        cells = EXPERIMENTS[claim.experiment].cells(Scale.FULL)
        kept = [cell for cell in cells if len(words) == 1 or holds(cell, words[1].strip('"'))]
        assert kept


def test_what_was_not_learned_is_said_beside_the_verdict() -> None:
    start = [{**each, "best_epoch": 0, "epochs": 6} for each in scored(0.95, 0.95, 0.95)]
    cells = of(outcome("HL-GNN", "Cora", start, "ncn"), outcome("GCN", "Cora", scored(0.5, 0.5, 0.5), "ncn"))
    assert by(best_method, "ncn", "HL-GNN")(cells).figure.endswith("nothing was learned")
