"""Tables 1, 2, 3, 5, 6, 8 and 9 are drawn from whatever the store holds, and say what cards and presets say."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hlgnn.catalog import DATASETS
from hlgnn.experiments import CellOutcome, Experiment, Outcomes, ResultStore, Scale, Sheet
from hlgnn.experiments.entries import published
from hlgnn.experiments.sheet import Entry
from hlgnn.experiments.table1 import TABLE1
from hlgnn.experiments.table2 import TABLE2
from hlgnn.experiments.table3 import ROWS, TABLE3
from hlgnn.experiments.table5 import TABLE5
from hlgnn.experiments.table6 import TABLE6
from hlgnn.experiments.table8 import COLUMNS, TABLE8, card_statistics
from hlgnn.experiments.table9 import TABLE9
from hlgnn.experiments.worker import run_cell
from hlgnn.progress import silent
from hlgnn.report.numbers import count

TABLES = (TABLE1, TABLE2, TABLE3, TABLE5, TABLE6, TABLE8, TABLE9)
MOST_SMALL_CELLS = 4


def entries(sheet: Sheet) -> Iterator[tuple[str, str, Entry]]:
    """Row, column and entry of all grids."""
    for grid in sheet.grids:
        for name, row in grid.rows:
            yield from ((name, column, entry) for column, entry in zip(grid.columns[1:], row, strict=True))


def drawn(experiment: Experiment, folder: Path, scale: Scale = Scale.FULL) -> Sheet:
    return experiment.draw(ResultStore(folder).outcomes(experiment, scale))


def outcomes_of(experiment: Experiment, result: dict[str, dict[str, Any]]) -> Outcomes:
    """Outcomes with a made-up result for some rows."""
    cells = experiment.cells(Scale.FULL)
    known = [{0: result[each.row]} if each.row in result else {} for each in cells]
    return Outcomes(Scale.FULL, tuple(CellOutcome(each, found, {}) for each, found in zip(cells, known, strict=True)))


@pytest.mark.parametrize("scale", Scale)
@pytest.mark.parametrize("experiment", TABLES, ids=lambda each: each.name)
def test_an_empty_store_is_drawn(experiment: Experiment, scale: Scale, tmp_path: Path) -> None:
    sheet = drawn(experiment, tmp_path, scale)
    assert sheet.title.startswith(f"Table {experiment.name.removeprefix('table')}:")
    assert sheet.lead
    assert list(entries(sheet))
    assert not sheet.charts


@pytest.mark.parametrize("experiment", TABLES, ids=lambda each: each.name)
def test_a_small_run_fills_what_it_ran(experiment: Experiment, tmp_path: Path) -> None:
    store, cells = ResultStore(tmp_path), experiment.cells(Scale.SMALL)
    assert len(cells) <= MOST_SMALL_CELLS
    for cell in cells:
        run_cell(cell, 0, store, silent)
    before = sum(entry.mark == "missing" for *_, entry in entries(drawn(experiment, tmp_path / "none", Scale.SMALL)))
    after = sum(entry.mark == "missing" for *_, entry in entries(drawn(experiment, tmp_path, Scale.SMALL)))
    assert after < before or not before


def test_both_tables_of_formulas_share_their_results() -> None:
    for scale in Scale:
        assert [each.folder for each in TABLE1.cells(scale)] == [each.folder for each in TABLE2.cells(scale)]


def test_a_difference_beyond_rounding_is_marked() -> None:
    names = published("table2")
    fine = {name: {"difference": 1e-15, "largest": 10.0} for name in names}
    wrong = fine | {"ra": {"difference": 1e-6, "largest": 10.0}}
    for found, expected in ((fine, set()), (wrong, {"RA"})):
        sheet = TABLE2.draw(outcomes_of(TABLE2, {"all": {"heuristics": found, "pairs": 4, "graphs": 1}}))
        assert {row for row, _, entry in entries(sheet) if entry.mark == "above"} == expected


def _times(exponent: float) -> dict[str, Any]:
    return {"points": [{"size": size, "seconds": [2 * size**exponent, size**exponent]} for size in (1, 2, 4, 8)]}


@pytest.mark.parametrize(("exponent", "marks"), [(1.0, {""}), (1.5, {"above"})])
def test_growth_beyond_the_stated_complexity_is_marked(exponent: float, marks: set[str]) -> None:
    sheet = TABLE3.draw(outcomes_of(TABLE3, {"HL-GNN": _times(exponent)}))
    found = {column: entry for row, column, entry in entries(sheet) if row == "HL-GNN"}
    assert {found[f"exponent of {each}"].mark for each in "MLF"} == marks
    assert found["exponent of M"].text == f"{exponent:.2f} ± 0.00"
    assert found["exponent of N"].published == "0"
    assert found["exponent of N"].mark == "above"
    assert [len(chart.series) for chart in sheet.charts] == [1, 1, 1, 1]
    assert all(chart.log_x and chart.log_y for chart in sheet.charts)
    [point, *_] = sheet.charts[0].series[0].points
    assert (point.y, point.low, point.high) == (1.0, 1.0, 2.0)


def test_every_printed_row_of_growth_is_there() -> None:
    assert set(published("table3")) <= set(ROWS)


def test_ratios_are_to_gcn() -> None:
    result = {
        "GCN": {"processor_seconds_per_epoch": 0.5, "whole_epoch": True},
        "SEAL": {"processor_seconds_per_epoch": 60.0, "whole_epoch": False},
    }
    sheet = TABLE5.draw(outcomes_of(TABLE5, result))
    seconds, ratios = ({name: row[0] for name, row in grid.rows} for grid in sheet.grids[:2])
    assert (seconds["SEAL"].text, seconds["SEAL"].published) == ("60", "28.7")
    assert "reckoned" in seconds["SEAL"].note
    assert (ratios["SEAL"].text, ratios["SEAL"].published) == ("120", count(1435))
    assert ratios["GCN"].text == "1"
    assert ratios["GAT"].mark == "missing"
    assert "GPU" in sheet.lead


def test_a_count_that_does_not_round_to_the_printed_one_is_marked() -> None:
    for parameters, mark in ((565_400, ""), (565_600, "above"), (564_400, "below")):
        result = {"GCN": {"parameters": parameters, "parts": {"head": parameters}}}
        sheet = TABLE6.draw(outcomes_of(TABLE6, result))
        found = {name: row[0] for name, row in sheet.grids[0].rows}
        assert (found["GCN"].text, found["GCN"].mark) == (count(parameters), mark)


def test_statistics_are_those_of_the_cards_and_errata_are_the_differences(tmp_path: Path) -> None:
    found = {(row, column): entry for row, column, entry in entries(drawn(TABLE8, tmp_path))}
    for name in COLUMNS:
        card, told = DATASETS[name], card_statistics(DATASETS[name])
        assert found["nodes", card.title].text == count(card.num_nodes)
        assert found["features", card.title].text == count(card.num_features)
        assert found["links", card.title].text == count(told["links"])
        assert told["links"] >= card.num_links
        marked = {row for (row, column), entry in found.items() if column == card.title and entry.mark}
        explained = set(published("table8")[name].get("errata", {}))
        assert {row.removeprefix("average ") for row in marked} == explained


def test_counted_files_come_before_cards(tmp_path: Path) -> None:
    store, [cell] = ResultStore(tmp_path), TABLE8.cells(Scale.SMALL)
    run_cell(cell, 0, store, silent)
    found = {(row, column): entry for row, column, entry in entries(drawn(TABLE8, tmp_path))}
    assert "files" in found["links", "Cora"].note
    assert "card" in found["links", "Citeseer"].note
    assert found["links", "Cora"].text == count(DATASETS["cora"].num_links)


def test_the_preset_of_the_paper_is_the_printed_table(tmp_path: Path) -> None:
    paper, ours = drawn(TABLE9, tmp_path).grids
    assert not [entry for _, row in paper.rows for entry in row if entry.mark]
    assert any(entry.mark for _, row in ours.rows for entry in row)
    assert TABLE9.cells(Scale.FULL) == []
