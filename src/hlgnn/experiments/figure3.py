"""Figure 3: HL-GNN at depths from 1 to 30 (Sect. 5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import PLANETOID, dataset_title
from hlgnn.experiments.plain_model import LEAD, plain_cell, score_entry, score_point
from hlgnn.experiments.sheet import Chart, Grid, Series, Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import Outcomes

DDI = "ogbl-ddi"
DEPTHS = {**dict.fromkeys(PLANETOID, (1, 2, 3, 5, 7, 10, 15, 20, 25, 30)), DDI: (1, 2, 3, 5, 10, 15, 20, 30)}
SMALL_DEPTHS = (1, 5, 20)


def cells(scale: Scale) -> list[Cell]:
    """Every data set at every depth."""
    chosen: dict[str, tuple[int, ...]] = {"cora": SMALL_DEPTHS} if scale is Scale.SMALL else DEPTHS
    return [depth_cell(each, depth, scale) for each, depths in chosen.items() for depth in depths]


def depth_cell(dataset: str, depth: int, scale: Scale) -> Cell:
    """A data set at a depth."""
    change = f"model.propagation.depth={depth}"
    return plain_cell(dataset, scale, change, row=dataset_title(dataset), column=str(depth))


def draw(outcomes: Outcomes) -> Sheet:
    """A grid of all, and charts for the Planetoid graphs and for ddi, whose metrics differ."""
    known = [each for each in DEPTHS if dataset_title(each) in outcomes.rows()]
    groups = {"Planetoid": [each for each in known if each != DDI], "OGB": [each for each in known if each == DDI]}
    return Sheet(
        "Figure 3: depth",
        f"{LEAD} On ogbl-ddi, which has no features, X is learned.",
        (_grid(outcomes, known),),
        tuple(_chart(outcomes, title, group) for title, group in groups.items() if group),
        (
            "The paper prints pictures and no numbers, for Cora, Pubmed, ogbl-collab and ogbl-ddi; ogbl-collab does "
            "not fit this scale.",
        ),
    )


def _grid(outcomes: Outcomes, datasets: Sequence[str]) -> Grid:
    depths = sorted(outcomes.columns(), key=int)
    rows = tuple(
        (
            f"{dataset_title(each)}, {DATASETS[each].metric}",
            tuple(score_entry(outcomes.at(dataset_title(each), depth), each) for depth in depths),
        )
        for each in datasets
    )
    return Grid("Test scores in percent", ("data set", *(f"L = {each}" for each in depths)), rows)


def _chart(outcomes: Outcomes, title: str, datasets: Sequence[str]) -> Chart:
    depths = sorted(outcomes.columns(), key=int)
    series = []
    for each in datasets:
        points = (score_point(outcomes.at(dataset_title(each), depth), each, float(depth)) for depth in depths)
        if found := tuple(point for point in points if point is not None):
            series.append(Series(dataset_title(each), found))
    return Chart(title, "depth L", f"{DATASETS[datasets[0]].metric}, percent", tuple(series))


FIGURE3 = Experiment("figure3", "Quality over depth, from 1 to 30 layers", cells, draw)
