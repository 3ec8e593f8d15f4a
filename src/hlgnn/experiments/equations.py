"""The learned heuristics as formulas (Appendix C.2), from the runs of Figure 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hlgnn.experiments.entries import published
from hlgnn.experiments.experiment import Experiment
from hlgnn.experiments.figure4 import PLAIN, TABLE, TABLE_DATASETS, cells
from hlgnn.experiments.methods import dataset_title
from hlgnn.experiments.sheet import Entry, Grid, Sheet
from hlgnn.experiments.weights import weight_spreads
from hlgnn.formulation import SYM, Formulation
from hlgnn.report.numbers import MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.experiments.outcomes import Outcomes

SHOWN = 10
"""Appendix C.2 prints the first ten weights."""

DOTS = {"text": " + ⋯", "latex": r" + \cdots"}


def draw(outcomes: Outcomes) -> Sheet:
    """One grid for each source, with formulas in text and in LaTeX."""
    return Sheet(
        "Appendix C.2: learned heuristics",
        "H = Σ β_l Ã_sym^l with the mean of β over seeds and its first ten terms; the paper does not say which "
        "runs its weights are of. A factor of all weights means little, since the head undoes it.",
        tuple(_grid(outcomes, name) for name in (TABLE, PLAIN)),
    )


def written(weights: Sequence[float], style: Literal["text", "latex"], *, cut: bool = False) -> str:
    """H with these weights; those behind the tenth are dots.

    Args:
        weights: β_0 … β_L.
        style: What it is for.
        cut: Whether more weights follow than are given.

    Example:
        >>> written([0.5, 0.25, -0.125], "text")
        'H = 0.5 I + 0.25 Ã_sym − 0.125 Ã_sym²'
    """
    shown = tuple(weights[:SHOWN])
    more = DOTS[style] if cut or len(weights) > SHOWN else ""
    return Formulation("learned", (SYM,) * (len(shown) - 1), shown).formula(style) + more


def _grid(outcomes: Outcomes, name: str) -> Grid:
    known = [each for each in TABLE_DATASETS if outcomes.at(name, dataset_title(each)) is not None]
    rows = tuple((dataset_title(each), _entries(outcomes, name, each)) for each in known)
    return Grid(f"Weights of the {name}", ("data set", "text", "LaTeX"), rows)


def _entries(outcomes: Outcomes, name: str, dataset: str) -> tuple[Entry, Entry]:
    printed = published("equations").get(dataset)
    beside = written(printed, "text", cut=True) if printed else ""
    outcome = outcomes.at(name, dataset_title(dataset))
    weights = [each.mean for each in weight_spreads(outcome)]
    if not weights:
        reason = outcome.skipped if outcome is not None else ""
        return Entry(MISSING, beside, "missing", reason), Entry(MISSING, mark="missing", note=reason)
    return Entry(written(weights, "text"), beside), Entry(written(weights, "latex"))


EQUATIONS = Experiment("equations", "Formulas of the learned heuristics", cells, draw)
