"""Figures 2 to 6, Tables 7, 10 and 11, formulas, operators and protocols: their cells, and what they look like."""

from pathlib import Path

import pytest
import torch

from experiments.small_results import fill, small_result
from hlgnn.experiments import CellOutcome, Experiment, Outcomes, ResultStore, Scale, Sheet
from hlgnn.experiments.entries import UNTRAINED, published
from hlgnn.experiments.equations import EQUATIONS, written
from hlgnn.experiments.experiments import EXPERIMENTS
from hlgnn.experiments.figure2 import DEPTHS, FIGURE2, RANGES, range_changes
from hlgnn.experiments.figure3 import FIGURE3
from hlgnn.experiments.figure4 import FIGURE4, PLAIN, TABLE
from hlgnn.experiments.figure5 import FIGURE5
from hlgnn.experiments.figure6 import FIGURE6, STARTS
from hlgnn.experiments.operators import OPERATORS_EXPERIMENT
from hlgnn.experiments.protocols import METHODS, PROTOCOLS_EXPERIMENT
from hlgnn.experiments.table4 import TABLE4
from hlgnn.experiments.table7 import TABLE7
from hlgnn.experiments.table10 import TABLE10
from hlgnn.experiments.table11 import TABLE11
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.models import HLGNNSettings, Propagation

OURS = (
    *(FIGURE2, FIGURE3, FIGURE4, FIGURE5, FIGURE6, EQUATIONS),
    *(TABLE7, TABLE10, TABLE11, OPERATORS_EXPERIMENT, PROTOCOLS_EXPERIMENT),
)
WITH_CHARTS = (FIGURE2, FIGURE3, FIGURE4, FIGURE5, FIGURE6, OPERATORS_EXPERIMENT, PROTOCOLS_EXPERIMENT)
by_name = pytest.mark.parametrize("experiment", OURS, ids=lambda each: each.name)


def outcomes_of(store: ResultStore, experiment: Experiment, scale: Scale) -> Outcomes:
    return store.outcomes(experiment, scale)


def check_form(sheet: Sheet) -> None:
    """Every row has an entry for each column, and intervals hold their points."""
    assert sheet.grids
    for grid in sheet.grids:
        assert grid.rows
        assert {len(entries) + 1 for _, entries in grid.rows} == {len(grid.columns)}
        assert len({name for name, _ in grid.rows}) == len(grid.rows)
    for chart in sheet.charts:
        assert len({series.name for series in chart.series}) == len(chart.series)
        for point in (point for series in chart.series for point in series.points):
            assert point.low <= point.y <= point.high


@by_name
def test_it_can_be_asked_for(experiment: Experiment) -> None:
    assert EXPERIMENTS[experiment.name] is experiment


@by_name
@pytest.mark.parametrize("scale", list(Scale))
def test_without_results_everything_is_missing_and_keeps_its_form(
    experiment: Experiment, scale: Scale, tmp_path: Path
) -> None:
    sheet = experiment.draw(outcomes_of(ResultStore(tmp_path), experiment, scale))
    check_form(sheet)
    first = sheet.grids[0]
    assert any(entry.mark == "missing" for _, entries in first.rows for entry in entries)


@by_name
def test_some_results_are_shown_among_missing_ones(experiment: Experiment, tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    fill(store, experiment, Scale.FULL, every=3)
    check_form(experiment.draw(outcomes_of(store, experiment, Scale.FULL)))


@by_name
def test_with_results_nothing_that_was_run_is_missing(experiment: Experiment, tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    fill(store, experiment)
    sheet = experiment.draw(outcomes_of(store, experiment, Scale.SMALL))
    check_form(sheet)
    assert any(entry.mark != "missing" for _, entries in sheet.grids[0].rows for entry in entries)
    if experiment in WITH_CHARTS:
        assert all(chart.series for chart in sheet.charts)
        assert sheet.charts


@by_name
def test_a_small_run_has_few_cells_on_data_that_comes_with_the_package(experiment: Experiment) -> None:
    cells = experiment.cells(Scale.SMALL)
    assert len({cell.folder for cell in cells}) <= 4
    assert {cell.settings.get("dataset", "cora") for cell in cells} == {"cora"}


@by_name
def test_places_are_not_taken_twice(experiment: Experiment) -> None:
    for scale in Scale:
        places = [(cell.row, cell.column, cell.part) for cell in experiment.cells(scale)]
        assert len(set(places)) == len(places)


@pytest.mark.parametrize("experiment", [FIGURE3, FIGURE6, TABLE10, OPERATORS_EXPERIMENT, FIGURE5])
def test_what_differs_in_a_figure_differs_in_its_key(experiment: Experiment) -> None:
    folders = [cell.folder for cell in experiment.cells(Scale.FULL)]
    assert len(set(folders)) == len(folders)


@pytest.mark.parametrize("scale", list(Scale))
def test_figure_4_and_formulas_are_made_of_the_runs_of_table_4(scale: Scale) -> None:
    table = {cell.folder: cell.seeds for cell in TABLE4.cells(scale)}
    mine = [cell for cell in FIGURE4.cells(scale) if cell.row == TABLE]
    assert mine
    assert all(table[cell.folder] == cell.seeds for cell in mine)
    assert [cell.folder for cell in EQUATIONS.cells(scale)] == [cell.folder for cell in FIGURE4.cells(scale)]


def test_figure_4_has_the_model_of_figure_3_at_its_depth() -> None:
    curve = {cell.folder: cell for cell in FIGURE3.cells(Scale.FULL)}
    plain = [cell for cell in FIGURE4.cells(Scale.FULL) if cell.row == PLAIN]
    assert [curve[cell.folder].column for cell in plain] == ["20", "20", "20", "15"]


@pytest.mark.parametrize("scale", list(Scale))
def test_protocols_runs_nothing_that_table_4_does_not(scale: Scale) -> None:
    table = {cell.folder for cell in TABLE4.cells(scale)}
    cells = PROTOCOLS_EXPERIMENT.cells(scale)
    assert {cell.folder for cell in cells} <= table
    assert len(cells) == len(METHODS) * (1 if scale is Scale.SMALL else 9)


def test_both_tables_of_the_predictor_have_the_same_runs() -> None:
    assert [cell.folder for cell in TABLE7.cells(Scale.FULL)] == [cell.folder for cell in TABLE11.cells(Scale.FULL)]


def weights_of(name: str, depth: int) -> list[float]:
    """β as a run of Figure 2 starts with it."""
    cell = next(
        each
        for each in FIGURE2.cells(Scale.FULL)
        if (each.row, each.column, each.part) == (RANGES[name], str(depth), "Cora")
    )
    settings = make_run_settings(dict(cell.settings)).model
    assert isinstance(settings, HLGNNSettings)
    found: list[float] = Propagation(settings.propagation, torch.Generator()).used_beta.tolist()
    return found


@pytest.mark.parametrize("depth", DEPTHS)
def test_ranges_put_weight_on_their_orders_only(depth: int) -> None:
    local = [order for order, weight in enumerate(weights_of("local", depth)) if weight]
    every = [order for order, weight in enumerate(weights_of("all", depth)) if weight]
    assert local == list(range(min(depth, 3) + 1))
    assert every == list(range(depth + 1))
    if depth >= 5:
        assert weights_of("global", depth) == [0.0] * depth + [1.0]
    else:
        assert range_changes("global", depth) is None


def test_local_orders_are_those_of_all_up_to_the_third() -> None:
    folders = {(cell.row, cell.column): cell.folder for cell in FIGURE2.cells(Scale.FULL) if cell.part == "Cora"}
    assert folders[RANGES["local"], "2"] == folders[RANGES["all"], "2"]
    assert folders[RANGES["local"], "20"] == folders[RANGES["all"], "3"]


def test_every_start_of_the_paper_is_there_at_the_same_depth() -> None:
    assert {kind for kind, _ in STARTS.values()} == {"ki", "rwr", "random", "uniform", "reverse-ki", "final-layer"}
    chosen = [HLGNNSettings.model_validate(cell.settings["model"]).propagation for cell in FIGURE6.cells(Scale.FULL)]
    assert {each.depth for each in chosen} == {20}
    assert all(each.learn_beta for each in chosen)


def test_a_formula_shows_ten_weights_and_says_that_there_are_more() -> None:
    assert written([1.0, 0.5], "text") == "H = I + 0.5 Ã_sym"
    text, latex = written([0.5] * 21, "text"), written([0.5] * 21, "latex")
    assert text.endswith("0.5 Ã_sym⁹ + ⋯")
    assert latex.endswith(r"+ \cdots")
    assert text.count("0.5") == latex.count("0.5") == 10


def test_printed_formulas_are_those_of_the_appendix() -> None:
    printed = published("equations")
    assert {len(weights) for weights in printed.values()} == {10}
    assert written(printed["ogbl-ddi"], "text", cut=True).startswith("H = 0.1532 I + 0.284 Ã_sym + 1.53 Ã_sym²")
    largest = {name: max(range(10), key=lambda order: abs(weights[order])) for name, weights in printed.items()}
    assert largest == {"cora": 1, "citeseer": 0, "pubmed": 0, "ogbl-collab": 2, "ogbl-ddi": 2}


def test_printed_tables_agree_where_they_repeat_each_other() -> None:
    main, ten, eleven = (published(name) for name in ("table4", "table10", "table11"))
    for dataset, number in ten["hlgnn"].items():
        assert number == eleven["scratch"][dataset] == main["hlgnn"][dataset]


def test_margins_are_differences_under_one_protocol(tmp_path: Path) -> None:
    store, (first, *others) = ResultStore(tmp_path), PROTOCOLS_EXPERIMENT.cells(Scale.SMALL)
    for cell, value in ((first, 0.9), *((each, 0.8) for each in others)):
        store.write(cell, 0, {"result": {"test": {"hits@100": value}}, "code": {"revision": 1}})
    sheet = PROTOCOLS_EXPERIMENT.draw(outcomes_of(store, PROTOCOLS_EXPERIMENT, Scale.SMALL))
    assert [entries[0].text for _, entries in sheet.grids[1].rows] == ["+10.00"] * 3
    assert dict(sheet.grids[1].rows)["less BUDDY"][1].text == "+6.22"


def test_operators_are_drawn_over_all_orders(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    fill(store, OPERATORS_EXPERIMENT)
    sheet = OPERATORS_EXPERIMENT.draw(outcomes_of(store, OPERATORS_EXPERIMENT, Scale.SMALL))
    depth = len(small_result("operator-growth")["beta"]) - 1
    for series in (series for chart in sheet.charts for series in chart.series):
        assert [point.x for point in series.points] == list(range(1, depth + 1))


@pytest.mark.parametrize(("best_epoch", "shown"), [(0, False), (1, True)])
def test_weights_that_were_not_learned_are_not_drawn(best_epoch: int, shown: bool) -> None:
    cell = next(cell for cell in FIGURE4.cells(Scale.SMALL) if cell.row == TABLE)
    result = {"beta": [0.1, 0.9], "best_epoch": best_epoch, "epochs": 2}
    sheet = FIGURE4.draw(Outcomes(Scale.SMALL, (CellOutcome(cell, {0: result}, {}),)))
    [(_, entries)] = sheet.grids[0].rows
    assert (entries[0].text == "1, 1 of 1 seeds") == shown
    assert entries[0].note == ("weights of epoch 1" if shown else UNTRAINED)
    assert (TABLE in [series.name for series in sheet.charts[0].series]) == shown
