"""Every table and figure: cells that are run once and stored, and drawings that are made from the store alone."""

from hlgnn.experiments.cell import Cell, cell_key
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.outcomes import CellOutcome, Outcomes
from hlgnn.experiments.sheet import Chart, Entry, Grid, Point, Series, Sheet
from hlgnn.experiments.store import ResultStore

__all__ = [
    "Cell",
    "CellOutcome",
    "Chart",
    "Entry",
    "Experiment",
    "Grid",
    "Outcomes",
    "Point",
    "ResultStore",
    "Scale",
    "Series",
    "Sheet",
    "cell_key",
]
