"""A table or a figure: the cells that it needs, and how it is drawn from their results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.outcomes import Outcomes
    from hlgnn.experiments.sheet import Sheet


class Scale(StrEnum):
    """How much is run.

    Attributes:
        SMALL: Few seeds, epochs and nodes: shows that everything works, and no number of it means anything.
        FULL: What is reported.
    """

    SMALL = "small"
    FULL = "full"


@dataclass(frozen=True)
class Experiment:
    """One table or figure.

    Attributes:
        name: What it is asked for by, such as ``table4``.
        title: What it shows, in a line.
        cells: What has to be run.
        draw: What it looks like; a function of the results alone.
    """

    name: str
    title: str
    cells: Callable[[Scale], list[Cell]]
    draw: Callable[[Outcomes], Sheet]
