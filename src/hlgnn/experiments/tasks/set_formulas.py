"""Tables 1 and 2 as people read them: sets of neighbours, degrees and walks, without the formulation.

Γ_i holds i itself, and d̃_i is its size, as in the paper. Every formula gives the scores of one node with all nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from hlgnn.experiments.tasks.neighborhoods import Neighborhoods, Row

MIXTURE = (0.0, 0.2, 0.3, 0.5)
"""Some weights of Eq. 3: those of Ã, which it leaves out, Ã_sym, Ã_rs and Ã_cs."""

ALPHA = 0.6
PATHS, STEPS = 5, 4
"""L of LPI, and of LRW."""

NEGLIGIBLE = 1e-18
"""A share of the largest score at which an endless sum is ended."""

Formula = Callable[[Neighborhoods, int], Row]


def _shared(worth: Callable[[Neighborhoods], Row]) -> Formula:
    """Σ over the members that Γ_i and Γ_j share of what each is worth."""

    def row(hoods: Neighborhoods, i: int) -> Row:
        values, own = worth(hoods), hoods.sets[i]
        return np.array([sum(values[k] for k in own & other) for other in hoods.sets], dtype=np.float64)

    return row


def _endless(terms: Iterator[Row]) -> Row:
    total = next(terms).copy()
    for term in terms:
        total += term
        if term.max() <= NEGLIGIBLE * total.max():
            break
    return total


def _weighted(rows: Iterator[Row], ratio: float) -> Iterator[Row]:
    """Terms ratio^l of rows l = 0, 1, 2, …."""
    return (ratio**length * row for length, row in enumerate(rows))


def _some(terms: Iterator[Row], first: int, last: int) -> Row:
    return np.asarray(sum(islice(terms, first, last + 1)), dtype=np.float64)


_count = _shared(lambda hoods: np.ones(len(hoods.sets)))
_allocation = _shared(lambda hoods: 1 / hoods.degree)

HEURISTIC_FORMULAS: dict[str, Formula] = {
    "cn": _count,
    "llhn": lambda hoods, i: _count(hoods, i) / (hoods.degree[i] * hoods.degree),
    "ra": _allocation,
    "ra-rows": _allocation,
    "ki": lambda hoods, i: _endless(islice(_weighted(hoods.walks(i), hoods.gamma), 1, None)),
    "glhn": lambda hoods, i: _endless(_weighted(hoods.walks(i), hoods.gamma)),
    "rwr": lambda hoods, i: (1 - ALPHA) * _endless(_weighted(hoods.visits(i), ALPHA)),
    "lpi": lambda hoods, i: _some(_weighted(hoods.walks(i), hoods.gamma), 2, PATHS) / hoods.gamma**2,
    "lrw": lambda hoods, i: (
        hoods.degree[i] / (2 * hoods.num_links) * (1 - ALPHA) * _some(_weighted(hoods.visits(i), ALPHA), 0, STEPS - 1)
    ),
    "inverse-square": _shared(lambda hoods: 1 / hoods.degree**2),
    "normalized-ra": lambda hoods, i: _allocation(hoods, i) / np.sqrt(hoods.degree[i] * hoods.degree),
    "fp": lambda hoods, i: (1 - ALPHA) * _endless(_weighted(hoods.flows(i), ALPHA)),
}
"""The rows of Table 2, the second configuration of RA below it, and the new heuristics of Appendix D."""


def _member(scale: Callable[[Neighborhoods, int], Row]) -> Formula:
    """What j counts in the row of i, if it is a member of Γ_i."""

    def row(hoods: Neighborhoods, i: int) -> Row:
        inside = np.zeros(len(hoods.sets))
        inside[list(hoods.sets[i])] = 1.0
        return inside * scale(hoods, i)

    return row


def _mixed(hoods: Neighborhoods, i: int) -> Row:
    return np.asarray(sum(weight * each(hoods, i) for weight, each in zip(MIXTURE, _MATRICES.values(), strict=True)))


_MATRICES: dict[str, Formula] = {
    "adj": _member(lambda hoods, _: np.ones(len(hoods.sets))),
    "sym": _member(lambda hoods, i: 1 / np.sqrt(hoods.degree[i] * hoods.degree)),
    "row": _member(lambda hoods, i: np.full(len(hoods.sets), 1 / hoods.degree[i])),
    "col": _member(lambda hoods, _: 1 / hoods.degree),
}

OPERATOR_FORMULAS: dict[str, Formula] = {**_MATRICES, "mixture": _mixed}
"""The rows of Table 1; the last one is Eq. 3."""
