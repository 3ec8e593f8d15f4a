"""Claims of Table 4: who is better than whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.claims.spreads import NOISE, above, beside, best, error_of_difference, scores
from hlgnn.experiments.entries import LEAST_SEEDS, UNTRAINED, kept_start
from hlgnn.experiments.methods import HEURISTIC_ROWS, PAPER_ROWS, dataset_title, title_of
from hlgnn.experiments.table4 import AS_PRINTED
from hlgnn.report.numbers import signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.experiments.claims.verdict import Finding
    from hlgnn.experiments.outcomes import Outcomes, Spread

OURS = "hlgnn"
FAMILY = ("hlgnn-zero", "regression")
"""Methods of this project that learn nothing by steps: no other methods."""

LOCAL, GLOBAL = ("cn", "ra"), ("ki", "rwr")


def best_method(outcomes: Outcomes, protocol: str, row: str) -> Iterator[Finding]:
    """A row is above every other method under one protocol, beyond the noise, where one that learns is measured."""
    for dataset in DATASETS:
        ours, rivals = _ours_and_rivals(outcomes, dataset, protocol, row)
        if ours is not None:
            cell = outcomes.at(row, dataset_title(dataset), protocol)
            yield _beside_methods(dataset, ours, rivals, UNTRAINED if cell is not None and kept_start(cell) else "")


def above_heuristics(outcomes: Outcomes, protocol: str, row: str) -> Iterator[Finding]:
    """A row is above every heuristic under one protocol, beyond the noise; all of them have to be measured."""
    for dataset in DATASETS:
        found = scores(outcomes, dataset, protocol)
        rivals = {name: found[name] for each in HEURISTIC_ROWS if (name := title_of(each)) in found}
        ours = found.get(row)
        if ours is not None and len(ours.values) >= LEAST_SEEDS and len(rivals) == len(HEURISTIC_ROWS):
            yield from beside(dataset_title(dataset), ours, rivals, least=NOISE)


def gain(outcomes: Outcomes, protocol: str, row: str, dataset: str, printed: float) -> Iterator[Finding]:
    """A row is above the second-best method of the paper's table by no less than the printed share of its score."""
    ours, rivals = _ours_and_rivals(outcomes, dataset, protocol, row)
    listed = {name: rivals[name] for each in PAPER_ROWS if (name := title_of(each)) in rivals}
    if ours is not None and listed:
        name, other = best(listed)
        more = 100 * (ours.mean - other.mean) / other.mean
        error = 100 * error_of_difference(ours, other) / other.mean
        words = f"{dataset_title(dataset)} {signed(more, 1)} % beside {name}, best of {len(listed)}"
        yield more >= printed - NOISE * error, words


def better_kind(
    outcomes: Outcomes, protocol: str, better: tuple[str, ...], worse: tuple[str, ...]
) -> Iterator[Finding]:
    """Every heuristic of one kind is above every one of the other, beyond the noise."""
    for dataset in DATASETS:
        found = scores(outcomes, dataset, protocol)
        first, second = (
            {row: found[row] for each in kind if (row := title_of(each)) in found} for kind in (better, worse)
        )
        if len(first) == len(better) and len(second) == len(worse):
            held = all(above(ours, theirs) for ours in first.values() for theirs in second.values())
            words = " beside ".join(_listed(kind) for kind in (first, second))
            yield held, f"{dataset_title(dataset)} {words}"


def _listed(found: dict[str, Spread]) -> str:
    return ", ".join(f"{name} {spread.mean:.1f}" for name, spread in found.items())


def _beside_methods(dataset: str, ours: Spread, rivals: dict[str, Spread], note: str) -> Finding:
    name, other = best(rivals)
    seeds = "" if len(other.values) > 1 else "one seed"
    told = ", ".join(each for each in (name, f"best of {len(rivals)}", seeds) if each)
    words = f"{dataset_title(dataset)} {ours.mean:.1f} beside {other.mean:.1f} ({told})"
    return above(ours, other), f"{words}, where {note}" if note else words


def _ours_and_rivals(
    outcomes: Outcomes, dataset: str, protocol: str, row: str
) -> tuple[Spread | None, dict[str, Spread]]:
    """A row of HL-GNN, if it has enough seeds and is measured beside a method that learns, and all other methods."""
    found = scores(outcomes, dataset, protocol)
    ours = found.get(row)
    own = {title_of(name) for name in (OURS, *FAMILY)} | {AS_PRINTED}
    rivals = {name: spread for name, spread in found.items() if name not in own}
    simple = {title_of(name) for name in HEURISTIC_ROWS}
    known = ours is not None and len(ours.values) >= LEAST_SEEDS and bool(rivals.keys() - simple)
    return (ours if known else None), rivals
