"""Claims of Table 4: who is better than whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments.claims.spreads import LEAST_SEEDS, NOISE, above, beside, best, error_of_difference, scores
from hlgnn.experiments.methods import HEURISTIC_ROWS, dataset_title, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.experiments.claims.verdict import Finding
    from hlgnn.experiments.outcomes import Outcomes, Spread

OURS, UNTRAINED = "hlgnn", "hlgnn-zero"
LOCAL, GLOBAL = ("cn", "ra"), ("ki", "rwr")


def best_method(outcomes: Outcomes, protocol: str) -> Iterator[Finding]:
    """HL-GNN is above every other method under one protocol, beyond the noise, where one that learns is measured."""
    for dataset in DATASETS:
        ours, rivals = _ours_and_rivals(outcomes, dataset, protocol)
        if ours is not None:
            yield from beside(dataset_title(dataset), ours, rivals, least=NOISE)


def above_heuristics(outcomes: Outcomes, protocol: str) -> Iterator[Finding]:
    """HL-GNN is above every heuristic under one protocol, beyond the noise."""
    names = {title_of(each) for each in HEURISTIC_ROWS}
    for dataset in DATASETS:
        found = scores(outcomes, dataset, protocol)
        rivals = {row: spread for row, spread in found.items() if row in names}
        ours = found.get(title_of(OURS))
        if ours is not None and len(ours.values) >= LEAST_SEEDS:
            yield from beside(dataset_title(dataset), ours, rivals, least=NOISE)


def gain(outcomes: Outcomes, protocol: str, dataset: str, printed: float) -> Iterator[Finding]:
    """HL-GNN is above the second-best method by a share of its score that is no less than the printed one."""
    ours, rivals = _ours_and_rivals(outcomes, dataset, protocol)
    if ours is not None:
        name, other = best(rivals)
        more = 100 * (ours.mean - other.mean) / other.mean
        error = 100 * error_of_difference(ours, other) / other.mean
        yield more >= printed - NOISE * error, f"{dataset_title(dataset)} {more:.1f} % ({name})"


def better_kind(
    outcomes: Outcomes, protocol: str, better: tuple[str, ...], worse: tuple[str, ...]
) -> Iterator[Finding]:
    """The best heuristic of one kind is above the best of the other, beyond the noise."""
    for dataset in DATASETS:
        found = scores(outcomes, dataset, protocol)
        first, second = (
            {row: found[row] for each in kind if (row := title_of(each)) in found} for kind in (better, worse)
        )
        if len(first) == len(better) and len(second) == len(worse):
            (name, ours), (other, theirs) = best(first), best(second)
            words = f"{dataset_title(dataset)} {ours.mean:.1f} ({name}) beside {theirs.mean:.1f} ({other})"
            yield above(ours, theirs), words


def _ours_and_rivals(outcomes: Outcomes, dataset: str, protocol: str) -> tuple[Spread | None, dict[str, Spread]]:
    """HL-GNN, if it has enough seeds and is measured beside a method that learns; itself untrained is no other one."""
    found = scores(outcomes, dataset, protocol)
    ours = found.pop(title_of(OURS), None)
    found.pop(title_of(UNTRAINED), None)
    simple = {title_of(name) for name in (*HEURISTIC_ROWS, "regression")}
    known = ours is not None and len(ours.values) >= LEAST_SEEDS and bool(found.keys() - simple)
    return (ours if known else None), found
