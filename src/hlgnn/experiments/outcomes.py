"""What the store knows about the cells of an experiment."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.experiments.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hlgnn.experiments.cell import Cell
    from hlgnn.experiments.experiment import Scale


@dataclass(frozen=True)
class Spread:
    """Numbers of several seeds.

    Attributes:
        values: The numbers.
    """

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Their mean."""
        return statistics.mean(self.values)

    @property
    def deviation(self) -> float:
        """Their standard deviation; zero for a single one."""
        return statistics.stdev(self.values) if len(self.values) > 1 else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(len(self.values))


@dataclass(frozen=True)
class CellOutcome:
    """The results of one cell.

    Attributes:
        cell: The cell.
        results: What its task returned, by seed.
        documents: The stored files, by seed, with versions and dates.
        skipped: Why it was not run, if that was decided.
    """

    cell: Cell
    results: Mapping[int, Mapping[str, Any]]
    documents: Mapping[int, Mapping[str, Any]]
    skipped: str = ""

    @property
    def missing(self) -> list[int]:
        """Seeds without a result."""
        return [seed for seed in self.cell.seeds if seed not in self.results]

    @property
    def older(self) -> bool:
        """Whether a result comes from an earlier revision of the program."""
        return any(is_older(self.cell, document) for document in self.documents.values())

    def spread(self, *path: str, scale: float = 1.0) -> Spread | None:
        """The numbers of all seeds at a place of their results; ``None`` if there are none."""
        found = [value_at(result, path) for result in self.results.values()]
        numbers = tuple(scale * value for value in found if isinstance(value, int | float))
        return Spread(numbers) if numbers else None

    def first(self, *path: str) -> Any:
        """What the first seed has at a place of its result, or ``None``."""
        return next((value_at(result, path) for result in self.results.values()), None)


def is_older(cell: Cell, document: Mapping[str, Any]) -> bool:
    """Whether a stored result comes from an earlier revision of the program."""
    return bool(document["code"]["revision"] < TASKS[cell.task].revision)


def value_at(result: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """What stands at a place of a result, or ``None``."""
    value: Any = result
    for name in path:
        value = value.get(name) if hasattr(value, "get") else None
    return value


@dataclass(frozen=True)
class Outcomes:
    """The results of all cells of an experiment.

    Attributes:
        scale: How much was asked for.
        cells: In the order of the experiment.
    """

    scale: Scale
    cells: tuple[CellOutcome, ...]

    def __iter__(self) -> Iterator[CellOutcome]:
        return iter(self.cells)

    def at(self, row: str, column: str, part: str = "") -> CellOutcome | None:
        """The cell of that row and column, or ``None`` if the experiment has none."""
        places = ((each.cell.row, each.cell.column, each.cell.part) for each in self.cells)
        return next(
            (each for each, place in zip(self.cells, places, strict=True) if place == (row, column, part)), None
        )

    def rows(self, part: str = "") -> list[str]:
        """The names of rows, in order."""
        return list(dict.fromkeys(each.cell.row for each in self.cells if each.cell.part == part))

    def columns(self, part: str = "") -> list[str]:
        """The names of columns, in order."""
        return list(dict.fromkeys(each.cell.column for each in self.cells if each.cell.part == part))

    def parts(self) -> list[str]:
        """The names of parts, in order."""
        return list(dict.fromkeys(each.cell.part for each in self.cells))
