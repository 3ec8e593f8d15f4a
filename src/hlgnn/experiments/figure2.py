"""Figure 2: local orders, the last order, and all orders, at different depths (Sect. 5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import PLANETOID, dataset_title
from hlgnn.experiments.plain_model import LEAD, plain_cell, score_entry, score_point
from hlgnn.experiments.sheet import Chart, Grid, Series, Sheet

if TYPE_CHECKING:
    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import Outcomes

LAST_LOCAL, FIRST_GLOBAL = 3, 5
"""Local are orders 0 … 3; global is the last order of at least five layers."""

RANGES = {
    "local": f"orders 0 … {LAST_LOCAL}",
    "global": f"the last order, L ≥ {FIRST_GLOBAL}",
    "all": "orders 0 … L",
}
DEPTHS = (1, 2, 3, 5, 7, 10, 15, 20, 25)
SMALL_DEPTHS = (3, 5)


def range_changes(name: str, depth: int) -> tuple[str, ...] | None:
    """The settings of a range at a depth, or ``None`` if the depth has no such range.

    Local orders need no layer behind the third, so that their curve is level from there. The last order starts with the
    weight one: with the start of all orders it would have next to nothing.

    Example:
        >>> range_changes("local", 10), range_changes("global", 2)
        (('model.propagation.depth=3',), None)
    """
    if name == "global":
        alone = ("model.propagation.layers=last", "model.propagation.beta_init=final-layer")
        return (f"model.propagation.depth={depth}", *alone) if depth >= FIRST_GLOBAL else None
    return (f"model.propagation.depth={min(depth, LAST_LOCAL) if name == 'local' else depth}",)


def cells(scale: Scale) -> list[Cell]:
    """Every range at every depth that has it."""
    small = scale is Scale.SMALL
    return [
        plain_cell(dataset, scale, *changes, row=RANGES[name], column=str(depth), part=dataset_title(dataset))
        for dataset in (("cora",) if small else PLANETOID)
        for name in RANGES
        for depth in (SMALL_DEPTHS if small else DEPTHS)
        if (changes := range_changes(name, depth)) is not None
    ]


def draw(outcomes: Outcomes) -> Sheet:
    """A grid and a chart for each data set."""
    known = [each for each in PLANETOID if dataset_title(each) in outcomes.parts()]
    return Sheet(
        "Figure 2: local, global and all ranges of orders",
        LEAD,
        tuple(_grid(outcomes, each) for each in known),
        tuple(_chart(outcomes, each) for each in known),
        (
            "The paper prints pictures for Cora and ogbl-collab and no numbers; ogbl-collab does not fit this scale.",
            "A curve of local orders has the same runs from L = 3 on.",
        ),
    )


def _grid(outcomes: Outcomes, dataset: str) -> Grid:
    part = dataset_title(dataset)
    depths = sorted(outcomes.columns(part), key=int)
    rows = tuple(
        (name, tuple(score_entry(outcomes.at(name, depth, part), dataset) for depth in depths))
        for name in RANGES.values()
    )
    return Grid(f"{part}, {DATASETS[dataset].metric} in percent", ("range", *(f"L = {each}" for each in depths)), rows)


def _chart(outcomes: Outcomes, dataset: str) -> Chart:
    part, depths = dataset_title(dataset), sorted(outcomes.columns(dataset_title(dataset)), key=int)
    series = []
    for name in RANGES.values():
        points = (score_point(outcomes.at(name, depth, part), dataset, float(depth)) for depth in depths)
        if found := tuple(point for point in points if point is not None):
            series.append(Series(name, found))
    return Chart(part, "depth L", f"{DATASETS[dataset].metric}, percent", tuple(series))


FIGURE2 = Experiment("figure2", "Local, global and all ranges of orders over depth", cells, draw)
