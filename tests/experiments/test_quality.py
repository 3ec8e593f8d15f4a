"""The cells of the quality experiment."""

from __future__ import annotations

from hlgnn.experiments import Scale
from hlgnn.experiments.ablations import CHANGES, PROTOCOLS, ablation_cells
from hlgnn.experiments.entries import published
from hlgnn.experiments.methods import AMAZON, dataset_title, title_of
from hlgnn.experiments.quality import OURS, TABLES, cells
from hlgnn.experiments.table4 import cells as table4_cells
from hlgnn.experiments.tasks.training import training_values
from hlgnn.jobs.presets import settings_for

AMAZON_TITLES = [dataset_title(each) for each in AMAZON]


def test_choices_and_reports_have_no_seed_in_common() -> None:
    ablations = ablation_cells(Scale.FULL)
    searched = {seed for cell in ablations for seed in cell.seeds}
    reported = {seed for cell in cells(Scale.FULL) if cell.part in TABLES for seed in cell.seeds}
    assert searched
    assert not searched & reported


def test_ours_has_ten_seeds_everywhere_and_shares_the_cells_of_table_4() -> None:
    ours = [cell for cell in cells(Scale.FULL) if cell.row == title_of(OURS) and cell.part in TABLES]
    assert len(ours) == sum(len(datasets) for datasets in TABLES.values())
    assert {cell.seeds for cell in ours} == {tuple(range(10))}
    table4 = {cell.folder for cell in table4_cells(Scale.FULL) if cell.row == title_of(OURS)}
    assert {cell.folder for cell in ours if cell.column not in AMAZON_TITLES or cell.part != "ncn"} <= table4
    for cell in ours:
        trained = settings_for(cell.settings["dataset"], protocol=cell.part)  # what the command trains by this name
        assert cell.settings == training_values(trained)


def test_every_ablation_changes_something() -> None:
    made = [cell for cell in ablation_cells(Scale.FULL) if cell.settings["dataset"] == "cora"]
    assert len({cell.folder for cell in made}) == len(CHANGES) * len(PROTOCOLS)


def test_bars_are_those_of_data_sets_that_are_run() -> None:
    for protocol, told in published("quality").items():
        assert set(told) <= set(TABLES[protocol])
        assert all(0 < entry["published"] <= 100 and 0 < entry["bar"] <= 100 for entry in told.values())
