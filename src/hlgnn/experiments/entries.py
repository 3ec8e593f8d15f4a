"""Entries of grids from results: means with their spread, beside what was published."""

from __future__ import annotations

import math
import tomllib
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hlgnn.experiments.sheet import Entry, Point
from hlgnn.report.numbers import MISSING

if TYPE_CHECKING:
    from hlgnn.experiments.outcomes import CellOutcome, Spread

PUBLISHED_RUNS = 10
"""How many runs the numbers of the paper are means of (Sect. 5.1)."""

LEAST_SEEDS = 3
"""Seeds without which nothing is compared: one or two do not tell how large the noise is."""

UNTRAINED = "validation kept the first weights: nothing was learned"


class Published(NamedTuple):
    """A printed number.

    Attributes:
        mean: The number.
        deviation: The deviation that is printed behind it; zero if there is none.
    """

    mean: float
    deviation: float = 0.0


@lru_cache(maxsize=32)
def published(name: str) -> dict[str, Any]:
    """The printed numbers of a table or figure, as its file in ``published/`` has them; empty if there is none."""
    file = resources.files("hlgnn.experiments") / "published" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def printed_number(value: Any) -> Published | None:
    """A number, or a list of a number and its deviation, from such a file."""
    if value is None:
        return None
    return Published(*value) if isinstance(value, list) else Published(value)


def spread_entry(
    outcome: CellOutcome | None,
    *path: str,
    scale: float = 1.0,
    digits: int = 2,
    beside: Published | None = None,
) -> Entry:
    """The mean over seeds of the number at a place of the results, with its deviation, beside a printed one.

    Ours is marked if it differs from the printed number, to the digits that are shown, by more than two standard errors
    of the difference, and if there are enough seeds to know them.
    """
    printed = _text(beside.mean, beside.deviation, digits) if beside is not None else ""
    found = outcome.spread(*path, scale=scale) if outcome is not None else None
    if outcome is None or found is None:
        return Entry(MISSING, printed, "missing", outcome.skipped if outcome is not None else "")
    text = _text(found.mean, found.deviation, digits)
    return Entry(text, printed, _mark(outcome, found, beside, digits), _note(outcome))


def spread_point(x: float | str, found: Spread) -> Point:
    """The mean over seeds with one standard deviation on both sides."""
    return Point(x, found.mean, found.mean - found.deviation, found.mean + found.deviation)


def _text(mean: float, deviation: float, digits: int) -> str:
    return f"{mean:.{digits}f} ± {deviation:.{digits}f}" if deviation else f"{mean:.{digits}f}"


def _mark(outcome: CellOutcome, found: Spread, beside: Published | None, digits: int) -> Literal["", "above", "below"]:
    exact = len(outcome.cell.seeds) == 1  # nothing is drawn
    if beside is None or (len(found.values) < LEAST_SEEDS and not exact):
        return ""
    noise = 2 * math.hypot(found.error, beside.deviation / math.sqrt(PUBLISHED_RUNS))
    more = round(found.mean, digits) - round(beside.mean, digits)
    if abs(more) <= noise:
        return ""
    return "above" if more > 0 else "below"


def kept_start(outcome: CellOutcome) -> bool:
    """Whether there was something to learn, and validation kept what was there before, for all seeds."""
    found = outcome.results.values()
    return bool(found) and all(each.get("best_epoch") == 0 < each.get("epochs", 0) for each in found)


def _note(outcome: CellOutcome) -> str:
    notes = []
    if outcome.missing:
        notes.append(f"{len(outcome.results)} of {len(outcome.cell.seeds)} seeds")
    if outcome.older:
        notes.append("made by an earlier revision of the program")
    if kept_start(outcome):
        notes.append(UNTRAINED)
    return "; ".join(notes)
