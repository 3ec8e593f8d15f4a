"""All experiments on a small scale: every cell runs, every sheet is drawn in every format, from the store alone."""

from pathlib import Path

from hlgnn.experiments import ResultStore, Scale
from hlgnn.experiments.experiments import EXPERIMENTS
from hlgnn.experiments.renderings import render_text, write_sheets
from hlgnn.experiments.runner import run_experiments


def test_every_cell_has_a_result_and_every_sheet_is_drawn(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    report = run_experiments(EXPERIMENTS.values(), store, Scale.SMALL, jobs=2)
    assert report.failures == []
    assert report.skipped == []
    for name, experiment in EXPERIMENTS.items():
        outcomes = store.outcomes(experiment, Scale.SMALL)
        assert [each.cell.folder for each in outcomes if each.missing] == []
        sheet = experiment.draw(outcomes)
        for style in ("markdown", "latex", "csv"):
            assert len(render_text(sheet, style)) > 200
        assert write_sheets({name: sheet}, tmp_path / name, "html").is_file()
        places = [entry for grid in sheet.grids for _, row in grid.rows for entry in row]
        assert any(entry.mark != "missing" for entry in places)
