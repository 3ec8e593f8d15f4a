"""Claims that hold to rounding or not at all: Tables 1, 2 and 8, and the eigenvalues of Eq. 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.agreement_entries import ROUNDING
from hlgnn.experiments.entries import published
from hlgnn.experiments.methods import dataset_title
from hlgnn.experiments.operators import growth_spreads
from hlgnn.experiments.table8 import COUNTED
from hlgnn.report.numbers import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.experiments.claims.verdict import Finding
    from hlgnn.experiments.outcomes import Outcomes

LITERAL = "literal-mixture"
COUNTS = {"nodes": "nodes", "links": "all_links", "features": "features"}
"""Rows of Table 8, and what they are called where files are counted."""


def formulas_hold(outcomes: Outcomes, kind: str) -> Iterator[Finding]:
    """Every matrix or heuristic equals its formula to rounding."""
    found = [each for outcome in outcomes for result in outcome.results.values() for each in result[kind].values()]
    shares = [each["difference"] / max(each["largest"], 1e-300) for each in found]
    for place, share in enumerate(sorted(shares, reverse=True)):
        yield share <= ROUNDING, "" if place else f"the largest relative difference is {share:.1e}"


def eigenvalues_stay_below_one(outcomes: Outcomes) -> Iterator[Finding]:
    """Sect. 4.1: the mixture of Eq. 3 with equal shares has no eigenvalue above one."""
    for column in outcomes.columns():
        radius = growth_spreads(outcomes.at(LITERAL, column), "start", "radius")
        if radius:
            yield radius[0].mean <= 1 + ROUNDING, f"{column} {radius[0].mean:.2f}"


def sizes_are_printed(outcomes: Outcomes) -> Iterator[Finding]:
    """Table 8: nodes, links and features are as many as printed."""
    for dataset in COUNTED:
        outcome = outcomes.at("counts", dataset_title(dataset))
        for row, name in COUNTS.items():
            found, printed = outcome.first(name) if outcome is not None else None, published("table8")[dataset][row]
            if found is not None:
                same = found == printed
                told = f"{dataset_title(dataset)} has {count(found)} {row} (printed {count(printed)})"
                yield same, "" if same else told
